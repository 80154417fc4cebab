import type { LicenseStatus } from '../licenses/license-status.ts';

/** One transfer is free in this period. */
export const freeTransferDays = 30;
const dayMs = 86_400_000;

export interface TransferFacts {
  readonly status: LicenseStatus;
  readonly expiresAt: Date | null;
  readonly boundHwid: string | null;
  readonly pending: { readonly id: string; readonly toHwid: string } | null;
  /** When a new machine was last bound by a free transfer. */
  readonly lastFreeAt: Date | null;
  /** Granted by the vendor and not yet used. */
  readonly grants: number;
}

export type TransferRefusal =
  | {
      readonly reason: 'suspended' | 'revoked' | 'expired' | 'not-bound' | 'same-machine' | 'pending-changed';
    }
  | { readonly reason: 'too-soon'; readonly nextFreeAt: Date };

type TransferDecision =
  | { readonly outcome: 'open' }
  /** The pending one named another machine. */
  | { readonly outcome: 'correct' }
  /** The identical request was already made. */
  | { readonly outcome: 'unchanged' }
  | ({ readonly outcome: 'refuse' } & TransferRefusal);

/** When the next free transfer is available; null: now. */
export const nextFreeTransfer = (lastFreeAt: Date | null, now: Date): Date | null => {
  if (lastFreeAt === null) return null;
  const next = new Date(lastFreeAt.getTime() + freeTransferDays * dayMs);
  return next > now ? next : null;
};

/**
 * The result of a request to transfer a license.
 * @param replaces the pending transfer that the requester has seen; of two simultaneous requests, the second one is
 * refused
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

/** What a completed transfer costs: the free one whenever it is available, so that no grant is wasted. */
export const priceOfTransfer = (
  facts: Pick<TransferFacts, 'lastFreeAt' | 'grants'>,
  now: Date,
): 'free' | 'grant' =>
  nextFreeTransfer(facts.lastFreeAt, now) !== null && facts.grants > 0 ? 'grant' : 'free';
