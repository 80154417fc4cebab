import type { Kysely } from 'kysely';
import type { LicenseStatus } from '#contracts/license-state.ts';
import type { LicenseClient } from '#runtime/license/license-client.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';

/** The portal limits requests per address, and must leave room for the daily check. */
const apartMs = 10_000;

/** Asks the portal because an admin wants it now: concurrent callers share one request. */
export type LicenseCheck = (by: AuditContext) => Promise<LicenseStatus | Refusal>;

export const createLicenseCheck = ({
  db,
  license,
  now = () => performance.now(),
}: {
  readonly db: Kysely<Tables>;
  readonly license: Pick<LicenseClient, 'status' | 'checkNow'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}): LicenseCheck => {
  let running: Promise<LicenseStatus> | null = null;
  let answeredAtMs = Number.NEGATIVE_INFINITY;

  return async ({ actor, address }) => {
    const waitMs = answeredAtMs + apartMs - now();
    if (!running && waitMs > 0)
      return { ...refuse('RATE_LIMITED', 'The portal was asked just now.'), retryAfterMs: waitMs };
    const before = inAudit(license.status());
    running ??= license.checkNow().finally(() => {
      running = null;
      answeredAtMs = now();
    });
    const status = await running;
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
};

const inAudit = ({ state, code, lastCheck, notSaved }: LicenseStatus) => ({
  state,
  code,
  outcome: lastCheck?.outcome ?? null,
  ...(notSaved !== undefined && { notSaved }),
});
