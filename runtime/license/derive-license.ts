import { problems } from '#contracts/kernel/problems.ts';
import type { LicenseFault, LicenseState } from '#contracts/license/license-state.ts';
import type { TokenClaims } from '#contracts/license/licenses.ts';
import { isAhead } from '../is-ahead.ts';
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
  /** What the clock would show if no one had set it since this process read the token; null: not known. */
  readonly unsetMs?: number | null;
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

/** A machine that was off, or without the portal, for longer than this is rarer than a clock that is years ahead. */
const longestAwayMs = 365 * dayMs;

/**
 * How far the clock seems to be ahead, where that alone makes the token look expired, or its grace ended; null: nothing speaks for
 * it. What does: the portal's time at the last question to it, a clock that was put forward since this process read the token, or
 * years since the portal signed anything.
 */
export const clockAheadMs = ({
  record,
  nowMs,
  knownMs,
  unsetMs = null,
  graceDays,
}: LicenseFacts): number | null => {
  if (record.kind !== 'open' || record.token.kind !== 'verified') return null;
  const { claims } = record.token;
  const issuedMs = claims.iat * 1000;
  const { at = '', outcome = null, portalAt = '' } = record.lastCheck ?? {};
  const checkedMs = Date.parse(at);
  const portalMs = outcome === 'confirmed' ? issuedMs : Date.parse(portalAt);
  const byPortal = isAhead(checkedMs, portalMs) && !isAhead(checkedMs, nowMs) ? checkedMs - portalMs : 0;
  // A clock that was behind what the portal had signed, and is right now, was put forward, too.
  const wasBehind = unsetMs !== null && isAhead(knownMs ?? issuedMs, unsetMs);
  const bySetting = unsetMs !== null && isAhead(nowMs, unsetMs) && !wasBehind ? nowMs - unsetMs : 0;
  const byAge = nowMs - Math.max(issuedMs, knownMs ?? 0);
  const aheadMs = Math.max(byPortal, bySetting, byAge > longestAwayMs ? byAge : 0);
  const graceEndsMs = graceEndMs(claims, graceDays);
  const limitMs = nowMs < graceEndsMs ? claims.exp * 1000 + leewayMs : graceEndsMs;
  return aheadMs > 0 && nowMs > limitMs && nowMs - aheadMs <= limitMs ? aheadMs : null;
};

const rejected = (code: LicenseFault, detail: string): DerivedLicense => ({
  state: 'rejected',
  code,
  detail,
});

const explained = (code: LicenseFault): string => `${problems[code].meaning} ${problems[code].remedy}`;

const iso = (ms: number): string => new Date(ms).toISOString();

export const deriveLicense = (facts: LicenseFacts): DerivedLicense => {
  const { record, hwid, nowMs, knownMs, graceDays } = facts;
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
  const aheadMs = clockAheadMs(facts);
  const clocks = `It shows ${iso(nowMs)}; the portal last signed at ${iso(claims.iat * 1000)}.`;
  if (nowMs >= graceEndsMs && aheadMs !== null)
    return rejected('CLOCK_AHEAD', `${explained('CLOCK_AHEAD')} ${clocks}`);
  if (nowMs >= graceEndsMs)
    return rejected(
      'LICENSE_GRACE_ENDED',
      `Grace ended at ${iso(graceEndsMs)}. ${explained('LICENSE_GRACE_ENDED')}`,
    );

  const until = `Works until ${iso(graceEndsMs)}`;
  if (aheadMs !== null)
    return {
      state: 'grace',
      code: null,
      detail: `${until}: this computer's clock seems to be ahead. ${clocks}`,
    };
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
