import { type ComponentHealth, healthIn } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import type { SecretsInspection } from '../../kernel/secrets/inspect-secrets.ts';

type Inspected = Pick<SecretsInspection, 'unreadable' | 'damaged' | 'keys'>;

/** @param keyFaults what is wrong with the key record, in sentences */
export const secretsHealthOf = (
  { unreadable, damaged, keys }: Inspected,
  keyFaults: readonly string[],
): ComponentHealth => {
  const words = [];
  if (unreadable > 0) words.push(healthReasons['secrets-unreadable'](unreadable));
  if (damaged > 0) words.push(healthReasons['secrets-damaged'](damaged));
  words.push(...keyFaults);
  const onOldKeys = keys.reduce((sum, { state, count }) => sum + (state === 'previous' ? count : 0), 0);
  if (words.length > 0 || onOldKeys === 0) return healthIn(words);
  return { status: 'ok', detail: healthReasons['secrets-on-old-keys'](onOldKeys) };
};
