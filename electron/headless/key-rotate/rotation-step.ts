import type { SecretsStatus } from '#contracts/secrets.ts';

/** IDs of the keys in `.env`. */
export interface ConfiguredKeys {
  readonly current: string;
  readonly previous: readonly string[];
}

/**
 * The next step of a rotation.
 * - `restart`: the API still runs with other keys than `.env` names
 * - `reencrypt`: some secrets still use an older key
 * - `discard`: nothing needs the older keys any more
 * - `settled`: the API runs with the only key that there is
 */
export type RotationStep = 'restart' | 'reencrypt' | 'discard' | 'settled';

/** Derived only from what is there, so that a rotation that was interrupted anywhere continues from there. */
export const rotationStep = (configured: ConfiguredKeys, status: SecretsStatus): RotationStep => {
  const loaded = status.keys.filter(({ state }) => state === 'previous').map(({ keyId }) => keyId);
  if (status.currentKeyId !== configured.current || !isSameSet(loaded, configured.previous)) return 'restart';
  if (configured.previous.length === 0) return 'settled';
  return onPreviousKeys(status) > 0 ? 'reencrypt' : 'discard';
};

/** How many secrets name an older key, readable or not. */
export const onPreviousKeys = ({ keys }: SecretsStatus): number =>
  keys.filter(({ state }) => state === 'previous').reduce((sum, { count }) => sum + count, 0);

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).symmetricDifference(new Set(others)).size === 0;
