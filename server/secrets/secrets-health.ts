import type { ComponentHealth } from '#contracts/health.ts';
import type { SecretsInspection } from './inspect-secrets.ts';

type Unusable = Pick<SecretsInspection, 'unreadable' | 'damaged'>;

export const secretsHealthOf = ({ unreadable, damaged }: Unusable): ComponentHealth => {
  const words = [];
  if (unreadable > 0)
    words.push(`${counted(unreadable)} unreadable: put the old key into CONFIG_ENCRYPTION_KEY_PREVIOUS`);
  if (damaged > 0) words.push(`${counted(damaged)} damaged: enter them anew`);
  return words.length > 0 ? { status: 'degraded', detail: words.join('; ') } : { status: 'ok', detail: null };
};

const counted = (count: number): string => `${count} ${count === 1 ? 'secret' : 'secrets'}`;
