import { inject } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import type { ListedPlayer } from '#games/game.ts';
import { openDatabase } from '#runtime/database/pool.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../../kernel/testing/feature-api.ts';
import { sqlSession } from '../../../kernel/testing/sql.ts';
import { replacePlayer } from '../../members/replace-player.ts';
import { createPresence, type Presence, type PresenceOptions } from '../presence.ts';

export interface PresenceOfATest extends AsyncDisposable {
  readonly database: MigratedDatabase;
  /** Its time stands still between moves. */
  readonly clock: { now(): Date; move(seconds: number): void };
  /** Servers whose agent is connected. */
  readonly agents: Set<string>;
  /** Creates a server. @returns its id */
  server(game?: GameId): Promise<string>;
  archive(serverId: string): void;
  readonly servers: PresenceOptions['servers'];
  /** Starts like a new process; the previous one is left as after a kill. */
  start(options?: Partial<PresenceOptions>, beforePrepared?: (presence: Presence) => void): Promise<Presence>;
  /** Admits no one but this test, and ends open connections. */
  cutDatabase(): Promise<{ restore(): Promise<void> }>;
  /** The sessions of a server, by join time; times in seconds from the beginning. */
  sessions(serverId: string): Promise<SessionFact[]>;
  /** Kind and name, in writing order. */
  events(serverId: string): Promise<string[]>;
}

export interface SessionFact {
  readonly name: string;
  readonly from: number;
  readonly until: number | null;
}

const begin = Date.parse('2026-06-01T12:00:00Z');
let made = 0;

export const presenceOfATest = async (): Promise<PresenceOfATest> => {
  const database = await migratedDatabase();
  const { db } = database;
  const games = new Map<string, GameId>();
  const agents = new Set<string>();
  const started: { presence: Presence; kill: () => Promise<void> }[] = [];
  let seconds = 0;
  const now = () => new Date(begin + seconds * 1000);
  const secondsOf = (at: Date) => (at.getTime() - begin) / 1000;
  const servers = {
    get(id: string) {
      const game = games.get(id);
      return game ? { game } : null;
    },
    all: () => [...games.keys()].map((id) => ({ id })),
  };
  await db
    .insertInto('clusters')
    .values({ id: 'c', name: 'Cluster', name_key: 'cluster', description: '' })
    .execute();

  return {
    database,
    clock: {
      now,
      move(by) {
        seconds += by;
      },
    },
    agents,
    servers,
    async server(game = 'minecraft') {
      made += 1;
      const id = `server-${made}`;
      await db
        .insertInto('game_servers')
        .values({ id, cluster_id: 'c', name: id, name_key: id, game, host: null, port: 1, password: null })
        .execute();
      games.set(id, game);
      return id;
    },
    archive: (serverId) => void games.delete(serverId),
    async start(options = {}, beforePrepared = () => undefined) {
      for (const { kill } of started) await kill();
      let killedAt: Date | null = null;
      const own = openDatabase<Tables>({ url: database.url, applicationName: 'test', log: silentLog });
      const presence = createPresence({
        db: own.db,
        servers,
        replacePlayer: (trx, players) => replacePlayer(trx, players),
        isAgentPresent: (serverId) => agents.has(serverId),
        now: () => killedAt ?? now(),
        sweepMs: 20,
        log: silentLog,
        ...options,
      });
      started.push({
        presence,
        async kill() {
          if (killedAt) return;
          killedAt = now();
          await own[Symbol.asyncDispose]();
        },
      });
      beforePrepared(presence);
      await presence.prepare();
      return presence;
    },
    async cutDatabase() {
      const name = new URL(database.url.reveal()).pathname.slice(1);
      const admin = await sqlSession(inject('postgresUrl'));
      const run = async (...statements: string[]) => {
        for (const statement of statements) await admin.query(statement);
      };
      const allow = (isAllowed: boolean) => `alter database ${name} with allow_connections ${isAllowed}`;
      await run(
        allow(false),
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
      return {
        async restore() {
          await run(allow(true));
          await admin[Symbol.asyncDispose]();
        },
      };
    },
    async sessions(serverId) {
      const rows = await db
        .selectFrom('player_sessions as session')
        .innerJoin('players as player', 'player.id', 'session.player_id')
        .select(['player.name', 'session.joined_at', 'session.left_at'])
        .where('session.server_id', '=', serverId)
        .orderBy('session.joined_at')
        .orderBy('session.id')
        .execute();
      return rows.map(({ name, joined_at, left_at }) => ({
        name,
        from: secondsOf(joined_at),
        until: left_at && secondsOf(left_at),
      }));
    },
    async events(serverId) {
      const rows = await db
        .selectFrom('event_logs')
        .select(['kind', 'payload'])
        .where('server_id', '=', serverId)
        .orderBy('id')
        .execute();
      return rows.map(({ kind, payload }) => `${kind.replace('player.', '')} ${String(payload.name)}`);
    },
    async [Symbol.asyncDispose]() {
      for (const { presence } of started) await presence[Symbol.asyncDispose]();
      for (const { kill } of started) await kill();
      await database[Symbol.asyncDispose]();
    },
  };
};

/** A player as a game lists them. */
export const listed = (name: string, id: string | null = `steam:${name}`, handle = name): ListedPlayer => ({
  name,
  platformId: id,
  handle,
});
