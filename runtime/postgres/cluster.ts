import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { StartupError } from '../program.ts';
import { Secret } from '../secret.ts';
import { type Account, blockingFolder, giveTo, postgresAccount } from './account.ts';
import { type PostgresBinaries, postgresBinaries } from './binaries.ts';
import { type Postmaster, spawnOptions, startPostmaster } from './postmaster.ts';

const run = promisify(execFile);

export const superuser = 'postgres';

export interface ClusterOptions {
  /** Holds `data/`, the superuser's password and, where needed, the binaries. */
  readonly folder: string;
  /** Bound to 127.0.0.1 only. */
  readonly port: number;
  /** Every line that Postgres prints. */
  readonly onLine?: (line: string) => void;
  /** A postmaster exists from now on, though it takes no connections yet. Not called on Windows. */
  readonly onSpawn?: (pid: number) => void;
  /** Further settings, by their names in the Postgres manual. */
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface Cluster {
  readonly dataFolder: string;
  readonly port: number;
  readonly superuserPassword: Secret;
  /** Starts the postmaster; resolves when it takes connections. Anything left of an earlier one is stopped first. */
  start(): Promise<Postmaster>;
  /** Fast shutdown: sessions are ended, everything is flushed. */
  stop(): Promise<void>;
  /** What a guardian has to run to stop this cluster when its supervisor is gone. */
  readonly stopCommand: StopCommand;
  connect(database?: string): Promise<pg.Client>;
  connectionUrl(role: string, password: Secret, database: string): Secret;
}

export interface StopCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly account: Account | null;
}

const stopDeadlineSeconds = 15;
const ignoreLine = () => undefined;

/** Kept in a file of ours, so that starting needs no quoting and an upgrade of Postgres none of our edits. */
const configFileName = 'castellan.conf';
const baseSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: 60,
  // A failing statement may hold a literal secret; the caller logs what it was doing.
  log_min_error_statement: 'panic',
  log_line_prefix: '',
};

/** Opens the cluster in `folder`, making it first where there is none. It is not started yet. */
export const openCluster = async (options: ClusterOptions): Promise<Cluster> => {
  const { folder, port, onLine = ignoreLine } = options;
  const account = postgresAccount();
  const dataFolder = join(folder, 'data');
  await makeFolder(folder, account);
  const binaries = await postgresBinaries(folder, account !== null);
  const superuserPassword = await ensureInitialized(folder, dataFolder, binaries, account);
  const stopArgs = ['stop', '-D', dataFolder, '-m', 'fast', '-w', '-t', String(stopDeadlineSeconds)];

  const stop = async () => {
    if (!existsSync(join(dataFolder, 'postmaster.pid'))) return;
    try {
      await run(binaries.pgCtl, stopArgs, spawnOptions(account, dataFolder));
    } catch (error) {
      if (await isRunning(dataFolder, binaries, account))
        throw new Error('Postgres did not stop', { cause: error });
    }
  };

  return {
    dataFolder,
    port,
    superuserPassword,
    stop,
    stopCommand: { file: binaries.pgCtl, args: stopArgs, account },
    connectionUrl: (role, password, database) =>
      new Secret(
        `postgresql://${role}:${encodeURIComponent(password.reveal())}@127.0.0.1:${port}/${database}`,
      ),
    connect: async (database = 'postgres') => {
      const client = new pg.Client({
        host: '127.0.0.1',
        port,
        user: superuser,
        password: superuserPassword.reveal(),
        database,
        connectionTimeoutMillis: 5000,
      });
      client.on('error', () => client.end());
      await client.connect();
      return client;
    },
    async start() {
      await stop();
      await writeSettings(dataFolder, { ...baseSettings, ...options.settings, port }, account);
      const events = { onLine, onSpawn: options.onSpawn };
      return whenMemoryIsFree(() => startPostmaster(binaries, dataFolder, account, events));
    },
  };
};

const memoryDeadlineMs = 5000;
const memoryPollMs = 50;

/** The children of a postmaster that was killed need a moment to notice it and to let go of the shared memory. */
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

/**
 * initdb into a folder beside, then a rename: a start that is killed here leaves nothing half-made.
 * The password file is written before the rename, so that a data folder always has its password.
 */
const ensureInitialized = async (
  folder: string,
  dataFolder: string,
  { initdb }: PostgresBinaries,
  account: Account | null,
): Promise<Secret> => {
  const passwordFile = join(folder, 'superuser.password');
  if (existsSync(dataFolder)) return new Secret((await readFile(passwordFile, 'utf8')).trim());

  const password = randomBytes(24).toString('base64url');
  const half = `${dataFolder}.new`;
  await rm(half, { recursive: true, force: true });
  await mkdir(half, { mode: 0o700 });
  const passwordForInitdb = join(half, '..', 'initdb.password');
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  if (account) {
    await giveTo(account, half);
    await chown(passwordForInitdb, account.uid, account.gid);
  }
  const locale = ['--locale-provider=builtin', '--locale=C', '--builtin-locale=C.UTF-8', '-E', 'UTF8'];
  const access = ['-A', 'scram-sha-256', '-U', superuser, `--pwfile=${passwordForInitdb}`];
  try {
    await run(initdb, ['-D', half, ...locale, ...access, '--no-instructions'], spawnOptions(account, half));
    await writeFile(passwordFile, password, { mode: 0o600 });
    await chmod(passwordFile, 0o600);
    await rename(half, dataFolder);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new StartupError(`The database could not be created in ${dataFolder}: ${said}`, { cause: error });
  } finally {
    await rm(passwordForInitdb, { force: true });
  }
  return new Secret(password);
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
  if (!text.includes(include)) await writeFile(main, `${text.trimEnd()}\n${include}\n`);
};

const isRunning = async (dataFolder: string, { pgCtl }: PostgresBinaries, account: Account | null) =>
  run(pgCtl, ['status', '-D', dataFolder], spawnOptions(account, dataFolder)).then(
    () => true,
    () => false,
  );
