import { type Kysely, sql } from 'kysely';
import type { PortalTables } from '../../database/tables.ts';

export const figureDays = [30, 90, 365] as const;
export type FigureDays = (typeof figureDays)[number];

/** Days, or the months of a year, in a time zone. The last one ends with the current day. */
export interface FigureSteps {
  readonly unit: 'day' | 'month';
  readonly timeZone: string;
  /** First day of each step, for example `2026-03-29`. */
  readonly days: readonly string[];
  /** When each step begins, plus when the last one ends. A day may have 23 or 25 hours. */
  readonly bounds: readonly Date[];
}

interface StepRow {
  day: string;
  begins: Date;
  ends: Date;
}

/**
 * Computed by Postgres, which knows when a day begins in a zone, even where clocks change at midnight.
 * @param first how many days before today the range begins; negative: after it
 * @param last the same for its last day
 */
const readSteps = async (
  db: Kysely<PortalTables>,
  { unit, timeZone, first, last }: Pick<FigureSteps, 'unit' | 'timeZone'> & { first: number; last: number },
  now: Date,
): Promise<FigureSteps> => {
  const { rows } = await sql<StepRow>`
    with range as (
      select today - ${first}::int as first, today - ${last}::int as last
      from (select (${now}::timestamptz at time zone ${timeZone})::date as today) as present
    ), step as (
      select day::date as day from range, generate_series(first, last, interval '1 day') as day
      where ${unit}::text = 'day' or day::date = first or extract(day from day) = 1
    )
    select to_char(day, 'YYYY-MM-DD') as day,
      day::timestamp at time zone ${timeZone} as begins,
      coalesce(lead(day) over (order by day), (select last + 1 from range))::timestamp at time zone ${timeZone} as ends
    from step order by step.day`.execute(db);
  return {
    unit,
    timeZone,
    days: rows.map(({ day }) => day),
    bounds: [...rows.map(({ begins }) => begins), ...rows.slice(-1).map(({ ends }) => ends)],
  };
};

/** This many days, including today: as days, or a year as months, of which the first is then incomplete. */
export const stepsBack = (
  db: Kysely<PortalTables>,
  days: FigureDays,
  timeZone: string,
  now: Date,
): Promise<FigureSteps> => {
  const unit = days > 100 ? 'month' : 'day';
  return readSteps(db, { unit, timeZone, first: days - 1, last: 0 }, now);
};

/** Today and the days that follow. */
export const stepsAhead = (
  db: Kysely<PortalTables>,
  days: number,
  timeZone: string,
  now: Date,
): Promise<FigureSteps> => readSteps(db, { unit: 'day', timeZone, first: 0, last: 1 - days }, now);
