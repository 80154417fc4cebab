import type { LicenseFault, LicenseStatus } from '#contracts/license/license-state.ts';

/** What is true of a license, the first match in this order. */
type LicenseVerdict =
  | { readonly tone: 'ok'; readonly says: 'active' }
  /** Keeps working during the grace period, for this reason. */
  | { readonly tone: 'warn'; readonly says: 'unreachable' | 'clock' | 'clock-ahead' | 'not-renewed' }
  | { readonly tone: 'bad'; readonly says: 'refused'; readonly code: LicenseFault };

export const licenseVerdict = (
  status: Pick<LicenseStatus, 'state' | 'code' | 'lastCheck' | 'issuedAt' | 'clock'>,
): LicenseVerdict => {
  const { state, code, lastCheck, issuedAt, clock } = status;
  if (state === 'valid') return { tone: 'ok', says: 'active' };
  if (state !== 'grace') return { tone: 'bad', says: 'refused', code: code ?? 'LICENSE_REQUIRED' };
  if (clock.aheadSeconds !== undefined) return { tone: 'warn', says: 'clock-ahead' };
  if (lastCheck?.outcome === 'unreachable') return { tone: 'warn', says: 'unreachable' };
  // The portal's signature is later than this machine's time.
  const isBehind = issuedAt !== null && Date.parse(issuedAt) > Date.parse(clock.local);
  return { tone: 'warn', says: isBehind ? 'clock' : 'not-renewed' };
};
