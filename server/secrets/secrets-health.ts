import type { ComponentHealth } from '#contracts/health.ts';
import { Problem } from '#runtime/problem.ts';
import { coalesceReads } from '../database/coalesce-reads.ts';
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

/** Looks at the secrets at most once a second, however often it is asked. */
export const createSecretsHealth = (
  inspect: () => Promise<Unusable>,
  obstacle: () => string | null,
): ((database: ComponentHealth) => Promise<ComponentHealth>) => {
  const reading = coalesceReads(inspect, obstacle);
  return async (database) => {
    if (database.status === 'down') return { status: 'down', detail: 'They need the database.' };
    try {
      return secretsHealthOf(await reading());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { status: 'degraded', detail: error.message };
    }
  };
};
