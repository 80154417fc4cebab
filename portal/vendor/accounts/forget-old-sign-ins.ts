import type { Kysely } from 'kysely';
import type { Clock } from '#runtime/clock.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { PortalTables } from '../../database/tables.ts';
import { createVendorThrottle } from './attempt-budgets.ts';
import { forgetOldDevices } from './devices.ts';
import type { VendorSessions } from './vendor-sessions.ts';

const intervalMs = 10 * 60_000;

export const keepForgettingVendorSignIns = ({
  db,
  sessions,
  clock,
  log,
}: {
  readonly db: Kysely<PortalTables>;
  readonly sessions: VendorSessions;
  readonly clock: Clock;
  readonly log: Log;
}): Disposable => {
  const throttle = createVendorThrottle(db);
  const work = async () => {
    await sessions.forgetOld();
    await forgetOldDevices(db, clock.now());
    await throttle.forgetFull();
  };
  const failure = 'could not delete old vendor sign-ins';
  return runPeriodically({ intervalMs, work, failure, log });
};
