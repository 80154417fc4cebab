import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/**
 * Turns a time zone of the settings into one for Postgres. Both know the IANA names; abbreviations such as `IST` mean
 * different zones to each, so Intl's name is used. Postgres would read an offset such as `+03:00` like POSIX, with the sign
 * reversed.
 */
export const postgresZone = (zone: string): string => {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(timeZone) ?? [];
  return hours === undefined ? timeZone : `<zone>${sign === '+' ? '-' : '+'}${hours}:${minutes}`;
};

/** The community's day that a moment belongs to. */
export const dayAt = (at: RawBuilder<unknown>, zone: string): RawBuilder<string> =>
  sql<string>`((${at}) at time zone ${postgresZone(zone)})::date`;

interface CommunityDay {
  /** Such as 2026-11-26. */
  readonly day: string;
  /** Where midnight is skipped, the day begins with its first existing hour. */
  readonly nextAt: Date;
}

export const readDay = async (db: Kysely<Tables>, zone: string, at: Date): Promise<CommunityDay> => {
  const { rows } = await sql<{ day: string; next_at: Date }>`
    select day::text as day, (day + 1)::timestamp at time zone ${postgresZone(zone)} as next_at
    from (select ${dayAt(sql`${at}::timestamptz`, zone)} as day) as today`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database names no day');
  return { day: row.day, nextAt: row.next_at };
};
