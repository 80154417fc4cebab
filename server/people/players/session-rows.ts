import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { OngoingSession } from './player-session.ts';

type Trx = Kysely<Tables>;

/** Players and their names were seen as long as `sessions` say. */
const seenLast = sql.raw(`seen as (
    update players set last_seen_at = latest.at
    from (select player_id, max(at) as at from sessions group by player_id) as latest
    where players.id = latest.player_id and players.last_seen_at < latest.at
    returning players.id, players.name, latest.at
  )
  update player_names set last_seen_at = seen.at from seen
  where player_names.player_id = seen.id and player_names.name = seen.name and player_names.last_seen_at < seen.at`);

interface ClosedSession {
  readonly sessionId: string;
  readonly playerId: string;
  readonly confirmedAt: Date;
  readonly leftAt: Date;
}

export const closeSessions = async (trx: Trx, closed: readonly ClosedSession[]): Promise<void> => {
  if (closed.length === 0) return;
  await sql`
    with closed as (
      select * from unnest(
        ${closed.map(({ sessionId }) => sessionId)}::bigint[],
        ${closed.map(({ confirmedAt }) => confirmedAt)}::timestamptz[],
        ${closed.map(({ leftAt }) => leftAt)}::timestamptz[]
      ) as closed (id, confirmed_at, left_at)
    ), sessions as (
      update player_sessions set left_at = closed.left_at, confirmed_at = closed.confirmed_at from closed
      where player_sessions.id = closed.id and player_sessions.left_at is null
      returning player_id, player_sessions.left_at as at
    ), ${seenLast}`.execute(trx);
};

interface NewSession {
  readonly playerId: string;
  readonly handle: string;
  readonly joinedAt: Date;
  readonly confirmedAt: Date;
  /** Null: it is open. */
  readonly leftAt: Date | null;
}

/** @returns the ids of the open ones, by player */
export const insertSessions = async (
  trx: Trx,
  serverId: string,
  sessions: readonly NewSession[],
): Promise<ReadonlyMap<string, string>> => {
  if (sessions.length === 0) return new Map();
  const { rows } = await sql<{ id: string; player_id: string; left_at: Date | null }>`
    insert into player_sessions (player_id, server_id, handle, joined_at, confirmed_at, left_at)
    select player_id, ${serverId}, handle, joined_at, confirmed_at, left_at
    from unnest(
      ${sessions.map(({ playerId }) => playerId)}::bigint[], ${sessions.map(({ handle }) => handle)}::text[],
      ${sessions.map(({ joinedAt }) => joinedAt)}::timestamptz[],
      ${sessions.map(({ confirmedAt }) => confirmedAt)}::timestamptz[],
      ${sessions.map(({ leftAt }) => leftAt)}::timestamptz[]
    ) as fresh (player_id, handle, joined_at, confirmed_at, left_at)
    on conflict (server_id, player_id) where left_at is null do update set handle = excluded.handle
    returning id, player_id, left_at`.execute(trx);
  return new Map(rows.flatMap(({ id, player_id, left_at }) => (left_at ? [] : [[player_id, id]])));
};

export const changeHandles = async (
  trx: Trx,
  changed: readonly { readonly sessionId: string; readonly handle: string }[],
): Promise<void> => {
  for (const { sessionId, handle } of changed)
    await trx.updateTable('player_sessions').set({ handle }).where('id', '=', sessionId).execute();
};

/** Stores until when open sessions were confirmed, all in one statement. */
export const confirmSessions = async (
  db: Trx,
  confirmed: readonly { readonly sessionId: string; readonly confirmedAt: Date }[],
): Promise<void> => {
  if (confirmed.length === 0) return;
  await sql`
    with confirmed as (
      select * from unnest(
        ${confirmed.map(({ sessionId }) => sessionId)}::bigint[],
        ${confirmed.map(({ confirmedAt }) => confirmedAt)}::timestamptz[]
      ) as confirmed (id, at)
    ), sessions as (
      update player_sessions set confirmed_at = confirmed.at from confirmed
      where player_sessions.id = confirmed.id and left_at is null
      returning player_id, confirmed_at as at
    ), ${seenLast}`.execute(db);
};

/** The sessions that were open when the process ended, by server. */
export const readOpenSessions = async (db: Trx): Promise<{ serverId: string; session: OngoingSession }[]> => {
  const rows = await db
    .selectFrom('player_sessions as session')
    .innerJoin('players as player', 'player.id', 'session.player_id')
    .select(['session.id', 'session.player_id', 'session.server_id', 'session.handle'])
    .select(['session.joined_at', 'session.confirmed_at', 'player.name', 'player.platform_id'])
    .where('session.left_at', 'is', null)
    .orderBy('session.id')
    .execute();
  return rows.map((row) => {
    const { name, platform_id: platformId, handle } = row;
    return {
      serverId: row.server_id,
      session: {
        name,
        platformId,
        handle,
        joinedAt: row.joined_at,
        confirmedAt: row.confirmed_at,
        leftAt: null,
        toldUntil: row.confirmed_at,
        stored: { name, platformId, handle, sessionId: row.id, playerId: row.player_id },
      },
    };
  });
};
