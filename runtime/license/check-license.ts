import type { TokenClaims } from '#contracts/license/licenses.ts';
import { graceEndMs } from './derive-license.ts';
import type { OpenedRecord } from './license-view.ts';
import type { Answer, PortalClient } from './portal/portal-client.ts';
import type { LicenseRecord } from './record/license-record.ts';
import { openLicenseKey } from './record/license-record.ts';
import type { NewRecord } from './record/record-store.ts';

export interface Installation {
  readonly instanceId: string;
  readonly version: string;
}

/** Asks whether the license is still valid. A token that proves nothing any more is replaced once, using the stored key. */
export const askPortal = async (
  { record, identity }: OpenedRecord,
  {
    portal,
    installation,
    stop,
  }: { readonly portal: PortalClient; readonly installation: Installation; readonly stop: AbortSignal },
): Promise<Answer> => {
  const { hwid, secret } = identity;
  const { tenantId, token } = record;
  const answer = await portal.validate({ tenantId, token, hwid }, stop);
  if (answer.outcome !== 'unauthorized') return answer;
  const licenseKey = openLicenseKey(record, secret);
  if (licenseKey === null) return answer;
  return portal.activate({ licenseKey, hwid, ...installation }, stop);
};

/** The record after the portal's answer; `at` is ISO 8601. The seals stay unchanged. */
export const recordAfter = (record: LicenseRecord, answer: Answer, at: string): NewRecord => {
  switch (answer.outcome) {
    case 'confirmed':
      return {
        ...record,
        token: answer.token,
        tenantId: answer.claims.tenantId,
        endsAt: answer.endsAt,
        refusal: null,
        lastCheck: { at, outcome: 'confirmed', detail: null },
      };
    case 'refused': {
      const { code, detail } = answer;
      return { ...record, refusal: { code, at, detail }, lastCheck: { at, outcome: 'refused', detail } };
    }
    default: {
      const portalAt = answer.outcome === 'unreachable' ? answer.portalAt : undefined;
      const heard = portalAt === undefined ? {} : { portalAt };
      return { ...record, lastCheck: { at, outcome: 'unreachable', detail: answer.detail, ...heard } };
    }
  }
};

/** The moment when an answer arrives: the token held then, and what counts as too late. */
export interface Arrival {
  readonly held: TokenClaims | null;
  readonly nowMs: number;
  readonly graceDays: number;
}

/**
 * A token that is past its grace when it arrives (a replayed old answer, a portal whose clock is wrong) does not replace one that
 * lasts longer: the portal then counts as unreachable.
 */
export const ofUse = (answer: Answer, { held, nowMs, graceDays }: Arrival): Answer => {
  if (answer.outcome !== 'confirmed' || held === null || answer.claims.exp > held.exp) return answer;
  if (graceEndMs(answer.claims, graceDays) > nowMs) return answer;
  const expiredAt = new Date(answer.claims.exp * 1000).toISOString();
  return {
    outcome: 'unreachable',
    portalAt: new Date(answer.claims.iat * 1000).toISOString(),
    detail: `The portal answered with a token that expired at ${expiredAt}; the clock of this machine or of the portal is wrong.`,
  };
};
