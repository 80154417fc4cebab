import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type * as z from 'zod';
import type { Endpoint, EndpointResponse } from '#contracts/http.ts';
import { eventually } from '#harness/eventually.ts';
import { type ApiProcess, type Installation, installOver } from '#harness/licensed-home.ts';
import { freePort } from '#harness/ports.ts';
import type { Postmaster } from '#runtime/postgres/postmaster.ts';
import { Secret } from '#runtime/secret.ts';
import { programsFolder } from '../../build/bundle.ts';
import { openTestCluster } from '../../server/testing/test-cluster.ts';

/** An API as it ships with its own Postgres; both can be killed as by `kill -9`. */
export interface FaultStack extends AsyncDisposable {
  readonly installation: Installation;
  killApi(): Promise<void>;
  killPostgres(): Promise<void>;
  /** Takes a cold copy of the database, with the API killed for that time. */
  takeSnapshot(): Promise<void>;
  /** Replaces the database by the copy, with the API killed for that time. */
  restoreSnapshot(): Promise<void>;
  /** Waits if the database is down. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Calls as the owner of the machine. @throws when it is refused */
  call<E extends Endpoint>(endpoint: E, input?: CallInput): Promise<EndpointResponse<E>>;
}

interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const run = promisify(execFile);
const databaseDeadlineMs = 60_000;

/** @param folder of the cluster; other accounts can traverse it */
export const startFaultStack = async (folder: string): Promise<FaultStack> => {
  await using building = new AsyncDisposableStack();
  const postgres = building.use(await openTestCluster(folder, await freePort()));
  let postmaster: Postmaster = await postgres.start();
  const url = `${postgres.databaseUrl.reveal()}?connection_limit=10`;
  const program = join(programsFolder, 'api.mjs');
  const installation = building.use(await installOver(new Secret(url), {}, program));
  let api: ApiProcess = await installation.startApi();
  const snapshot = join(folder, 'snapshot');
  const { dataFolder } = postgres.cluster;

  const endApi = async () => {
    const exited = once(api.process, 'exit');
    api.process.kill('SIGKILL');
    await exited;
  };
  const startApi = async () => {
    api = await installation.startApi();
  };
  const whileStopped = async (work: () => Promise<unknown>) => {
    await endApi();
    await postgres.cluster.stop();
    await work();
    postmaster = await postgres.start();
    await startApi();
  };
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const client = await postgres.cluster.connect('castellan');
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const owned = building.move();

  return {
    installation,
    async killApi() {
      await endApi();
      await startApi();
    },
    async killPostgres() {
      process.kill(postmaster.pid, 'SIGKILL');
      await postmaster.exited;
      postmaster = await postgres.start();
    },
    takeSnapshot: () =>
      whileStopped(async () => {
        await rm(snapshot, { recursive: true, force: true });
        await run('cp', ['-a', dataFolder, snapshot]);
      }),
    restoreSnapshot: () =>
      whileStopped(async () => {
        await rm(dataFolder, { recursive: true });
        await run('cp', ['-a', snapshot, dataFolder]);
      }),
    query: <Row>(text: string, values?: readonly unknown[]) =>
      eventually(async () => {
        try {
          return await query<Row>(text, values);
        } catch (error) {
          await delay(100);
          throw error;
        }
      }, databaseDeadlineMs),
    async call(endpoint, { params = {}, query: search, body } = {}) {
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '');
      const response = await api.fetch(search ? `${path}?${new URLSearchParams(search)}` : path, {
        method: endpoint.method,
        headers: { 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${endpoint.method} ${path}: ${text}`);
      return (endpoint.response as z.ZodType).parse(JSON.parse(text)) as never;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
