import { type Kysely, sql } from 'kysely';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { Log } from '#runtime/log.ts';
import type { Notifications } from '../../kernel/database/notifications.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { gameServersChannel } from './game-server-rows.ts';

/** A game server in use. */
interface DirectoryServer {
  readonly id: string;
  readonly clusterId: string;
  readonly name: string;
  readonly game: GameId;
  /** Null: reached only through the Game Agent. */
  readonly host: string | null;
  readonly port: number;
  /** Sealed; null: the game requires none. */
  readonly password: string | null;
  readonly version: number;
}

type DirectoryListener = (gone: readonly string[]) => void;

/** The servers in use, in memory. */
export type ServerDirectory = ReturnType<typeof createServerDirectory>;

export const createServerDirectory = ({
  db,
  notifications,
  log,
  rereadMs = 60_000,
}: {
  readonly db: Kysely<Tables>;
  readonly notifications: Notifications;
  readonly log: Log;
  /** Catches changes that no notification reported. */
  readonly rereadMs?: number;
}) => {
  let servers = new Map<string, DirectoryServer>();
  const listeners = new Set<DirectoryListener>();
  let underWay: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let stop = () => Promise.resolve();

  const read = async () => {
    const stored = await db.selectFrom('game_servers').selectAll().where('archived_at', 'is', null).execute();
    // After a downgrade, rows may name games that this version has no adapter for.
    const rows = stored.filter(({ game }) => Object.hasOwn(games, game));
    const found = new Map<string, DirectoryServer>();
    let isChanged = rows.length !== servers.size;
    for (const { id, cluster_id: clusterId, name, game, host, port, password, version } of rows) {
      const known = servers.get(id);
      const isSame = known?.version === version && known.password === password;
      if (!isSame) isChanged = true;
      found.set(id, isSame ? known : { id, clusterId, name, game, host, port, password, version });
    }
    if (!isChanged) return;
    const gone = [...servers.keys()].filter((id) => !found.has(id));
    servers = found;
    for (const listener of [...listeners]) listener(gone);
  };

  /** Starts a reading after this call, even while one is running; at most one waits. */
  const refresh = (): Promise<void> => {
    if (!underWay) {
      underWay = read().finally(() => {
        underWay = null;
      });
      return underWay;
    }
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = null;
        return refresh();
      });
    return next;
  };

  const refreshQuietly = () => {
    refresh().catch((error: unknown) =>
      log.debug({ err: error }, 'could not read the game servers; will retry'),
    );
  };

  let lastDigest: string | null = null;
  const rereadQuietly = async () => {
    try {
      const digest = await digestOf(db);
      if (digest === lastDigest) return;
      await refresh();
      lastDigest = digest;
    } catch (error) {
      log.debug({ err: error }, 'could not read the game servers; will retry');
    }
  };

  return {
    get: (id: string): DirectoryServer | null => servers.get(id) ?? null,
    all: (): readonly DirectoryServer[] => [...servers.values()],
    /**
     * Calls the listener after servers were added, removed or changed, with the removed ones. @returns the function that
     * unsubscribes
     */
    subscribe(listener: DirectoryListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Call it once the schema is ready; from then on it follows the database by itself. */
    async prepare(): Promise<void> {
      await stop();
      await refresh();
      const subscription = notifications.listen(gameServersChannel, {
        onNotification: refreshQuietly,
        onListening: refreshQuietly,
      });
      const timer = setInterval(() => void rereadQuietly(), rereadMs).unref();
      stop = () => {
        clearInterval(timer);
        return subscription.close();
      };
    },
    /** Reads again everything committed so far. */
    refresh,
    async [Symbol.asyncDispose]() {
      await stop();
      listeners.clear();
      await (next ?? underWay)?.catch(() => undefined);
    },
  };
};

/** A digest of everything that a reading looks at: reading thousands of unchanged rows would block everything else. */
const digestOf = async (db: Kysely<Tables>): Promise<string> => {
  const { rows } = await sql<{ digest: string }>`
    select concat_ws(' ', count(*), sum(hashtextextended(concat_ws(' ', id, version, password), 0))) as digest
    from game_servers where archived_at is null`.execute(db);
  return rows[0]?.digest ?? '';
};
