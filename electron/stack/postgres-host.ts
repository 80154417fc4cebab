import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isRestoreUnfinished } from '#runtime/backup/restore-journal.ts';
import { DiskFullError, isDiskFull, roomPollMs, untilRoom } from '#runtime/disk-space.ts';
import type { Guardian } from '#runtime/guardian/guardian.ts';
import { keyRecordName } from '#runtime/key-record.ts';
import { type Cluster, openCluster, provisionDeadlineMs } from '#runtime/postgres/cluster.ts';
import { MissingDatabaseError } from '#runtime/postgres/database-state.ts';
import type { Postmaster } from '#runtime/postgres/postmaster.ts';
import { hurriedStop, orderlyStop } from '#runtime/postgres/stop-family.ts';
import { StartupError } from '#runtime/program.ts';
import { singleFlight } from '#runtime/single-flight.ts';
import { sleep } from '#runtime/sleep.ts';
import type { ComponentLog } from '../logs/component-log.ts';
import {
  CannotStartError,
  type ComponentHost,
  type Health,
  type RunningProcess,
} from '../supervisor/component.ts';
import type { DatabaseTarget } from './database-url.ts';
import { demandPort } from './port-check.ts';
import { provision } from './provision.ts';

interface PostgresHostOptions {
  /** Holds the cluster. */
  readonly folder: string;
  /** Read again at each start. */
  readonly target: () => DatabaseTarget;
  readonly guardian: Guardian;
  readonly log: ComponentLog;
  /** Between two tries on a full disk. */
  readonly roomPollMs?: number;
}

const wardName = 'postgres';
const betweenStopsMs = 200;

export const postgresHost = (options: PostgresHostOptions): ComponentHost => ({
  async start(signal, say) {
    try {
      return await startPostgres(options, signal, say);
    } catch (error) {
      if (error instanceof MissingDatabaseError)
        throw new CannotStartError(error.message, { untilMended: untilOtherFiles(options) });
      if (!isDiskFull(error)) throw error;
      const { message } = error as Error;
      throw new CannotStartError(
        error instanceof DiskFullError ? message : `${healthReasons['database-disk-full']} (${message})`,
        { untilMended: untilRoomFor(options) },
      );
    }
  },
});

/** No death to count: Postgres could not live there, whatever is tried, and can as soon as there is room. */
const untilRoomFor =
  ({ folder, roomPollMs: pollMs = roomPollMs }: PostgresHostOptions) =>
  (signal: AbortSignal): Promise<void> =>
    untilRoom(folder, signal, pollMs);

/** Its disk was connected, a backup restored, or what tells of a database moved away, and nothing is being copied any more. */
const untilOtherFiles =
  ({ folder, roomPollMs: pollMs = roomPollMs }: PostgresHostOptions) =>
  async (signal: AbortSignal): Promise<void> => {
    const before = await filesOf(folder);
    let [earlier, files] = [before, before];
    while (!signal.aborted && (files === before || files !== earlier)) {
      await sleep(pollMs, signal);
      [earlier, files] = [files, await filesOf(folder)];
    }
  };

const filesOf = async (folder: string): Promise<string> => {
  const names = await readdir(folder, { recursive: true }).catch(() => null);
  return JSON.stringify([names, existsSync(join(dirname(folder), keyRecordName))]);
};

/** Postgres says so before it recovers, and while it reads all files before that. */
const isRecovery = (line: string): boolean =>
  /automatic recovery in progress|redo in progress|syncing data directory|still starting/.test(line);

const startPostgres = async (
  options: PostgresHostOptions,
  signal: AbortSignal,
  say: (reason: string) => void,
): Promise<RunningProcess> => {
  const { folder, target, guardian, log } = options;
  const wanted = target();
  log.forget();
  // Where Windows runs the stack, another service holds the data folder, and finishes the restore.
  if (isRestoreUnfinished(dirname(folder)))
    throw new StartupError('A backup is being restored. The database starts when that is done.');
  const cluster = await openCluster({
    folder,
    port: wanted.port,
    traces: [join(dirname(folder), keyRecordName)],
    onLine(line) {
      log.line(line);
      if (isRecovery(line)) say(healthReasons['database-recovering']);
    },
    onSpawn: (pid) => guardian.watch({ name: wardName, pid, cluster: cluster.stopTarget }),
  });
  // An earlier supervisor may have left its Postgres, or children of it, which hold the port.
  await cluster.stop();
  const remedy = (free: number) => `write :${free} instead of :${wanted.port} in DATABASE_URL`;
  await demandPort({ port: wanted.port, host: '127.0.0.1', remedy }, signal);
  // A listener added later would not receive a stop that has already come.
  signal.throwIfAborted();
  const postmaster = await startUnlessAborted(cluster, signal).catch(async (error: unknown) => {
    // A silent postmaster may still be there; the guardian forgets only one that is gone.
    await cluster.stop();
    guardian.forget(wardName);
    throw error;
  });
  guardian.watch({ name: wardName, pid: postmaster.pid, cluster: cluster.stopTarget });
  const process = runningPostgres(cluster, postmaster, options);
  void process.ended.then(() => guardian.forget(wardName));
  try {
    await unlessFrozen(provision(cluster, wanted), signal);
    return process;
  } catch (error) {
    await process.stop('orderly');
    // Its children are ended last, and must not be searched for once the next start has begun.
    await process.ended;
    throw error;
  }
};

/** A Postgres that freezes during provisioning neither answers nor closes the connection. */
const unlessFrozen = async (provisioning: Promise<void>, signal: AbortSignal): Promise<void> => {
  const over = new AbortController();
  const cut = AbortSignal.any([signal, over.signal]);
  const late = delay(provisionDeadlineMs, undefined, { signal: cut }).then(
    () => {
      throw new Error('Postgres takes connections, but does not answer');
    },
    () => signal.throwIfAborted(),
  );
  provisioning.catch(() => undefined);
  late.catch(() => undefined);
  try {
    await Promise.race([provisioning, late]);
  } finally {
    over.abort();
  }
};

/** A start may take long when Postgres recovers; the postmaster accepts a stop from its first moments on. */
const startUnlessAborted = async (cluster: Cluster, signal: AbortSignal): Promise<Postmaster> => {
  const starting = cluster.start();
  const settled = starting.then(
    () => true,
    () => true,
  );
  const stopUntilSettled = async () => {
    while (!(await Promise.race([settled, delay(betweenStopsMs, false)])))
      await cluster.stop().catch(() => undefined);
  };
  const stop = () => void stopUntilSettled();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await starting;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const runningPostgres = (
  cluster: Cluster,
  postmaster: Postmaster,
  options: PostgresHostOptions,
): RunningProcess => {
  const { log } = options;
  const connection = keptConnection(cluster);
  const gone = postmaster.exited.then(
    () => true,
    () => true,
  );
  /** Children that outlive it would keep the next one from starting, and nothing would end them after us. */
  const endFamily = () =>
    cluster.stop().catch((error: Error) => log.line(`ERROR: ${error.message}; the next start tries again`));
  const ended = async () => {
    await gone;
    connection.drop();
    await endFamily();
    const lastLines = log.lastLines();
    const end = { reason: 'Postgres ended', needsConfiguration: false, lastLines };
    const isFull = lastLines.some((line) => /^(?:FATAL|PANIC):/.test(line) && isDiskFull(new Error(line)));
    return isFull
      ? { ...end, reason: healthReasons['database-disk-full'], untilMended: untilRoomFor(options) }
      : end;
  };
  return {
    pid: postmaster.pid,
    ended: ended(),
    probe: (signal) => connection.ask(signal),
    async stop(how) {
      connection.drop();
      const times = how === 'now' ? hurriedStop : orderlyStop;
      do {
        await cluster.stop(times).catch((error: Error) => log.line(`ERROR: ${error.message}; trying again`));
      } while (!(await Promise.race([gone, delay(betweenStopsMs, false)])));
    },
  };
};

const slowConnectMs = 30_000;

/** A connection is replaced after this many questions, since an old one says nothing about the postmaster. */
const questionsPerConnection = 5;

const keptConnection = (cluster: Cluster) => {
  let client: Client | null = null;
  let questions = 0;

  /** Not waited for: a hanging server would not close it. */
  const drop = () => {
    client?.end().catch(() => undefined);
    client = null;
  };
  /** One that a slow machine makes after its question was given up serves the next question. */
  const connect = singleFlight((): Promise<Client> => cluster.connect(undefined, slowConnectMs));

  return {
    drop,
    async ask(signal: AbortSignal): Promise<Health> {
      if (questions >= questionsPerConnection) drop();
      if (!client) {
        client = await connect();
        questions = 0;
        if (signal.aborted) throw new Error('connected too late for this question');
      }
      questions += 1;
      // An answer that does not come makes the connection useless.
      signal.addEventListener('abort', drop, { once: true });
      try {
        await client.query('select 1');
      } catch (error) {
        drop();
        throw error;
      } finally {
        signal.removeEventListener('abort', drop);
      }
      return { condition: 'ok', detail: null };
    },
  };
};
