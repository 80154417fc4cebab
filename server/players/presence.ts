import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { ServerPlayers } from '#contracts/players.ts';
import type { ListedPlayer } from '#games/game.ts';
import type { Log } from '#runtime/log.ts';
import type { Tables } from '../database/tables.ts';
import { createBufferedChanges } from './buffered-changes.ts';
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

/** What an agent says with a heartbeat. */
export interface PlayersReport {
  readonly state: 'online' | 'starting' | 'offline' | 'unknown';
  /** Null: the list is the one that it gave last. */
  readonly players: readonly ListedPlayer[] | null;
}

export interface PresenceOptions {
  readonly db: Kysely<Tables>;
  /** Those in use. */
  readonly servers: {
    get(id: string): { readonly game: GameId } | null;
    all(): readonly { readonly id: string }[];
  };
  readonly replacePlayer: ReplacePlayer;
  /** A player is on a server and was not when this was last looked at; written down by then. */
  readonly onJoined?: (playerId: string) => void;
  /** Written down by then. What an agent gives again after a failure may be told twice. */
  readonly onChat?: (lines: readonly SpokenLine[]) => void;
  /** Connected and heard of lately: then its word alone counts. */
  readonly isAgentPresent: (serverId: string) => boolean;
  readonly now?: () => Date;
  readonly sweepMs?: number;
  readonly log: Log;
}

/** Who is on which server: the one place that knows. Nothing of it but `observe` and `prepare` fails. */
export interface Presence extends AsyncDisposable {
  /** Once the schema stands; what comes before is kept for it. */
  prepare(): Promise<void>;
  hear(serverId: string, word: PlayersReport): void;
  /** A list of who is there now. */
  report(serverId: string, source: ListSource, players: readonly ListedPlayer[], at?: Date): void;
  /** The game, or its agent, does not say who is there. */
  lost(serverId: string, source: ListSource): void;
  /** @throws when the database does not take what was said: then all of it is to be given again */
  observe(serverId: string, events: readonly ObservedEvent[]): Promise<void>;
  /** As written down. */
  read(serverId: string): ServerPlayers;
  /** As counted last; null when it is not known. */
  count(serverId: string): number | null;
  /** Of all servers in use, each with a number that changes whenever it does. */
  all(): readonly NumberedPlayers[];
  /** The sessions that last, as memory has them. */
  openSessions(): readonly OpenSession[];
  /** The database has erased these players: those who are there now join as new ones. */
  forgetPlayers(playerIds: readonly string[]): void;
}

export const createPresence = (options: PresenceOptions): Presence => {
  const { db, servers, replacePlayer, isAgentPresent, now = () => new Date(), log } = options;
  const rosters = new Map<string, ServerRoster>();
  const shown = createShownPlayers();
  const prepared = Promise.withResolvers<void>();
  let isPrepared = false;
  let loading: Promise<void> | null = null;
  const held = createBufferedChanges();
  // Nobody may wait for it.
  prepared.promise.catch(() => undefined);

  const announced = new WeakMap<ServerRoster, ReadonlySet<string>>();
  const announceJoins = (roster: ServerRoster) => {
    const before = announced.get(roster);
    const present = new Set(openSessionsOf(roster).map(({ playerId }) => playerId));
    announced.set(roster, present);
    for (const playerId of present) if (!before?.has(playerId)) options.onJoined?.(playerId);
  };

  const writer = createSessionWriter({
    db,
    replacePlayer,
    onTried(roster, hasSucceeded) {
      shown.publish(roster);
      if (hasSucceeded) announceJoins(roster);
      if (hasSucceeded && !isWritten(roster)) writer.write(roster);
    },
    log,
  });

  const settle = (roster: ServerRoster, isChanged: boolean) => {
    if (!isChanged) return;
    shown.publish(roster);
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

  const report: Presence['report'] = (serverId, source, players, at = now()) =>
    update(serverId, source, true, (roster) => roster.takeListing(source, players, at));

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
    prepare() {
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
      });
      return loading;
    },
    hear(serverId, { state, players }) {
      const at = now();
      if (state === 'online' && players) return report(serverId, 'agent', players, at);
      update(serverId, 'agent', players !== null, (roster) => {
        if (players) roster.remember(players);
        return state === 'online' ? roster.confirm(at) : roster.lose(at);
      });
    },
    report,
    lost(serverId, source) {
      const at = now();
      update(serverId, source, false, (roster) => roster.lose(at));
    },
    async observe(serverId, events) {
      await prepared.promise;
      const roster = rosterOf(serverId);
      if (!roster) return;
      const { isChanged, chat } = takeEvents(roster, events, now());
      settle(roster, isChanged);
      if (chat.length === 0) return;
      // Who joined and then spoke is known by then.
      await writer.written(roster);
      const lines = await recordChat(db, roster, chat);
      options.onChat?.(lines);
    },
    read: (serverId) => shown.read(serverId, rosters.get(serverId) ?? null),
    count(serverId) {
      const roster = rosters.get(serverId);
      return roster?.isKnown ? roster.open.size : null;
    },
    all: () => servers.all().map(({ id }) => shown.numbered(id, rosters.get(id) ?? null)),
    openSessions: () => [...rosters.values()].flatMap(openSessionsOf),
    forgetPlayers(playerIds) {
      const erased = new Set(playerIds);
      for (const roster of rosters.values()) settle(roster, roster.forgetPlayers(erased, now()));
    },
    async [Symbol.asyncDispose]() {
      prepared.reject(new Error('the API is stopping'));
      await clock[Symbol.asyncDispose]();
      await Promise.race([writer.idle(), delay(stopDeadlineMs, undefined, { ref: false })]);
    },
  };
};
