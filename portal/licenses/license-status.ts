export const licenseStatuses = ['active', 'suspended', 'revoked'] as const;
export type LicenseStatus = (typeof licenseStatuses)[number];

export interface StatusChange {
  readonly allowed: true;
  readonly status: LicenseStatus;
}
export interface NewExpiry {
  readonly allowed: true;
  readonly expiresAt: Date;
}
export interface Refusal {
  readonly allowed: false;
  /** For people. */
  readonly reason: string;
}

const refuse = (reason: string): Refusal => ({ allowed: false, reason });

export const decideSuspension = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'active'
    ? { allowed: true, status: 'suspended' }
    : refuse(`The license is ${status}; only an active one can be suspended.`);

export const decideResumption = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'suspended'
    ? { allowed: true, status: 'active' }
    : refuse(`The license is ${status}; only a suspended one can be resumed.`);

/** Revocation is final: nothing leads out of it. */
export const decideRevocation = (status: LicenseStatus): StatusChange | Refusal =>
  status === 'revoked' ? refuse('The license is revoked already.') : { allowed: true, status: 'revoked' };

/** A date, or so many days after the present expiry (after now, where that has passed). */
export type Extension = { readonly until: Date } | { readonly days: number };

const dayMs = 86_400_000;

export const decideExtension = (
  license: { readonly status: LicenseStatus; readonly expiresAt: Date | null },
  extension: Extension,
  now: Date,
): NewExpiry | Refusal => {
  const { status, expiresAt } = license;
  if (status === 'revoked') return refuse('The license is revoked; it cannot be extended.');
  if (expiresAt === null) return refuse('The license has no expiry date; there is nothing to extend.');
  const start = Math.max(expiresAt.getTime(), now.getTime());
  const until = 'until' in extension ? extension.until : new Date(start + extension.days * dayMs);
  if (until.getTime() <= start)
    return refuse(`The new date must be later than ${new Date(start).toISOString()}.`);
  return { allowed: true, expiresAt: until };
};
