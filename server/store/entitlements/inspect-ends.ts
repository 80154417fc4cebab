import { type Kysely, sql } from 'kysely';
import { type ComponentHealth, healthIn } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { describeLag, type Lag, overdueMs } from '../../kernel/commands/lag.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { provenBy } from './proven-end.ts';

/** Covers everything that lasts. */
interface EndsInspection extends Lag {
  /** Commands that are due or under way: to take something back, and to give it once more. */
  readonly taking: number;
  readonly giving: number;
  /** Places for which no one can tell whether they were taken back; a person decides. */
  readonly unknown: number;
}

export interface EndsReading extends EndsInspection {
  /** Since the last sign of life of the processing; null: it was never begun. */
  readonly silentMs: number | null;
  /** Deliveries are paused, and ends with them. */
  readonly isPaused: boolean;
}

/** Commands that are overdue, and what has ended without being processed. */
export const isPlaceOverdue = (now: Date) =>
  sql<boolean>`(place.state in ('taking', 'giving') and place.changed_at < ${new Date(now.getTime() - overdueMs)})`;
export const isEndOverdue = (now: Date) =>
  sql<boolean>`(lasting.ended_at is null and lasting.ends_at < ${new Date(now.getTime() - overdueMs)}
    and lasting.ends_at < ${provenBy(new Date(now.getTime() - overdueMs), sql`lasting.id`)})`;

/** Each by its partial index: most places are held or taken. */
const openPlaces = sql`
  select server_id, state, changed_at, tries from entitlement_places
   where state in ('taking', 'giving') and not is_sent
  union all select server_id, state, changed_at, tries from entitlement_places where is_sent
  union all select server_id, state, changed_at, tries from entitlement_places where state = 'unknown'`;

/** Ends, and commands for them, that are overdue on servers in use or whose outcome no one can tell. */
export const waitingRemovals = (now: Date) => sql`
  select 'removals', null, count(*), min(due.since)
    from (select place.changed_at as since
            from (${openPlaces}) as place
            join game_servers as server on server.id = place.server_id and server.archived_at is null
           where place.state = 'unknown' or ${isPlaceOverdue(now)}
          union all
          select lasting.ends_at from entitlements as lasting where ${isEndOverdue(now)}) as due`;

export const inspectEnds = async (db: Kysely<Tables>, now: Date): Promise<EndsInspection> => {
  const { rows } = await sql<Omit<EndsInspection, 'oldestDueMs'> & { readonly since: Date | null }>`
    select places.taking, places.giving, places.unknown, places.overdue + ends.overdue as overdue, places.refused,
           places.servers, least(places.since, ends.since) as since
      from (
        select (count(*) filter (where place.state = 'taking'))::int as taking,
               (count(*) filter (where place.state = 'giving'))::int as giving,
               (count(*) filter (where place.state = 'unknown'))::int as unknown,
               (count(*) filter (where ${isPlaceOverdue(now)}))::int as overdue,
               (count(*) filter (where ${isPlaceOverdue(now)} and place.tries > 0))::int as refused,
               coalesce(array_agg(distinct server.name) filter (where ${isPlaceOverdue(now)}), '{}') as servers,
               min(place.changed_at) filter (where place.state <> 'unknown') as since
          from (${openPlaces}) as place join game_servers as server on server.id = place.server_id) as places
      cross join (
        select (count(*) filter (where ${isEndOverdue(now)}))::int as overdue, min(lasting.ends_at) as since
          from entitlements as lasting where lasting.ended_at is null and lasting.ends_at <= ${now}
           and lasting.ends_at <= ${provenBy(now, sql`lasting.id`)}) as ends`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count without a row');
  const { since, ...counts } = row;
  return { ...counts, oldestDueMs: since && Math.max(0, now.getTime() - since.getTime()) };
};

/** Well: what is due was taken back, nothing waits for a person, and the next end will be seen. */
export const endsHealthOf = (reading: EndsReading): ComponentHealth => {
  const { overdue, unknown, isPaused } = reading;
  const words = [
    ...describeLag(reading, {
      notBegun: healthReasons['ends-not-followed'],
      silent: healthReasons['ends-silent'],
      overdue: healthReasons['ends-overdue'],
    }),
    ...(overdue > 0 && isPaused ? [healthReasons['deliveries-paused']] : []),
    ...(unknown > 0 ? [healthReasons['ends-for-person'](unknown)] : []),
  ];
  return healthIn(words);
};
