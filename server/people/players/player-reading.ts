import type { Kysely } from 'kysely';
import type { Player, PlayerDetails, PlayerSession, ServerPlayers } from '#contracts/people/players.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { isInScope, type PlayerScope, scopeOf } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import type { OpenSession } from './open-sessions.ts';
import type { Presence } from './presence.ts';
import {
  readNames,
  readPlayedSeconds,
  readPlayers,
  readSessions,
  type StoredPlayer,
  type StoredSession,
} from './read-players.ts';
import { secondsBetween } from './write-sessions.ts';

/** Shows everything the actor may see by players.read on the server where it happened. */
export type PlayerReading = ReturnType<typeof createPlayerReading>;

export const createPlayerReading = (db: Kysely<Tables>, presence: Pick<Presence, 'all' | 'openSessions'>) => {
  /** What memory knows better than the database: players online now. */
  const staysOf = (scope: PlayerScope, playerIds: readonly string[]): readonly OpenSession[] => {
    const wanted = new Set(playerIds);
    return presence
      .openSessions()
      .filter(({ playerId, serverId }) => wanted.has(playerId) && isInScope(scope, serverId));
  };

  const complete = async (scope: PlayerScope, players: readonly StoredPlayer[]): Promise<Player[]> => {
    const ids = players.map(({ id }) => id);
    const sessions = Map.groupBy(staysOf(scope, ids), ({ playerId }) => playerId);
    const lasting = [...sessions.values()].flat().map(({ sessionId }) => sessionId);
    const played = await readPlayedSeconds(db, scope, ids, lasting);
    return players.map((player) =>
      toPlayer(player, played.get(player.id) ?? 0, sessions.get(player.id) ?? []),
    );
  };

  const find = async (scope: PlayerScope, playerId: string): Promise<StoredPlayer | null> => {
    const [player] = await readPlayers(db, scope, { playerId, beyond: null, limit: 1 });
    return player ?? null;
  };

  return {
    online(actor: Actor, serverId?: string): ServerPlayers[] {
      const scope = scopeOf(actor);
      return presence
        .all()
        .map(({ players }) => players)
        .filter((one) => isInScope(scope, one.serverId) && (serverId ?? one.serverId) === one.serverId);
    },
    async search(
      actor: Actor,
      {
        cursor,
        limit,
        text,
        serverId,
      }: PageQuery & { readonly text?: string | undefined; readonly serverId?: string | undefined },
    ): Promise<Page<Player>> {
      const scope = scopeOf(actor);
      if (serverId !== undefined && !isInScope(scope, serverId)) return { rows: [], nextCursor: null };
      const page = await readOlderPage(
        { cursor, limit },
        (slice) => readPlayers(db, scope, { text, serverId, ...slice }),
        ({ last_seen_at: at, id }) => ({ at, id }),
      );
      return { ...page, rows: await complete(scope, page.rows) };
    },
    async read(actor: Actor, playerId: string): Promise<PlayerDetails | Refusal> {
      const scope = scopeOf(actor);
      const found = await find(scope, playerId);
      if (!found) return refuse('NOT_FOUND');
      const [[player], names] = await Promise.all([complete(scope, [found]), readNames(db, scope, playerId)]);
      if (!player) return refuse('NOT_FOUND');
      return {
        ...player,
        names: names.map(({ name, first_seen_at, last_seen_at }) => ({
          name,
          firstSeenAt: first_seen_at.toISOString(),
          lastSeenAt: last_seen_at.toISOString(),
        })),
      };
    },
    async sessions(actor: Actor, playerId: string, query: PageQuery): Promise<Page<PlayerSession> | Refusal> {
      const scope = scopeOf(actor);
      if (!(await find(scope, playerId))) return refuse('NOT_FOUND');
      const sessions = new Map(staysOf(scope, [playerId]).map((session) => [session.sessionId, session]));
      const page = await readOlderPage(
        query,
        (slice) => readSessions(db, scope, playerId, slice),
        ({ joined_at: at, id }) => ({ at, id }),
      );
      return { ...page, rows: page.rows.map((session) => toSession(session, sessions.get(session.id))) };
    },
  };
};

const toPlayer = (player: StoredPlayer, closedSeconds: number, sessions: readonly OpenSession[]): Player => {
  const { id, name, platform_id: platformId, game } = player;
  const isNewest = (one: OpenSession, other: OpenSession) =>
    other.joinedAt.getTime() - one.joinedAt.getTime();
  const [now] = sessions.filter(({ isCertain }) => isCertain).sort(isNewest);
  const lastSeenMs = Math.max(
    player.last_seen_at.getTime(),
    ...sessions.map(({ confirmedAt }) => confirmedAt.getTime()),
  );
  return {
    id,
    name,
    platformId,
    game,
    firstSeenAt: player.first_seen_at.toISOString(),
    lastSeenAt: new Date(lastSeenMs).toISOString(),
    playedSeconds: sessions.reduce(
      (sum, { joinedAt, confirmedAt }) => sum + secondsBetween(joinedAt, confirmedAt),
      closedSeconds,
    ),
    onlineOn: now?.serverId ?? null,
  };
};

const toSession = (session: StoredSession, open: OpenSession | undefined): PlayerSession => ({
  id: session.id,
  serverId: session.server_id,
  joinedAt: session.joined_at.toISOString(),
  leftAt: session.left_at?.toISOString() ?? null,
  playedSeconds: secondsBetween(
    session.joined_at,
    session.left_at ?? open?.confirmedAt ?? session.confirmed_at,
  ),
});
