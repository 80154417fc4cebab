import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { patientRemoval } from '../busy-file.ts';
import type { DiskWorker } from '../disk-worker/disk-worker.ts';
import { copySteadily, copyTree } from '../disk-worker/steady-copy.ts';
import type { Guardian } from '../guardian/guardian.ts';
import { accountFor, giveTo } from '../postgres/account.ts';
import { manifestName } from '../postgres/backup.ts';
import { checksumsName } from '../postgres/backup-checksums.ts';
import { type Cluster, openCluster } from '../postgres/cluster.ts';
import { isPostmasterRunning } from '../postgres/running-postmaster.ts';

export interface ScratchOptions {
  /** The files of a backed-up database. */
  readonly database: string;
  /** File with the superuser's password in that database. */
  readonly passwordFile: string;
  /** Holds the scratch cluster while it exists; leftovers of a killed trial are removed first. */
  readonly folder: string;
  /** The data folder's own cluster, for its binaries and the account that owns its data. */
  readonly binariesFolder: string;
  /** Reads the backup. */
  readonly worker: DiskWorker;
  /** Stops the scratch cluster when this process is killed. */
  readonly guardian?: Pick<Guardian, 'watch' | 'forget'> | undefined;
  /** Called before the cluster starts. */
  readonly onCopied?: () => void;
}

const ward = 'scratch-postgres';

/** Nothing in it outlives the trial, and only the trial uses it. */
const settings = { fsync: 'off', autovacuum: 'off', wal_keep_size: 0, shared_buffers: '32MB' };

/**
 * Starts a cluster from a copy of a backup, on a random port of this machine, protected by the superuser's password. It is
 * stopped when `work` ends; its files stay for the caller, or `removeScratch` removes them.
 * @throws {StartupError} with Postgres's own message when it does not start
 */
export const withScratchCluster = async <T>(
  options: ScratchOptions,
  work: (cluster: Cluster) => Promise<T>,
): Promise<T> => {
  const { database, passwordFile, folder, binariesFolder, worker, guardian } = options;
  await removeScratch(folder, binariesFolder);
  const data = join(folder, 'data');
  await worker.run(copyToScratch, { database, passwordFile, folder });
  options.onCopied?.();
  const account = accountFor(join(binariesFolder, 'data'));
  if (account) await giveTo(account, data);
  const cluster = await openCluster({
    folder,
    binariesFolder,
    port: await someFreePort(),
    settings,
    onSpawn: (pid) => guardian?.watch({ name: ward, pid, cluster: cluster.stopTarget }),
  });
  try {
    const { pid } = await cluster.start();
    guardian?.watch({ name: ward, pid, cluster: cluster.stopTarget });
    return await work(cluster);
  } finally {
    await cluster.stop();
    guardian?.forget(ward);
  }
};

/** A task of a disk worker. */
export const copyToScratch = async ({
  database,
  passwordFile,
  folder,
}: Pick<ScratchOptions, 'database' | 'passwordFile' | 'folder'>): Promise<void> => {
  const data = join(folder, 'data');
  await mkdir(folder, { recursive: true, mode: 0o711 });
  const password = join(folder, 'superuser.password');
  await copySteadily(passwordFile, password);
  await copyTree(database, data);
  // Disks without permissions, such as exFAT and network drives, show all files as open; Postgres refuses such a folder.
  await chmod(password, 0o600);
  await chmod(data, 0o700);
  for (const name of [manifestName, checksumsName]) await rm(join(data, name), patientRemoval);
};

/** Stops what a killed trial may have left running, and removes its files. */
export const removeScratch = async (folder: string, binariesFolder: string): Promise<void> => {
  if (await isPostmasterRunning(join(folder, 'data')))
    await (await openCluster({ folder, binariesFolder, port: 0 })).stop();
  await rm(folder, patientRemoval);
};

const someFreePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
