import type { SigningKeyRow } from '../database/rows.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** How long a key is published before it signs: longer than any cache keeps the published keys. */
const publicationMs = 15 * minuteMs;
/** How long a replaced key is kept: longer than any token that it signed is valid. */
const retirementMs = 2 * dayMs;

type Step = 'prepare' | 'rotate' | 'retire';

type Times = Pick<SigningKeyRow, 'state' | 'created_at' | 'activated_at' | 'retiring_since'>;

/** When the next key may begin to sign. */
export const readyAt = (next: Pick<Times, 'created_at'>): Date =>
  new Date(next.created_at.getTime() + publicationMs);

export const mayRetire = ({ state, retiring_since }: Times, now: Date): boolean =>
  state === 'retiring' && retiring_since !== null && retiring_since.getTime() + retirementMs <= now.getTime();

/**
 * What must be done with the keys now, if anything.
 * @param rotationDays null: rotated by hand only
 */
export const dueStep = (keys: readonly Times[], rotationDays: number | null, now: Date): Step | null => {
  const next = keys.find(({ state }) => state === 'next');
  const active = keys.find(({ state }) => state === 'active');
  if (!next) return 'prepare';
  const ageMs = now.getTime() - (active?.activated_at ?? now).getTime();
  if (rotationDays !== null && ageMs >= rotationDays * dayMs && readyAt(next) <= now) return 'rotate';
  return keys.some((key) => mayRetire(key, now)) ? 'retire' : null;
};
