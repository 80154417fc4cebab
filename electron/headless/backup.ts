import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import { demandAnswer } from '#runtime/answering-folder.ts';
import { filesBeside } from '#runtime/backup/backup-manifest.ts';
import { backUpHome } from '#runtime/backup/keep-backups.ts';
import { clusterFolder } from '#runtime/backup/take-full-backup.ts';
import { inMegabytes } from '#runtime/disk-space.ts';
import { demandBackupFolder } from '#runtime/folder-check/demand-folder.ts';
import { type Guardian, startGuardian } from '#runtime/guardian/guardian.ts';
import { findFreePort } from '#runtime/ports.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { type Cluster, openCluster } from '#runtime/postgres/cluster.ts';
import { databaseIn, halfDatabaseWords } from '#runtime/postgres/database-state.ts';
import { runningPort } from '#runtime/postgres/running-postmaster.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import { callSupervisor } from '../control/control-client.ts';
import { holdHome } from '../control/held-home.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import type { CommandContext } from './command-context.ts';
import { readInstallation } from './installation.ts';

/** `castellan backup`: of a running stack, or of a stopped one, whose database is started just for this. */
export const backUp = async (
  { home, programsFolder, variables, terminal }: CommandContext,
  {
    to,
  }: {
    readonly to?: string;
  },
): Promise<void> => {
  const { databaseUrl } = await readInstallation(home);
  const folder = to === undefined ? backupsFolder(home) : resolve(to);
  await demandAnswer(folder);
  if (to !== undefined)
    for (const words of await demandBackupFolder(folder, { variables, programsFolder })) terminal.say(words);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dataFolder = join(clusterFolder(home), 'data');
  const database = databaseIn(dataFolder);
  if (database === 'half') throw new StartupError(halfDatabaseWords(dataFolder));
  if (database === 'none')
    throw new StartupError(`There is no database in ${home} yet. Start the stack once with: castellan start`);
  await using resources = new AsyncDisposableStack();
  const guardian = resources.use(
    startGuardian(process.execPath, join(programsFolder, 'guardian.mjs'), () => undefined),
  );
  const cancel = new AbortController();
  const callOff = () => cancel.abort(new StartupError('Cancelled. Nothing of the backup was kept.'));
  process.once('SIGINT', callOff).once('SIGTERM', callOff);
  const stack = await callSupervisor(home, stackControl.status);
  if (stack !== null) demandDatabase(stack);
  const url = stack !== null ? databaseUrl : await startAlone(home, databaseUrl, guardian, resources);
  terminal.say('Backing up and testing the backup …');
  const { path, bytes, proof } = await backUpHome({
    owner: 'castellan',
    home,
    files: filesBeside,
    databaseUrl: url,
    folder,
    kind: 'manual',
    cause: { kind: 'command', command: 'castellan backup' },
    signal: cancel.signal,
    guardian,
  }).catch((error: unknown) => {
    throw cancel.signal.aborted ? cancel.signal.reason : error;
  });
  process.off('SIGINT', callOff).off('SIGTERM', callOff);
  const rows = Object.values(proof.rows).reduce((sum, count) => sum + count, 0);
  terminal.say(`Backup taken: ${path}
  ${inMegabytes(bytes)}. In a test start the database had ${Object.keys(proof.rows).length} tables with ${rows} rows.
It contains the keys of this installation. Keep it where only you can read it.
Restore it with: castellan restore "${path}"`);
};

/** Its holder may have stopped the stack, as the desktop does, and still hold the data folder. */
const demandDatabase = ({ components, home, heldBy }: StackStatus): void => {
  const state = components.find(({ name }) => name === 'postgres')?.state;
  if (state === undefined || state === 'running' || state === 'unhealthy') return;
  throw new StartupError(
    `The database in ${home} is not running (${state}), and ${heldBy} is using the folder. Start the stack there or close that program, then back up again.`,
  );
};

const firstPort = 25_440;

/**
 * Starts only the database, for as long as the backup takes; as the superuser, since only the supervisor sets up the role. A
 * database that runs without a supervisor, like the service of Postgres beside a stopped API, is used as it runs.
 */
const startAlone = async (
  home: string,
  databaseUrl: Secret,
  guardian: Guardian,
  resources: AsyncDisposableStack,
): Promise<Secret> => {
  const { database } = readDatabaseUrl(databaseUrl);
  const urlOf = (cluster: Cluster) =>
    cluster.connectionUrl('postgres', cluster.superuserPassword, encodeURIComponent(database));
  const folder = clusterFolder(home);
  const portInUse = await runningPort(join(folder, 'data'));
  if (portInUse !== null) return urlOf(await openCluster({ folder, port: portInUse }));
  resources.use(await holdHome(home, 'castellan backup'));
  const port = await findFreePort(firstPort);
  if (port === null)
    throw new StartupError(
      `No port from ${firstPort} upwards is free for Postgres. Close a program that uses one, then try again.`,
    );
  const name = 'postgres';
  const cluster = await openCluster({
    folder,
    port,
    onSpawn: (pid) => guardian.watch({ name, pid, cluster: cluster.stopTarget }),
  });
  resources.defer(async () => {
    await cluster.stop();
    guardian.forget(name);
  });
  const { pid } = await cluster.start();
  guardian.watch({ name, pid, cluster: cluster.stopTarget });
  return urlOf(cluster);
};
