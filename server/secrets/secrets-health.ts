import { type ComponentHealth, healthIn } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { SecretsInspection } from './inspect-secrets.ts';

type Unusable = Pick<SecretsInspection, 'unreadable' | 'damaged'>;

export const secretsHealthOf = ({ unreadable, damaged }: Unusable): ComponentHealth => {
  const words = [];
  if (unreadable > 0) words.push(healthReasons['secrets-unreadable'](unreadable));
  if (damaged > 0) words.push(healthReasons['secrets-damaged'](damaged));
  return healthIn(words);
};
