import { type Kysely, sql } from 'kysely';
import { capExpiry } from '#contracts/license/licenses.ts';
import type { PortalTables } from '../database/tables.ts';

/** Days in a time zone, computed by Postgres only, which also uses them for the figures. */
export interface VendorCalendar {
  /** For example `2026-03-29`. */
  today(timeZone: string): Promise<string>;
  /** Midnight at the end of the day; for the very last days, the latest expiry. @param day an existing day such as `2026-03-29` */
  endOf(day: string, timeZone: string): Promise<Date>;
}

export const createVendorCalendar = (db: Kysely<PortalTables>, now: () => Date): VendorCalendar => ({
  async today(timeZone) {
    const { rows } = await sql<{ day: string }>`
      select to_char(${now()}::timestamptz at time zone ${timeZone}, 'YYYY-MM-DD') as day`.execute(db);
    return rows[0]?.day ?? '';
  },
  async endOf(day, timeZone) {
    const { rows } = await sql<{ at: Date }>`
      select (${day}::date + 1)::timestamp at time zone ${timeZone} as at`.execute(db);
    if (!rows[0]) throw new Error('a day has no end');
    return capExpiry(rows[0].at);
  },
});

/** Whether Postgres knows the zone by this name: Node's zones may be newer than those of the database. */
export const isKnownZone = async (db: Kysely<PortalTables>, timeZone: string): Promise<boolean> => {
  const { rows } = await sql`select from pg_timezone_names where name = ${timeZone}`.execute(db);
  return rows.length > 0;
};
