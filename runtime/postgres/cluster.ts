import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { writeFileAtomically } from '../atomic-write.ts';
import { StartupError } from '../program.ts';
import { Secret } from '../secret.ts';
import { type Account, accountFor, blockingFolder, handOver } from './account.ts';
import { postgresBinaries } from './binaries.ts';
import { lockCluster } from './cluster-lock.ts';
import { clusterName, lockFilePath } from './family.ts';
import { ensureInitialized, superuser } from './initialize.ts';
import { type Postmaster, startPostmaster } from './postmaster.ts';
import { orderlyStop, type StopTarget, type StopTimes, stopFamily } from './stop-family.ts';

export interface Cluster {
  readonly dataFolder: string;
  readonly port: number;
  readonly superuserPassword: Secret;
  /** Starts the postmaster; resolves when it accepts connections. Leftovers of an earlier one are stopped first. */
  start(): Promise<Postmaster>;
  /**
   * Ends all sessions and writes everything out; a Postgres that does not stop in time is killed. Children that outlived their
   * postmaster are ended, too. @throws when a process cannot be ended
   */
  stop(times?: StopTimes): Promise<void>;
  /** What a guardian needs to stop this cluster when its supervisor is gone. */
  readonly stopTarget: StopTarget;
  /** @param withinMs a slow machine may need longer for the first connection after a start */
  connect(database?: string, withinMs?: number): Promise<pg.Client>;
  connectionUrl(role: string, password: Secret, database: string): Secret;
}

const ignoreLine = () => undefined;

/** A separate file of ours, so that starting needs no quoting and an upgrade of Postgres needs none of our edits. */
const configFileName = 'castellan.conf';
const baseSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  // A failing statement may hold a literal secret; the caller logs what it was doing.
  log_min_error_statement: 'panic',
  log_line_prefix: '',
  // For backups: WAL written since a backup began must still exist when it ends.
  wal_keep_size: '512MB',
};

/** Opens the cluster in `folder`, creating it first if it is missing. It does not start it yet. */
export const openCluster = async (options: {
  /** Holds `data/`, the superuser's password and, where needed, the binaries. */
  readonly folder: string;
  /** Bound to 127.0.0.1 only. */
  readonly port: number;
  /** Every line that Postgres prints. */
  readonly onLine?: (line: string) => void;
  /** A postmaster exists from now on, though it accepts no connections yet. Not called on Windows. */
  readonly onSpawn?: (pid: number) => void;
  /** Where binaries are kept that the account of Postgres can reach, if not in `folder`. */
  readonly binariesFolder?: string;
  /** Files that only a database in use leaves outside `folder`: where one is, no new database takes a missing one's place. */
  readonly traces?: readonly string[];
  /** Further settings, by their names in the Postgres manual. */
  readonly settings?: Readonly<Record<string, string | number>>;
}): Promise<Cluster> => {
  const { folder, port, onLine = ignoreLine } = options;
  const dataFolder = join(folder, 'data');
  const account = accountFor(dataFolder);
  await makeFolder(folder, account);
  const binaries = await postgresBinaries(options.binariesFolder ?? folder, account !== null);
  const superuserPassword = await ensureInitialized(folder, dataFolder, binaries, account, options.traces);
  const stopTarget: StopTarget = { dataFolder, pgCtl: binaries.pgCtl };

  const stop = async (times = orderlyStop) => {
    const killed = await stopFamily(stopTarget, times);
    if (killed.length > 0) onLine(`LOG:  ended by force by its supervisor: process ${killed.join(', ')}`);
  };

  return {
    dataFolder,
    port,
    superuserPassword,
    stop,
    stopTarget,
    connectionUrl: (role, password, database) =>
      new Secret(
        `postgresql://${role}:${encodeURIComponent(password.reveal())}@127.0.0.1:${port}/${database}`,
      ),
    connect: async (database = 'postgres', withinMs = connectMs) => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: superuser,
        password: superuserPassword.reveal(),
        database,
        connectionTimeoutMillis: withinMs,
      });
      client.on('error', () => void client.end());
      await client.connect();
      return client;
    },
    async start() {
      await stop();
      await using lock = await lockCluster(folder, onLine);
      // Left by a kill or a power cut. If another process has its pid now, Postgres would take the file for a live one; with an
      // empty file it does not start at all.
      await rm(lockFilePath(dataFolder), { force: true });
      if (account && (await handOver(account, dataFolder)))
        onLine('LOG:  the files of the database were given to the account that Postgres runs under');
      const settings = {
        ...baseSettings,
        cluster_name: await clusterName(dataFolder),
        ...options.settings,
        port,
      };
      await writeSettings(dataFolder, settings, account);
      const given = { onLine, onSpawn: options.onSpawn, lockDescriptor: lock?.descriptor ?? null };
      return whenMemoryIsFree(() => startPostmaster(binaries, dataFolder, account, given));
    },
  };
};

const connectMs = 5000;
/** Roles, a database and their permissions: a second, but on a slow machine that has just started many times as long. */
export const provisionDeadlineMs = 180_000;
const memoryDeadlineMs = 5000;
const memoryPollMs = 50;

/** The children of a killed postmaster need a moment to notice it and to release the shared memory. */
const whenMemoryIsFree = async <T>(start: () => Promise<T>): Promise<T> => {
  const until = performance.now() + memoryDeadlineMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      const inUse = /pre-existing shared memory block/.test((error as Error).message);
      if (!inUse || performance.now() > until) throw error;
    }
    await delay(memoryPollMs);
  }
};

const makeFolder = async (folder: string, account: Account | null) => {
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const blocked = account && blockingFolder(join(folder, 'data'));
  if (blocked)
    throw new StartupError(
      `Postgres cannot reach ${folder}, because ${blocked} is closed to other accounts. ` +
        'Choose another folder, run without root, or open it with: chmod o+x ' +
        blocked,
    );
};

const writeSettings = async (
  dataFolder: string,
  settings: Readonly<Record<string, string | number>>,
  account: Account | null,
) => {
  const file = join(dataFolder, configFileName);
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`,
  );
  await writeFile(file, lines.join(''));
  if (account) await chown(file, account.uid, account.gid);
  const main = join(dataFolder, 'postgresql.conf');
  const text = await readFile(main, 'utf8');
  const include = `include = '${configFileName}'`;
  if (!text.includes(include)) await writeFileAtomically(main, `${text.trimEnd()}\n${include}\n`, 0o600);
  // Also for a file that an earlier start, killed at that moment, had just replaced.
  if (account) await chown(main, account.uid, account.gid);
};
