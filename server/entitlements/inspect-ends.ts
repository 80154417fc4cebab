import { type Kysely, sql } from 'kysely';
import type { ComponentHealth } from '#contracts/health.ts';
import { healthReasons } from '#contracts/health-reasons.ts';
import type { Tables } from '../database/tables.ts';

/** An end that is due for longer is overdue. A game that is restarted, or refuses a few times, is back within this time. */
const overdueMs = 3_600_000;
/** Rounds come every five seconds. A round that has many ends to process reports its progress. */
const silentMs = 120_000;

/** Covers everything that lasts. */
interface EndsInspection {
  /** Commands that are due or under way: to take something back, and to give it once more. */
  readonly taking: number;
  readonly giving: number;
  /** Places for which no one can tell whether they were taken back; a person decides. */
  readonly unknown: number;
  readonly overdue: number;
  /** How many of these commands the game has refused at least once. */
  readonly refused: number;
  /** Names of servers with overdue commands. */
  readonly servers: readonly string[];
  /** How long the longest-due end has been due; null: none is. */
  readonly oldestDueMs: number | null;
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
  sql<boolean>`(lasting.ended_at is null and lasting.ends_at < ${new Date(now.getTime() - overdueMs)})`;

/** Each by its partial index: most places are held or taken. */
const openPlaces = sql`
  select server_id, state, changed_at, tries from entitlement_places
   where state in ('taking', 'giving') and not is_sent
  union all select server_id, state, changed_at, tries from entitlement_places where is_sent
  union all select server_id, state, changed_at, tries from entitlement_places where state = 'unknown'`;

export const inspectEnds = async (db: Kysely<Tables>, now: Date): Promise<EndsInspection> => {
  const { rows } = await sql<{
    readonly taking: number;
    readonly giving: number;
    readonly unknown: number;
    readonly overdue: number;
    readonly refused: number;
    readonly servers: readonly string[];
    readonly since: Date | null;
  }>`
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
          from entitlements as lasting where lasting.ended_at is null and lasting.ends_at <= ${now}) as ends`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error('a count without a row');
  const { since, ...counts } = row;
  return { ...counts, oldestDueMs: since && Math.max(0, now.getTime() - since.getTime()) };
};

const mostNamed = 5;

const ageInWords = (ms: number): string => {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 48
    ? healthReasons['oldest-hours'](hours)
    : healthReasons['oldest-days'](Math.floor(hours / 24));
};

const overdueInWords = (reading: EndsReading): readonly string[] => {
  const { overdue, oldestDueMs, refused, servers, isPaused } = reading;
  const named = servers.slice(0, mostNamed).join(', ') + (servers.length > mostNamed ? ', …' : '');
  return [
    healthReasons['ends-overdue'](overdue),
    ageInWords(oldestDueMs ?? 0),
    ...(servers.length > 0 ? [healthReasons['on-servers'](named)] : []),
    ...(refused > 0 ? [healthReasons['refused-by-game'](refused)] : []),
    ...(isPaused ? [healthReasons['deliveries-paused']] : []),
  ];
};

/** Well: what is due was taken back, nothing waits for a person, and the next end will be seen. */
export const endsHealthOf = (reading: EndsReading): ComponentHealth => {
  const { silentMs: silence, overdue, unknown } = reading;
  const words = [
    ...(silence === null ? [healthReasons['ends-not-followed']] : []),
    ...(silence !== null && silence > silentMs
      ? [healthReasons['ends-silent'](Math.round(silence / 1000))]
      : []),
    ...(overdue > 0 ? overdueInWords(reading) : []),
    ...(unknown > 0 ? [healthReasons['ends-for-person'](unknown)] : []),
  ];
  return words.length > 0 ? { status: 'degraded', detail: words.join(' ') } : { status: 'ok', detail: null };
};
