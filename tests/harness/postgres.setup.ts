import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { dropTemplate, initializedClusterVariable } from './initialized-cluster.ts';
import { onceARun } from './once-a-run.ts';
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
  const { value, release } = await onceARun('postgres', openPostgres);
  project.provide('postgresUrl', value.url);
  return release;
};

const guardianProgram = resolve(import.meta.dirname, '../../runtime/guardian/main.ts');

const openPostgres = async () => {
  // A run that is cut off has no time to stop it.
  const guardian = startGuardian(process.execPath, guardianProgram, () => undefined);
  const folder = await temporaryFolder('postgres');
  const cluster = await openCluster({
    folder: folder.path,
    port: await freePort(),
    settings: {
      max_connections: 400,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: 0,
      max_wal_size: '1GB',
      checkpoint_timeout: '1h',
      shared_buffers: '256MB',
      // Each of the thousands of connections of a run proves its password.
      scram_iterations: 1,
    },
  });
  // Another cluster than the run's own: the product tells clusters apart by what initdb wrote.
  const template = join(folder.path, 'initialized');
  const initialized = await openCluster({
    folder: template,
    port: await freePort(),
    settings: { fsync: 'off' },
  });
  await initialized.start();
  const inInitialized = await initialized.connect();
  await dropTemplate(inInitialized, 'template0');
  await inInitialized.end();
  await initialized.stop();
  process.env[initializedClusterVariable] = template;
  const { pid } = await cluster.start();
  guardian.watch({ name: 'postgres', pid, cluster: cluster.stopTarget });
  const client = await cluster.connect();
  await client.query(`alter role postgres password '${cluster.superuserPassword.reveal()}'`);
  await client.end();
  return {
    url: cluster.connectionUrl('postgres', cluster.superuserPassword, 'postgres').reveal(),
    [Symbol.asyncDispose]: async () => {
      delete process.env[initializedClusterVariable];
      await cluster.stop();
      guardian[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
};
