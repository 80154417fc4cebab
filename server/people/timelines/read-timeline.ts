import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type TimelineEntry, type TimelineKind, toldActs } from '#contracts/people/timelines.ts';
import { sessionInScope } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { discordJoins, discordLeaves, merges, undoneMerges } from './accounts.ts';
import { bansEnded, bansGiven, commands } from './moderation.ts';
import { points } from './points.ts';
import { deliveries, orders } from './store.ts';
import { belowFor, decodeTimelineCursor, encodeTimelineCursor } from './timeline-cursor.ts';
import {
  inScope,
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelinePosition,
  type TimelineSource,
  type Told,
  toldBy,
  toldById,
} from './timeline-source.ts';

/** What a player said, as long as the event log keeps it. */
const chat: TimelineSource = {
  rank: 2,
  kind: 'chat',
  newest: ({ seesChat, playerIds }, bounds) =>
    seesChat
      ? newestOf(
          {
            table: sql`event_logs`,
            owner: sql`payload ->> 'playerId'`,
            owners: playerIds,
            ownerType: 'text',
            at: sql`at`,
            id: sql`id`,
            where: sql`kind = 'chat.message'`,
          },
          bounds,
        )
      : null,
  async tell(db, { playerIds }, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly server_id: string | null;
      readonly player_id: string;
      readonly text: string;
    }>`
      select id, server_id, payload ->> 'playerId' as player_id, payload ->> 'text' as text from event_logs
      where kind = 'chat.message' and payload ->> 'playerId' = any (${playerIds}::text[])
        and id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, ({ server_id, player_id, text }) => ({
      type: 'said',
      serverId: server_id,
      playerId: player_id,
      text,
    }));
  },
};

/** What staff did to the person that no other source reports, from the audit log. */
const acts: TimelineSource = {
  rank: 13,
  kind: 'staff',
  newest: ({ seesActs, playerIds, memberIds }, bounds) =>
    seesActs
      ? newestOf(
          {
            table: sql`audit_logs`,
            owner: sql`target`,
            owners: [...playerIds.map((id) => `player:${id}`), ...memberIds.map((id) => `member:${id}`)],
            ownerType: 'text',
            at: sql`at`,
            id: sql`id`,
            where: sql`action = any (${toldActs}::text[])`,
          },
          bounds,
        )
      : null,
  async tell(db, _subject, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly action: (typeof toldActs)[number];
      readonly actor: string;
      readonly actor_name: string | null;
    }>`select id, action, actor, actor_name from audit_logs where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({ type: 'act', act: row.action, by: toldBy(row) }));
  },
};

const sessions =
  (at: RawBuilder<unknown>, where: RawBuilder<unknown>) => (subject: Subject, bounds: SourceBounds) =>
    newestOf(
      {
        table: sql`player_sessions`,
        owner: sql`player_id`,
        owners: subject.playerIds,
        ownerType: 'bigint',
        at,
        id: sql`id`,
        where: sql`${where} and ${inScope(subject.visits, sql`server_id`)}`,
      },
      bounds,
    );

interface VisitRow {
  readonly id: string;
  readonly server_id: string;
  readonly player_id: string;
}

const joins: TimelineSource = {
  rank: 1,
  kind: 'visits',
  newest: sessions(sql`joined_at`, sql`true`),
  async tell(db, { visits }, ids) {
    const { rows } = await sql<VisitRow & { readonly is_first: boolean }>`
      select id, server_id, player_id, not exists (
          select from player_sessions as session
          where session.player_id = visit.player_id and (session.joined_at, session.id) < (visit.joined_at, visit.id)
            and ${sessionInScope(visits, 'session')}
        ) as is_first
      from player_sessions as visit where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, ({ server_id, player_id, is_first }) => ({
      type: 'joined',
      serverId: server_id,
      playerId: player_id,
      isFirst: is_first,
    }));
  },
};

/** At the same moment, a player who left one server and joined another had left first. */
const leaves: TimelineSource = {
  rank: 0,
  kind: 'visits',
  newest: sessions(sql`left_at`, sql`left_at is not null`),
  async tell(db, _subject, ids) {
    const { rows } = await sql<VisitRow & { readonly seconds: number }>`
      select id, server_id, player_id, greatest(0, floor(extract(epoch from left_at - joined_at)))::int as seconds
      from player_sessions where id = any (${ids}::bigint[]) and left_at is not null`.execute(db);
    return toldById(rows, ({ server_id, player_id, seconds }) => ({
      type: 'left',
      serverId: server_id,
      playerId: player_id,
      playedSeconds: seconds,
    }));
  },
};

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
