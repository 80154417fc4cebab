import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { isRestoreUnfinished } from '#runtime/backup/restore-home.ts';
import type { Guardian } from '#runtime/guardian/guardian.ts';
import { type Cluster, openCluster } from '#runtime/postgres/cluster.ts';
import type { Postmaster } from '#runtime/postgres/postmaster.ts';
import { StartupError } from '#runtime/program.ts';
import type { ComponentLog } from '../logs/component-log.ts';
import type { ComponentHost, Health, RunningProcess } from '../supervisor/component.ts';
import type { DatabaseTarget } from './database-url.ts';
import { demandPort } from './port-check.ts';
import { provision } from './provision.ts';

export interface PostgresHostOptions {
  /** Holds the cluster. */
  readonly folder: string;
  /** Read anew at each start. */
  readonly target: () => DatabaseTarget;
  readonly guardian: Guardian;
  readonly log: ComponentLog;
}

const wardName = 'postgres';
const betweenStopsMs = 200;

export const postgresHost = ({ folder, target, guardian, log }: PostgresHostOptions): ComponentHost => ({
  async start(signal) {
    const wanted = target();
    log.forget();
    // Where Windows runs the stack, the holder of the home is another service, and ends the restore meanwhile.
    if (isRestoreUnfinished(dirname(folder)))
      throw new StartupError('A backup is being put in place; the database starts when that is done.');
    const cluster = await openCluster({
      folder,
      port: wanted.port,
      onLine: (line) => log.line(line),
      onSpawn: (pid) => guardian.watch({ name: wardName, pid, stop: cluster.stopCommand }),
    });
    // An earlier supervisor may have left its Postgres, which holds the port.
    await cluster.stop();
    const remedy = (free: number) => `write :${free} instead of :${wanted.port} in DATABASE_URL`;
    await demandPort({ port: wanted.port, host: '127.0.0.1', remedy }, signal);
    const postmaster = await startUnlessAborted(cluster, signal).catch(async (error: unknown) => {
      // A silent postmaster may still be there; only one that is gone is forgotten.
      await cluster.stop();
      guardian.forget(wardName);
      throw error;
    });
    guardian.watch({ name: wardName, pid: postmaster.pid, stop: cluster.stopCommand });
    void postmaster.exited.then(() => guardian.forget(wardName));
    const process = runningPostgres(cluster, postmaster, log);
    try {
      await provision(cluster, wanted);
      return process;
    } catch (error) {
      await process.stop('orderly');
      throw error;
    }
  },
});

/** A start may take long when Postgres recovers; a stop meanwhile is heard by the postmaster from its first moments on. */
const startUnlessAborted = async (cluster: Cluster, signal: AbortSignal): Promise<Postmaster> => {
  const starting = cluster.start();
  const settled = starting.then(
    () => true,
    () => true,
  );
  const stop = async () => {
    while (!(await Promise.race([settled, delay(betweenStopsMs, false)])))
      await cluster.stop().catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await starting;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const runningPostgres = (cluster: Cluster, postmaster: Postmaster, log: ComponentLog): RunningProcess => {
  const connection = keptConnection(cluster);
  const gone = postmaster.exited.then(
    () => true,
    () => true,
  );
  const ended = async () => {
    await gone;
    connection.drop();
    return { reason: 'Postgres ended', needsConfiguration: false, lastLines: log.lastLines() };
  };
  return {
    pid: postmaster.pid,
    ended: ended(),
    probe: (signal) => connection.ask(signal),
    // Never by force: an ended postmaster costs a recovery, and its children may live on. So fast stops, until it is gone.
    async stop() {
      connection.drop();
      do {
        wake(postmaster.pid);
        await cluster.stop().catch((error: Error) => log.line(`ERROR: ${error.message}; trying again`));
      } while (!(await Promise.race([gone, delay(betweenStopsMs, false)])));
    },
  };
};

/** A halted postmaster (SIGSTOP) would never hear that it should stop. */
const wake = (pid: number) => {
  if (process.platform === 'win32') return;
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It is gone already, which is what we want.
  }
};

const giveBack = async (late: Client): Promise<never> => {
  await late.end();
  throw new Error('connected too late');
};

/** A connection is replaced after this many questions, since an old one says nothing about the postmaster. */
const questionsPerConnection = 5;

const keptConnection = (cluster: Cluster) => {
  let client: Client | null = null;
  let questions = 0;

  /** Not waited for: a server that hangs would not let go of it. */
  const drop = () => {
    client?.end().catch(() => undefined);
    client = null;
  };

  return {
    drop,
    async ask(signal: AbortSignal): Promise<Health> {
      if (questions >= questionsPerConnection) drop();
      if (!client) {
        const connected = await cluster.connect();
        if (signal.aborted) return giveBack(connected);
        client = connected;
        questions = 0;
      }
      questions += 1;
      // An answer that does not come leaves the connection useless.
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
