import type { LicenseStatus } from '../licenses/license-status.ts';

/** One transfer is free in this time. */
export const freeTransferDays = 30;
const dayMs = 86_400_000;

export interface TransferFacts {
  readonly status: LicenseStatus;
  readonly expiresAt: Date | null;
  readonly boundHwid: string | null;
  readonly pending: { readonly id: string; readonly toHwid: string } | null;
  /** When a new machine last bound by a free transfer. */
  readonly lastFreeAt: Date | null;
  /** Given by the vendor and not yet spent. */
  readonly grants: number;
}

export type TransferRefusal =
  | {
      readonly reason: 'suspended' | 'revoked' | 'expired' | 'not-bound' | 'same-machine' | 'pending-changed';
    }
  | { readonly reason: 'too-soon'; readonly nextFreeAt: Date };

export type TransferDecision =
  | { readonly outcome: 'open' }
  /** The pending one named another machine. */
  | { readonly outcome: 'correct' }
  /** It was asked for already, word by word. */
  | { readonly outcome: 'unchanged' }
  | ({ readonly outcome: 'refuse' } & TransferRefusal);

/** When the next free transfer is to be had; null: now. */
export const nextFreeTransfer = (lastFreeAt: Date | null, now: Date): Date | null => {
  if (lastFreeAt === null) return null;
  const next = new Date(lastFreeAt.getTime() + freeTransferDays * dayMs);
  return next > now ? next : null;
};

/**
 * What becomes of a request to transfer a license.
 * @param replaces the pending transfer that whoever asks has seen; of two who ask at once the second one is told
 */
export const decideTransfer = (
  facts: TransferFacts,
  hwid: string,
  replaces: string | null,
  now: Date,
): TransferDecision => {
  const { status, expiresAt, boundHwid, pending, lastFreeAt, grants } = facts;
  if (status !== 'active') return { outcome: 'refuse', reason: status };
  if (expiresAt !== null && expiresAt <= now) return { outcome: 'refuse', reason: 'expired' };
  if (boundHwid === null && pending === null) return { outcome: 'refuse', reason: 'not-bound' };
  if (pending?.toHwid === hwid) return { outcome: 'unchanged' };
  if (boundHwid === hwid) return { outcome: 'refuse', reason: 'same-machine' };
  if ((pending?.id ?? null) !== replaces) return { outcome: 'refuse', reason: 'pending-changed' };
  if (pending !== null) return { outcome: 'correct' };
  const nextFreeAt = nextFreeTransfer(lastFreeAt, now);
  if (nextFreeAt !== null && grants === 0) return { outcome: 'refuse', reason: 'too-soon', nextFreeAt };
  return { outcome: 'open' };
};

/** What a completed transfer costs: the free one whenever there is one, so that a grant is not spent in vain. */
export const priceOfTransfer = (
  facts: Pick<TransferFacts, 'lastFreeAt' | 'grants'>,
  now: Date,
): 'free' | 'grant' =>
  nextFreeTransfer(facts.lastFreeAt, now) !== null && facts.grants > 0 ? 'grant' : 'free';
