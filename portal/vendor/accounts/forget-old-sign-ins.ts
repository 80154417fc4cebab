import { type Kysely, sql } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { Clock } from '../../clock.ts';
import type { PortalTables } from '../../database/tables.ts';
import { longestRefillSeconds } from './attempt-budgets.ts';
import { forgetOldDevices } from './devices.ts';
import type { VendorSessions } from './vendor-sessions.ts';

const intervalMs = 10 * 60_000;

export interface Forgetting {
  readonly db: Kysely<PortalTables>;
  readonly sessions: VendorSessions;
  readonly clock: Clock;
  readonly log: Log;
}

/** Each portal process does this; none minds that another one has done it already. */
export const keepForgettingVendorSignIns = ({ db, sessions, clock, log }: Forgetting): Disposable => {
  const forget = async () => {
    await sessions.forgetOld();
    await forgetOldDevices(db, clock.now());
    // One that is being counted is left for the next time: waiting for it here could close a circle.
    await sql`
      delete from vendor_attempts where (scope, subject) in (
        select scope, subject from vendor_attempts
        where counted_at < now() - make_interval(secs => ${longestRefillSeconds})
        for update skip locked
      )`.execute(db);
  };
  const timer = setInterval(() => {
    forget().catch((error: unknown) =>
      log.warn({ err: error }, 'old sign-ins of the vendor could not be deleted'),
    );
  }, intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
