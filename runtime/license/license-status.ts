import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { TokenClaims } from '#contracts/license/licenses.ts';
import { customerAreaPath } from '#contracts/portal/customers.ts';
import { clockAheadMs, deriveLicense, graceEndMs, type LicenseFacts } from './derive-license.ts';
import type { LicenseView } from './license-view.ts';

/** The claims that are valid for this machine; null when there are none. */
export const claimsOf = ({ opened }: LicenseView): TokenClaims | null =>
  opened?.token.kind === 'verified' && opened.token.claims.hwid === opened.identity.hwid
    ? opened.token.claims
    : null;

const recordFacts = ({ snapshot, opened }: LicenseView): LicenseFacts['record'] => {
  if (snapshot.kind !== 'record') return snapshot;
  if (opened === null) return { kind: 'sealed' };
  const { tenantId, refusal, lastCheck } = opened.record;
  return { kind: 'open', token: opened.token, tenantId, refusal, lastCheck };
};

const iso = (ms: number): string => new Date(ms).toISOString();
const isoOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : iso(ms));

export const licenseStatusOf = ({
  view,
  nowMs,
  knownMs,
  unsetMs,
  graceDays,
  nextCheckAtMs,
  portalUrl,
}: {
  readonly view: LicenseView;
  readonly nowMs: number;
  readonly knownMs: number | null;
  readonly unsetMs: number | null;
  readonly graceDays: number;
  readonly nextCheckAtMs: number | null;
  readonly portalUrl: string;
}): LicenseStatus => {
  const hwid = view.identity?.hwid ?? null;
  const claims = claimsOf(view);
  const endsAt = view.opened?.record.endsAt;
  const facts = { record: recordFacts(view), hwid, nowMs, knownMs, unsetMs, graceDays };
  const aheadMs = clockAheadMs(facts);
  return {
    ...deriveLicense(facts),
    hwid,
    licenseId: claims?.sub ?? null,
    tenantId: claims?.tenantId ?? null,
    tier: claims?.tier ?? null,
    features: claims?.features ?? [],
    maxClusters: claims?.maxClusters ?? null,
    issuedAt: isoOrNull(claims && claims.iat * 1000),
    expiresAt: isoOrNull(claims && claims.exp * 1000),
    graceEndsAt: isoOrNull(claims && graceEndMs(claims, graceDays)),
    lastCheck: view.opened?.record.lastCheck ?? null,
    nextCheckAt: isoOrNull(nextCheckAtMs),
    ...(claims && endsAt !== undefined && { endsAt }),
    customerAreaUrl: portalUrl.replace(/\/*$/, customerAreaPath),
    clock: {
      local: iso(nowMs),
      known: isoOrNull(knownMs),
      ...(aheadMs !== null && { aheadSeconds: Math.round(aheadMs / 1000) }),
    },
  };
};
