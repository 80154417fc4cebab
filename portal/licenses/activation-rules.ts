import type { LicenseStatus } from './license-status.ts';

export interface ActivationFacts {
  readonly status: LicenseStatus;
  readonly expiresAt: Date | null;
  /** The machine that the license is bound to. */
  readonly boundHwid: string | null;
  /** The machine that a pending transfer names. */
  readonly transferHwid: string | null;
}

export type ActivationDecision =
  | { readonly allowed: true; readonly binding: 'first' | 'same' | 'transfer' }
  | { readonly allowed: false; readonly code: 'UNAUTHORIZED' | 'HWID_MISMATCH' };

export const decideActivation = (facts: ActivationFacts, hwid: string, now: Date): ActivationDecision => {
  const { status, expiresAt, boundHwid, transferHwid } = facts;
  const hasExpired = expiresAt !== null && expiresAt <= now;
  if (status !== 'active' || hasExpired) return { allowed: false, code: 'UNAUTHORIZED' };
  if (transferHwid !== null)
    return transferHwid === hwid
      ? { allowed: true, binding: 'transfer' }
      : { allowed: false, code: 'UNAUTHORIZED' };
  if (boundHwid === null) return { allowed: true, binding: 'first' };
  return boundHwid === hwid ? { allowed: true, binding: 'same' } : { allowed: false, code: 'HWID_MISMATCH' };
};
