import type { LicenseFault, LicenseState } from '#contracts/license-state.ts';
import type { TokenClaims } from '#contracts/licenses.ts';
import { problems } from '#contracts/problems.ts';
import type { LicenseRecord } from './record/license-record.ts';
import { explainForeign, type TokenReading } from './token.ts';

/** Everything that determines the state of a license. */
export interface LicenseFacts {
  readonly record:
    | { readonly kind: 'absent' }
    | { readonly kind: 'unreadable'; readonly detail: string }
    /** Its seals do not open on this machine. */
    | { readonly kind: 'sealed' }
    | {
        readonly kind: 'open';
        readonly token: TokenReading;
        readonly tenantId: string;
        readonly refusal: LicenseRecord['refusal'];
        readonly lastCheck: LicenseRecord['lastCheck'];
      };
  /** Null when the machine has no usable identifier. */
  readonly hwid: string | null;
  readonly nowMs: number;
  /** The latest time known to have passed: the token's issue plus the time since we received it. */
  readonly knownMs: number | null;
  readonly graceDays: number;
}

export interface DerivedLicense {
  readonly state: LicenseState;
  /** Present when unlicensed or rejected. */
  readonly code: LicenseFault | null;
  readonly detail: string;
}

/** How far the clocks of portal and installation may differ. */
const leewayMs = 5 * 60_000;
const rollbackToleranceMs = 10 * 60_000;
const dayMs = 86_400_000;

export const graceEndMs = (claims: TokenClaims, graceDays: number): number =>
  claims.exp * 1000 + graceDays * dayMs;

/** The moments at which time alone changes the state. */
export const turningPointsMs = (claims: TokenClaims, graceDays: number): readonly number[] => [
  claims.iat * 1000 - leewayMs,
  claims.exp * 1000 + leewayMs + 1,
  graceEndMs(claims, graceDays),
];

const rejected = (code: LicenseFault, detail: string): DerivedLicense => ({
  state: 'rejected',
  code,
  detail,
});

const explained = (code: LicenseFault): string => `${problems[code].meaning} ${problems[code].remedy}`;

const iso = (ms: number): string => new Date(ms).toISOString();

export const deriveLicense = ({ record, hwid, nowMs, knownMs, graceDays }: LicenseFacts): DerivedLicense => {
  if (record.kind === 'absent') {
    const code = hwid === null ? 'HWID_UNAVAILABLE' : 'LICENSE_REQUIRED';
    return { state: 'unlicensed', code, detail: explained(code) };
  }
  if (record.kind === 'unreadable')
    return rejected('LICENSE_RECORD_UNUSABLE', `${record.detail} Activate the license again.`);
  if (record.kind === 'sealed') {
    const code = hwid === null ? 'HWID_UNAVAILABLE' : 'LICENSE_RECORD_UNUSABLE';
    return rejected(code, explained(code));
  }

  const { token, tenantId, refusal, lastCheck } = record;
  if (token.kind === 'foreign') {
    const { remedy } = problems.LICENSE_WRONG_ENVIRONMENT;
    const detail = explainForeign(token.kid, token.reason);
    return rejected('LICENSE_WRONG_ENVIRONMENT', token.reason === 'unknown' ? `${detail} ${remedy}` : detail);
  }
  if (token.kind === 'invalid')
    return rejected(
      'LICENSE_RECORD_UNUSABLE',
      `The record was edited: ${token.detail}. Activate the license again.`,
    );
  const { claims } = token;
  if (claims.hwid !== hwid || claims.tenantId !== tenantId)
    return rejected('LICENSE_RECORD_UNUSABLE', explained('LICENSE_RECORD_UNUSABLE'));
  if (refusal !== null) return rejected(refusal.code, refusal.detail || explained(refusal.code));
  if (knownMs !== null && nowMs < knownMs - rollbackToleranceMs)
    return rejected('CLOCK_ROLLED_BACK', explained('CLOCK_ROLLED_BACK'));
  const graceEndsMs = graceEndMs(claims, graceDays);
  if (nowMs >= graceEndsMs)
    return rejected(
      'LICENSE_GRACE_ENDED',
      `Grace ended at ${iso(graceEndsMs)}. ${explained('LICENSE_GRACE_ENDED')}`,
    );

  const until = `Works until ${iso(graceEndsMs)}`;
  if (lastCheck?.outcome === 'unreachable')
    return {
      state: 'grace',
      code: null,
      detail: `${until} unless the portal confirms the license: ${lastCheck.detail}`,
    };
  if (nowMs > claims.exp * 1000 + leewayMs)
    return {
      state: 'grace',
      code: null,
      detail: `${until}: the license token has expired and was not renewed.`,
    };
  if (claims.iat * 1000 > nowMs + leewayMs)
    return { state: 'grace', code: null, detail: `${until}: this machine's clock is behind the portal's.` };
  return {
    state: 'valid',
    code: null,
    detail: `Confirmed; the token holds until ${iso(claims.exp * 1000)}.`,
  };
};
