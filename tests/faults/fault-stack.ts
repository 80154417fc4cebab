import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Endpoint, EndpointResponse } from '#contracts/kernel/http.ts';
import { eventually } from '#harness/eventually.ts';
import { type Installation, installOver } from '#harness/licensed-home.ts';
import { callAsOwner, type OwnerCall } from '#harness/owner-call.ts';
import { freePort } from '#harness/ports.ts';
import type { Postmaster } from '#runtime/postgres/postmaster.ts';
import { Secret } from '#runtime/secret.ts';
import { programsFolder } from '../../build/bundle.ts';
import { openTestCluster } from '../../server/kernel/testing/test-cluster.ts';
import { createFaultApi, type FaultApi } from './fault-api.ts';
import { createHitCommands, type HitCommands } from './hit-commands.ts';

/** API processes as they ship over their own Postgres; all of them can be killed as by `kill -9`. */
export interface FaultStack extends AsyncDisposable {
  readonly installation: Installation;
  /** The first one runs; the others are started by `startOthers`. */
  readonly apis: readonly FaultApi[];
  /** What the faults have hit. */
  readonly hit: HitCommands;
  /** They know only the game servers that are there when they start. */
  startOthers(): Promise<void>;
  /** Kills it and starts it again. */
  killApi(api: FaultApi): Promise<void>;
  killPostgres(): Promise<void>;
  /** Takes a cold copy of the database, with the API killed for that time. */
  takeSnapshot(): Promise<void>;
  /** Replaces the database by the copy, with the API killed for that time. */
  restoreSnapshot(): Promise<void>;
  /** Waits if the database is down. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Calls an API that is not stopped as the owner of the machine. @throws when it is refused */
  call<E extends Endpoint>(endpoint: E, input?: OwnerCall): Promise<EndpointResponse<E>>;
}

const run = promisify(execFile);
const databaseDeadlineMs = 60_000;

/**
 * @param folder of the cluster; other accounts can traverse it
 * @param apiCount API processes on the one database
 */
export const startFaultStack = async (folder: string, apiCount: number): Promise<FaultStack> => {
  await using building = new AsyncDisposableStack();
  const postgres = building.use(await openTestCluster(folder, await freePort()));
  let postmaster: Postmaster = await postgres.start();
  const url = `${postgres.databaseUrl.reveal()}?connection_limit=10`;
  const program = join(programsFolder, 'api.mjs');
  const installation = building.use(await installOver(new Secret(url), {}, program));
  const ports = [Number(installation.variables.API_PORT)];
  while (ports.length < apiCount) ports.push(await freePort());
  const apis = ports.map((port) => createFaultApi(installation, port));
  const [first, ...others] = apis;
  await first?.start();
  const snapshot = join(folder, 'snapshot');
  const { dataFolder } = postgres.cluster;

  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    const client = await postgres.cluster.connect('castellan');
    try {
      return (await client.query(text, [...values])).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  const queryWhenUp: FaultStack['query'] = <Row>(text: string, values?: readonly unknown[]) =>
    eventually(async () => {
      try {
        return await query<Row>(text, values);
      } catch (error) {
        await delay(100);
        throw error;
      }
    }, databaseDeadlineMs);
  const hit = createHitCommands(queryWhenUp);

  const endApi = async (api: FaultApi) => {
    const { processId } = api;
    await api.end();
    await hit.heldBy(processId);
  };
  const whileStopped = async (work: () => Promise<unknown>) => {
    await Promise.all(apis.map(endApi));
    await postgres.cluster.stop();
    await work();
    postmaster = await postgres.start();
    await Promise.all(apis.map((api) => api.start()));
  };
  const owned = building.move();

  return {
    installation,
    apis,
    hit,
    startOthers: async () => void (await Promise.all(others.map((api) => api.start()))),
    async killApi(api) {
      await endApi(api);
      await api.start();
    },
    async killPostgres() {
      process.kill(postmaster.pid, 'SIGKILL');
      await postmaster.exited;
      // A busy machine may not answer in time.
      postmaster = await eventually(postgres.start, databaseDeadlineMs);
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
    query: queryWhenUp,
    call(endpoint, input) {
      const api = apis.find(({ isStopped }) => !isStopped);
      if (!api) throw new Error('every API is stopped');
      return callAsOwner(api, endpoint, input);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
