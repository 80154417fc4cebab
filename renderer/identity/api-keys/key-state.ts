import type { ApiKey } from '#contracts/identity/api-keys.ts';
import type { Tone } from '../../kit/design/state-label.tsx';

type KeyState = 'valid' | 'soon' | 'expired';

const dayMs = 86_400_000;
/** Enough time to create another one and to install it where the old one is. */
const soonDays = 14;

export const keyState = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, nowMs: number): KeyState => {
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return 'expired';
  return leftMs <= soonDays * dayMs ? 'soon' : 'valid';
};

export const keyTones = { valid: 'ok', soon: 'warn', expired: 'bad' } as const satisfies Record<
  KeyState,
  Tone
>;
