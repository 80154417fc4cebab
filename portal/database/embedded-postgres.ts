import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { whenThereIsRoom } from '#runtime/disk-space.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import type { Log } from '#runtime/log.ts';
import { type Cluster, openCluster, provisionDeadlineMs } from '#runtime/postgres/cluster.ts';
import { Secret } from '#runtime/secret.ts';

const name = 'portal';
const ward = 'portal-postgres';

/** Derived, so that no file contains it and a command can compute it from the master key alone. */
const rolePassword = (masterKey: Secret): Secret =>
  new Secret(
    Buffer.from(
      hkdfSync('sha256', Buffer.from(masterKey.reveal(), 'hex'), '', 'castellan-portal database role', 24),
    ).toString('base64url'),
  );

/** The address at which the portal reaches its own Postgres. */
export const embeddedDatabaseUrl = (port: number, masterKey: Secret): Secret =>
  new Secret(`postgresql://${name}:${rolePassword(masterKey).reveal()}@127.0.0.1:${port}/${name}`);

const restartPauseMs = 500;
const maxRestarts = 5;
/** A postmaster that ran this long was not part of a crash loop. */
const settledMs = 60_000;

/**
 * Runs Postgres in the data folder until disposed. A postmaster that dies is started again; a guardian stops it when
 * this process is killed.
 */
export const startEmbeddedPostgres = async (options: {
  readonly home: string;
  readonly port: number;
  readonly masterKey: Secret;
  readonly guardianEntry: string;
  readonly log: Log;
  /** Postgres died and cannot be started again. */
  readonly onLost: (error: unknown) => void;
}): Promise<AsyncDisposable> => {
  const { home, port, masterKey, guardianEntry, log, onLost } = options;
  await using started = new AsyncDisposableStack();
  const guardian = started.use(
    startGuardian(process.execPath, guardianEntry, () => log.warn('the guardian ended')),
  );
  const watch = (pid: number) => guardian.watch({ name: ward, pid, cluster: cluster.stopTarget });
  const cluster = await openCluster({
    folder: join(home, 'postgres'),
    port,
    onSpawn: watch,
    onLine: (line) => log[/\b(?:FATAL|PANIC|ERROR)\b/.test(line) ? 'warn' : 'debug']({ line }, 'postgres'),
  });
  /** Aborted once it is to stop. */
  const over = new AbortController();
  let restarting = Promise.resolve();

  const start = async (restarts: number): Promise<void> => {
    const { pid, exited } = await cluster.start();
    watch(pid);
    const since = performance.now();
    void exited.then(() => {
      if (!over.signal.aborted)
        restarting = restart(performance.now() - since > settledMs ? 0 : restarts).catch(onLost);
    });
  };
  const restart = async (restarts: number): Promise<void> => {
    if (restarts >= maxRestarts) throw new Error(`Postgres has died ${restarts + 1} times in a row`);
    log.error({ restarts }, 'Postgres died; restarting it');
    await delay(restartPauseMs * restarts);
    if (over.signal.aborted) return;
    const onFull = (error: Error) =>
      log.error({ err: error }, 'the disk is full; waiting until there is room');
    try {
      await whenThereIsRoom(home, () => start(restarts + 1), { signal: over.signal, onFull });
    } catch (error) {
      if (over.signal.aborted) return;
      log.error({ err: error }, 'could not start Postgres');
      await restart(restarts + 1);
    }
  };

  started.defer(async () => {
    over.abort();
    await restarting;
    await cluster.stop();
    guardian.forget(ward);
  });
  await start(0);
  await provision(cluster, rolePassword(masterKey));
  const kept = started.move();
  return { [Symbol.asyncDispose]: () => kept.disposeAsync() };
};

/** The portal's role owns its database and nothing else. */
const provision = async (cluster: Cluster, password: Secret): Promise<void> => {
  const client = await cluster.connect(undefined, provisionDeadlineMs);
  try {
    const role = await client.query('select from pg_roles where rolname = $1', [name]);
    if (role.rowCount === 0) await client.query(`create role ${name} login`);
    await client.query(`alter role ${name} password '${password.reveal()}'`);
    const database = await client.query('select from pg_database where datname = $1', [name]);
    if (database.rowCount === 0) await client.query(`create database ${name} owner ${name}`);
  } finally {
    await client.end();
  }
};
