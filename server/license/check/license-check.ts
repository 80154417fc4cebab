import type { Kysely } from 'kysely';
import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** The portal limits requests per address, and must leave room for the daily check. */
const apartMs = 10_000;

/** The question to the portal that people cause: one at a time, and 10 s apart. */
export interface PortalQuestion {
  readonly status: () => LicenseStatus;
  /** Until the portal may be asked again; 0 while a question runs that a caller can share. */
  waitMs(): number;
  /**
   * Asks, or shares the running question.
   * @param unlessAsked skips the portal if any process of the installation has asked within 10 s
   */
  ask(options?: { readonly unlessAsked?: boolean }): Promise<LicenseStatus>;
}

export const createPortalQuestion = (
  license: Pick<LicenseClient, 'status' | 'checkNow'>,
  /** Monotonic milliseconds. */
  now: () => number = () => performance.now(),
): PortalQuestion => {
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  const ask = singleFlight(({ unlessAsked = false }: { readonly unlessAsked?: boolean } = {}) =>
    license.checkNow(unlessAsked ? { apartMs } : {}).finally(() => {
      answeredAtMs = now();
    }),
  );
  return {
    status: license.status,
    waitMs: () => (ask.underWay() ? 0 : Math.max(0, answeredAtMs + apartMs - now())),
    ask,
  };
};

/** Asks the portal because an admin wants it now. */
export const checkLicense = async (
  { db, portal }: { readonly db: Kysely<Tables>; readonly portal: PortalQuestion },
  { actor, address }: AuditContext,
): Promise<LicenseStatus | Refusal> => {
  const waitMs = portal.waitMs();
  if (waitMs > 0)
    return { ...refuse('RATE_LIMITED', 'The portal was asked just now.'), retryAfterMs: waitMs };
  const before = inAudit(portal.status());
  const status = await portal.ask();
  await recordAudit(db, {
    actor,
    address,
    action: 'license.check',
    target: null,
    before,
    after: inAudit(status),
  });
  return status;
};

const inAudit = ({ state, code, lastCheck, notSaved }: LicenseStatus) => ({
  state,
  code,
  outcome: lastCheck?.outcome ?? null,
  ...(notSaved !== undefined && { notSaved }),
});
