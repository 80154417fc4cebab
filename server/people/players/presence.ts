import type { Kysely } from 'kysely';
import type { ServerPlayers } from '#contracts/people/players.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import type { Log } from '#runtime/log.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { ReplacePlayer } from './identify-player.ts';
import { type ObservedEvent, takeEvents } from './observed-events.ts';
import { type OpenSession, openSessionsOf } from './open-sessions.ts';
import { createPresenceClock, stopDeadlineMs } from './presence-clock.ts';
import { recordChat, type SpokenLine } from './record-chat.ts';
import { createServerRoster, type ListSource, type ServerRoster } from './server-roster.ts';
import { readOpenSessions } from './session-rows.ts';
import { createSessionWriter } from './session-writer.ts';
import { createShownPlayers, type NumberedPlayers } from './shown-players.ts';
import { isWritten } from './write-sessions.ts';

/** Changes that arrive before the database is ready: per server the last list, and the last change after it. */
const createBufferedChanges = () => {
  const held = new Map<string, { list: (() => void) | null; last: (() => void) | null }>();
  return {
    hold(serverId: string, change: () => void, isList: boolean): void {
      const before = held.get(serverId)?.list ?? null;
      held.set(serverId, isList ? { list: change, last: null } : { list: before, last: change });
    },
    /** Applies them in order of arrival. */
    release(): void {
      for (const { list, last } of held.values()) {
        list?.();
        last?.();
      }
      held.clear();
    },
  };
};

/** What an agent reports with a heartbeat. */
interface PlayersReport {
  readonly state: 'online' | 'starting' | 'offline' | 'unknown';
  /** Null: the list is unchanged since the last one. */
  readonly players: readonly ListedPlayer[] | null;
}

export interface PresenceOptions {
  readonly db: Kysely<Tables>;
  /** Servers in use. */
  readonly servers: {
    get(id: string): { readonly game: GameId } | null;
    all(): readonly { readonly id: string }[];
  };
  readonly replacePlayer: ReplacePlayer;
  /** These players are known to be on a server, as they were not before: they joined, or a list shows them again. */
  readonly onPresent?: (playerIds: readonly string[]) => void;
  /** Called after writing. What an agent sends again after a failure may be reported twice. */
  readonly onChat?: (lines: readonly SpokenLine[]) => void;
  /** Connected and heard from recently: then only the agent counts. */
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly now?: () => Date;
  readonly sweepMs?: number;
  readonly log: Log;
}

/** The single source for who is on which server. Only `observe` and `prepare` can fail. */
export type Presence = ReturnType<typeof createPresence>;

export const createPresence = (options: PresenceOptions) => {
  const { db, servers, replacePlayer, isAgentPresent, now = () => new Date(), log } = options;
  const rosters = new Map<string, ServerRoster>();
  const shown = createShownPlayers();
  const prepared = Promise.withResolvers<void>();
  let isPrepared = false;
  let loading: Promise<void> | null = null;
  const held = createBufferedChanges();
  // Perhaps no one awaits it.
  prepared.promise.catch(() => undefined);

  const announced = new WeakMap<ServerRoster, ReadonlySet<string>>();
  /** Of players whose sessions are written. */
  const announcePresent = (roster: ServerRoster) => {
    const before = announced.get(roster);
    const certain = openSessionsOf(roster).filter(({ isCertain }) => isCertain);
    const present = new Set(certain.map(({ playerId }) => playerId));
    announced.set(roster, present);
    const fresh = [...present].filter((playerId) => !before?.has(playerId));
    if (fresh.length > 0) options.onPresent?.(fresh);
  };

  const writer = createSessionWriter({
    db,
    replacePlayer,
    onTried(roster, hasSucceeded) {
      shown.publish(roster);
      if (hasSucceeded) announcePresent(roster);
      if (hasSucceeded && !isWritten(roster)) writer.write(roster);
    },
    log,
  });

  const settle = (roster: ServerRoster, isChanged: boolean) => {
    if (!isChanged) return;
    shown.publish(roster);
    announcePresent(roster);
    if (!isWritten(roster)) writer.write(roster);
  };

  /** Null for a server that is not in use. */
  const rosterOf = (serverId: string): ServerRoster | null => {
    const server = servers.get(serverId);
    if (!server) return null;
    const roster = rosters.get(serverId) ?? createServerRoster(serverId, server.game);
    rosters.set(serverId, roster);
    return roster;
  };

  const update = (
    serverId: string,
    source: ListSource,
    isList: boolean,
    change: (roster: ServerRoster) => boolean,
  ) => {
    const apply = () => {
      if (source === 'direct' && isAgentPresent(serverId)) return;
      const roster = rosterOf(serverId);
      if (roster) settle(roster, change(roster));
    };
    if (isPrepared) apply();
    else held.hold(serverId, apply, isList);
  };

  const report = (
    serverId: string,
    source: ListSource,
    players: readonly ListedPlayer[],
    at: Date = now(),
  ): void => update(serverId, source, true, (roster) => roster.takeListing(source, players, at));

  const clock = createPresenceClock({
    db,
    rosters,
    isInUse: (serverId) => servers.get(serverId) !== null,
    isAgentPresent,
    settle,
    write: writer.write,
    now,
    log,
    sweepMs: options.sweepMs ?? 5000,
  });

  const load = async () => {
    const found = await readOpenSessions(db);
    const games = await db.selectFrom('game_servers').select(['id', 'game']).execute();
    const gameById = new Map(games.map(({ id, game }) => [id, game]));
    for (const { serverId, session } of found) {
      const game = gameById.get(serverId);
      if (game === undefined) continue;
      const roster = rosters.get(serverId) ?? createServerRoster(serverId, game);
      rosters.set(serverId, roster);
      roster.resume(session);
    }
    isPrepared = true;
    held.release();
    clock.begin();
    prepared.resolve();
  };

  return {
    /** Call it once the schema is ready; earlier reports are kept for it. */
    prepare(): Promise<void> {
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
      });
      return loading;
    },
    hear(serverId: string, { state, players }: PlayersReport) {
      const at = now();
      if (state === 'online' && players) return report(serverId, 'agent', players, at);
      update(serverId, 'agent', players !== null, (roster) => {
        if (players) roster.remember(players);
        return state === 'online' ? roster.confirm(at) : roster.lose(at);
      });
    },
    /** Takes a list of who is online now. */
    report,
    /** The game, or its agent, does not report who is online. */
    lost(serverId: string, source: ListSource): void {
      const at = now();
      update(serverId, source, false, (roster) => roster.lose(at));
    },
    /** @throws when the database does not accept the events: then all of them must be sent again */
    async observe(serverId: string, events: readonly ObservedEvent[]): Promise<void> {
      await prepared.promise;
      const roster = rosterOf(serverId);
      if (!roster) return;
      const { isChanged, chat } = takeEvents(roster, events, now());
      settle(roster, isChanged);
      if (chat.length === 0) return;
      // Makes a player who joined and then spoke known in time.
      await writer.written(roster);
      const lines = await recordChat(db, roster, chat);
      options.onChat?.(lines);
    },
    /** As written to the database. */
    read: (serverId: string): ServerPlayers => shown.read(serverId, rosters.get(serverId) ?? null),
    /** The last count; null when unknown. */
    count(serverId: string): number | null {
      const roster = rosters.get(serverId);
      return roster?.isKnown ? roster.open.size : null;
    },
    /** All servers in use, each with a number that changes whenever it does. */
    all: (): readonly NumberedPlayers[] =>
      servers.all().map(({ id }) => shown.numbered(id, rosters.get(id) ?? null)),
    /** The open sessions, as in memory. */
    openSessions: (): readonly OpenSession[] => [...rosters.values()].flatMap(openSessionsOf),
    /** The database has erased these players: those online now join as new ones. */
    forgetPlayers(playerIds: readonly string[]): void {
      const erased = new Set(playerIds);
      for (const roster of rosters.values()) settle(roster, roster.forgetPlayers(erased, now()));
    },
    async [Symbol.asyncDispose]() {
      prepared.reject(new Error('the API is stopping'));
      await clock[Symbol.asyncDispose]();
      await waitAtMost(stopDeadlineMs, writer.idle());
    },
  };
};
