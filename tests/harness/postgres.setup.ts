import type { TestProject } from 'vitest/node';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { freePort } from './ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The superuser's connection string for this run's Postgres. */
    postgresUrl: string;
  }
}

/** One real Postgres for the whole run; each test file creates its own databases in it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await temporaryFolder('postgres');
  const cluster = await openCluster({
    folder: folder.path,
    port: await freePort(),
    settings: { max_connections: 400, fsync: 'off', synchronous_commit: 'off' },
  });
  await cluster.start();
  project.provide(
    'postgresUrl',
    cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres').reveal(),
  );
  return async () => {
    await cluster.stop();
    await folder[Symbol.asyncDispose]();
  };
};
