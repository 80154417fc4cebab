import { type Kysely, sql } from 'kysely';
import { type LicenseStatus, licenseEndsSoonMs } from '#contracts/license/license-state.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';

/** Records once for each end of a license that it is near, however many processes ask. */
export const announceLicenseEnd = async (
  db: Kysely<Tables>,
  { endsAt }: Pick<LicenseStatus, 'endsAt'>,
  nowMs: number,
): Promise<void> => {
  if (endsAt == null) return;
  const leftMs = Date.parse(endsAt) - nowMs;
  if (leftMs <= 0 || leftMs > licenseEndsSoonMs) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('license.ends-soon'))`.execute(trx);
    const announced = await trx
      .selectFrom('event_logs')
      .select('id')
      .where('kind', '=', 'license.ends-soon')
      .where(sql<boolean>`payload ->> 'endsAt' = ${endsAt}`)
      .executeTakeFirst();
    if (announced === undefined) await recordEvent(trx, 'license.ends-soon', { endsAt });
  });
};

const lookMs = 5 * 60_000;

/** Looks from time to time, once the database can be used. */
export const watchLicenseEnd = ({
  db,
  status,
  obstacle,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly status: () => LicenseStatus;
  /** Why the database cannot be used yet; null: it can. */
  readonly obstacle: () => string | null;
  readonly log: Log;
}): Disposable =>
  runPeriodically({
    intervalMs: lookMs,
    work: async () => {
      if (obstacle() === null) await announceLicenseEnd(db, status(), Date.now());
    },
    failure: 'could not record that the license is about to end',
    log,
  });
