import { capExpiry } from '#contracts/license/licenses.ts';

export const licenseStatuses = ['active', 'suspended', 'revoked'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

export interface StatusChange {
  readonly allowed: true;
  readonly status: LicenseStatus;
}
interface NewExpiry {
  readonly allowed: true;
  readonly expiresAt: Date;
}
/** Why the vendor cannot make this change to a license; pages phrase it in the reader's language. */
export type RefusedChange =
  | 'not-active'
  | 'not-suspended'
  | 'revoked'
  | 'no-expiry'
  | 'not-later'
  | 'not-bound'
  | 'changed-meanwhile';

export interface Refusal {
  readonly allowed: false;
  readonly code: RefusedChange;
  /** For people. */
  readonly reason: string;
}

const refuse = (code: RefusedChange, reason: string): Refusal => ({ allowed: false, code, reason });

export const decideSuspension = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'active'
    ? { allowed: true, status: 'suspended' }
    : refuse('not-active', `The license is ${status}; only an active one can be suspended.`);

export const decideResumption = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'suspended'
    ? { allowed: true, status: 'active' }
    : refuse('not-suspended', `The license is ${status}; only a suspended one can be resumed.`);

/** Revocation is final. */
export const decideRevocation = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'revoked'
    ? refuse('revoked', 'The license is revoked already.')
    : { allowed: true, status: 'revoked' };

/** A date, or this many days after the current expiry (after now, if it has passed). */
export type Extension = { readonly until: Date } | { readonly days: number };

const dayMs = 86_400_000;

export const decideExtension = (
  license: { readonly status: LicenseStatus; readonly expiresAt: Date | null },
  extension: Extension,
  now: Date,
): NewExpiry | Refusal => {
  const { status, expiresAt } = license;
  if (status === 'revoked') return refuse('revoked', 'The license is revoked; it cannot be extended.');
  if (expiresAt === null)
    return refuse('no-expiry', 'The license has no expiry date; there is nothing to extend.');
  const start = Math.max(expiresAt.getTime(), now.getTime());
  const wanted = 'until' in extension ? extension.until : new Date(start + extension.days * dayMs);
  const until = capExpiry(wanted);
  if (until.getTime() <= start)
    return refuse('not-later', `The new date must be later than ${new Date(start).toISOString()}.`);
  return { allowed: true, expiresAt: until };
};
