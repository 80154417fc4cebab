import { type Kysely, sql } from 'kysely';
import type { ComponentHealth } from '#contracts/health.ts';
import type { Tables } from '../database/tables.ts';

/** An end that is due for longer is overdue. A game that is restarted, or refuses a few times, has come back by then. */
const overdueMs = 3_600_000;
/** Rounds come every five seconds. One that has many ends to follow shows that it gets on. */
const silentMs = 120_000;

/** Of all that lasts. */
interface EndsInspection {
  /** Commands that are to be sent or are under way: to take something back, and to give it once more. */
  readonly taking: number;
  readonly giving: number;
  /** Places of which no one can tell whether they were taken back; a person decides. */
  readonly unknown: number;
  readonly overdue: number;
  /** Of these, commands that the game has refused at least once. */
  readonly refused: number;
  /** Names of servers with overdue commands. */
  readonly servers: readonly string[];
  /** How long the end that is due for longest has been due; null: none is. */
  readonly oldestDueMs: number | null;
}

export interface EndsReading extends EndsInspection {
  /** Since the last sign of life of what follows them; null: it was never begun. */
  readonly silentMs: number | null;
  /** Deliveries are paused, and ends with them. */
  readonly isPaused: boolean;
}

/** Commands that are overdue, and what has ended without being followed. */
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

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const ageInWords = (ms: number): string => {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
};

const overdueInWords = ({ overdue, oldestDueMs, refused, servers, isPaused }: EndsReading): string => {
  const named = servers.slice(0, mostNamed).join(', ') + (servers.length > mostNamed ? ', …' : '');
  return [
    `${counted(overdue, 'end or renewal is', 'ends or renewals are')} overdue, the oldest for ${ageInWords(oldestDueMs ?? 0)}`,
    ...(servers.length > 0 ? [`on ${named}`] : []),
    ...(refused > 0 ? [`${refused} refused by the game`] : []),
    ...(isPaused ? ['deliveries are paused'] : []),
  ].join('; ');
};

/** Well: what is due was taken back, nothing waits for a person, and the next end will be seen. */
export const endsHealthOf = (reading: EndsReading): ComponentHealth => {
  const { silentMs: silence, overdue, unknown } = reading;
  const words = [
    ...(silence === null ? ['ends are not followed yet'] : []),
    ...(silence !== null && silence > silentMs
      ? [`ends were not followed for ${Math.round(silence / 1000)} s`]
      : []),
    ...(overdue > 0 ? [overdueInWords(reading)] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'end waits', 'ends wait')} for a person`] : []),
  ];
  return words.length > 0 ? { status: 'degraded', detail: words.join('; ') } : { status: 'ok', detail: null };
};
