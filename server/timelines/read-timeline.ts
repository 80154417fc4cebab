import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { TimelineEntry, TimelineKind } from '#contracts/timelines.ts';
import type { Tables } from '../database/tables.ts';
import { discordJoins, discordLeaves, merges, undoneMerges } from './accounts.ts';
import { acts } from './acts.ts';
import { chat } from './chat.ts';
import { bansEnded, bansGiven, commands } from './moderation.ts';
import { points } from './points.ts';
import { deliveries, orders } from './store.ts';
import { belowFor, decodeTimelineCursor, encodeTimelineCursor } from './timeline-cursor.ts';
import type { Subject, TimelinePosition, TimelineSource, Told } from './timeline-source.ts';
import { joins, leaves } from './visits.ts';

const sources: readonly TimelineSource[] = [
  leaves,
  joins,
  chat,
  bansGiven,
  bansEnded,
  commands,
  orders,
  deliveries,
  points,
  merges,
  undoneMerges,
  discordJoins,
  discordLeaves,
  acts,
];

const dayMs = 86_400_000;

export interface TimelineQuery {
  readonly kind?: readonly TimelineKind[] | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Expired entries are not shown, deleted or not. */
export interface Retention {
  readonly auditDays: number;
  readonly eventDays: number;
}

export interface TimelinePage {
  readonly rows: TimelineEntry[];
  readonly nextCursor: string | null;
}

const sinceOf = (
  source: TimelineSource,
  from: string | undefined,
  { auditDays, eventDays }: Retention,
): Date => {
  const days = source === chat ? eventDays : source === commands || source === acts ? auditDays : null;
  const kept = days === null ? 0 : Date.now() - days * dayMs;
  return new Date(Math.max(kept, from === undefined ? 0 : Date.parse(from)));
};

/** The newest rows of each source, positions only, merged in one statement; null when no source is requested. */
export const newestPositions = (
  subject: Subject,
  { kind, from, to, cursor, limit }: TimelineQuery,
  retention: Retention,
): RawBuilder<TimelinePosition> | null => {
  const end = to === undefined ? null : { at: new Date(to), rank: -1, id: '0' };
  const position = cursor === undefined ? end : decodeTimelineCursor(cursor);
  const pieces = sources
    .filter((source) => kind === undefined || kind.includes(source.kind))
    .flatMap((source) => {
      const bounds = {
        below: belowFor(source.rank, position),
        since: sinceOf(source, from, retention),
        limit: limit + 1,
      };
      const newest = source.newest(subject, bounds);
      return newest ? [sql`select at, ${source.rank}::int as rank, id from (${newest}) as source`] : [];
    });
  if (pieces.length === 0) return null;
  return sql<TimelinePosition>`
    select at, rank, id from (${sql.join(pieces, sql` union all `)}) as entry
    order by at desc, rank desc, id desc limit ${limit + 1}`;
};

/**
 * One page, newest first. Its position depends only on the row in the cursor, so rows inserted in between cause neither
 * repeats nor gaps.
 */
export const readTimeline = async (
  db: Kysely<Tables>,
  subject: Subject,
  query: TimelineQuery,
  retention: Retention,
): Promise<TimelinePage> => {
  const found = (await newestPositions(subject, query, retention)?.execute(db))?.rows ?? [];
  const shown = found.slice(0, query.limit);
  const byRank = Map.groupBy(shown, ({ rank }) => rank);
  const told = new Map<number, ReadonlyMap<string, Told>>();
  for (const source of sources) {
    const ids = byRank.get(source.rank)?.map(({ id }) => id);
    if (ids) told.set(source.rank, await source.tell(db, subject, ids));
  }
  const last = found.length > query.limit ? shown.at(-1) : undefined;
  return {
    // A row that has disappeared since its position was read is left out.
    rows: shown.flatMap(({ at, rank, id }): TimelineEntry[] => {
      const says = told.get(rank)?.get(id);
      return says ? [{ ...says, id: `${rank}-${id}`, at: at.toISOString() }] : [];
    }),
    nextCursor: last ? encodeTimelineCursor(last) : null,
  };
};
