import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { actAsOwner } from '#runtime/act-as-owner.ts';
import { demandAnswer } from '#runtime/answering-folder.ts';
import { passwordFile } from '#runtime/backup/backup-manifest.ts';
import { backUpHome } from '#runtime/backup/keep-backups.ts';
import { noChecksums, restoreHome } from '#runtime/backup/restore-home.ts';
import { finishHomeRestore, leftRestoreWords } from '#runtime/backup/restore-journal.ts';
import { clusterFolder } from '#runtime/backup/take-full-backup.ts';
import { readEnvFile } from '#runtime/env.ts';
import { demandBackupFolder, demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { startGuardian } from '#runtime/guardian/guardian.ts';
import { makeHome } from '#runtime/home.ts';
import { createLog } from '#runtime/log.ts';
import { backupsFolder } from '#runtime/postgres/backup.ts';
import { Secret } from '#runtime/secret.ts';
import { portalHome, readPortalConfig } from '../config.ts';
import { reachDatabase } from '../database/reach-database.ts';
import { describeHolder, tryToLockHome } from '../home/home-lock.ts';
import { CommandError, exitCodes, formatFields, type Said } from './outcome.ts';
import { answerCommand, type CommandEnvironment, enterHome, sayOnStderr } from './run-command.ts';

interface BackupCommandOptions {
  readonly to?: string;
  readonly json?: boolean;
}

const external = `This portal uses the database of PORTAL_DATABASE_URL, whose files are not here. Back it up where it runs:
  pg_dump --format=custom --file=portal.dump "$PORTAL_DATABASE_URL"
and keep PORTAL_MASTER_KEY apart from it. See docs/operations, "Backup".`;

const stderr = 2;
const owner = 'castellan-portal';

/** Backs up the portal's own Postgres; works while the portal is running. */
export const backupCommand = (environment: CommandEnvironment): Command =>
  new Command('backup')
    .description(
      "Back up the portal's own database with .env, and test the backup; the portal may be running",
    )
    .option('--to <folder>', 'where to, such as another disk (default: backups/ in the home)')
    .option('--json', 'print JSON')
    .action((options: BackupCommandOptions) => answerCommand(options, () => backUp(environment, options)));

const backUp = async (
  { variables, guardianEntry }: CommandEnvironment,
  { to }: BackupCommandOptions,
): Promise<Said> => {
  await enterHome(variables);
  const config = await readPortalConfig(variables);
  if (config.databaseUrl) throw new CommandError(external, exitCodes.failed);
  const { home, envFile } = config;
  if (!existsSync(join(clusterFolder(home), 'data')))
    throw new CommandError(`There is no database in ${home} yet.`, exitCodes.failed);
  const folder = to === undefined ? backupsFolder(home) : resolve(to);
  await demandAnswer(folder);
  if (to !== undefined)
    for (const words of await demandBackupFolder(folder, { variables })) sayOnStderr(words);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await using resources = new AsyncDisposableStack();
  const log = createLog({ component: 'portal', level: 'warn', fd: stderr });
  const onLost = (error: unknown) => log.error({ err: error }, 'lost the database');
  const reached = await reachDatabase({ config, purpose: 'command', guardianEntry, log, resources, onLost });
  const guardian = resources.use(startGuardian(process.execPath, guardianEntry, () => undefined));
  const taken = await backUpHome({
    owner,
    home,
    files: ['.env'],
    databaseUrl: await superuserUrl(home, reached.databaseUrl),
    folder,
    kind: 'manual',
    cause: { kind: 'command', command: 'portal backup' },
    guardian,
  });
  const hasKey = Boolean((await readEnvFile(envFile)).PORTAL_MASTER_KEY);
  const { path, bytes, proof } = taken;
  const licenses = proof.rows['public.licenses'] ?? 0;
  const keyWords = hasKey
    ? 'It holds the master key, too: this folder alone gives every license key away.'
    : 'PORTAL_MASTER_KEY comes from the environment and is not in it; without that key the backup is worth nothing.';
  return {
    text: `${formatFields({ Backup: path, Bytes: String(bytes), Licenses: String(licenses) })}${keyWords}\n`,
    json: { path, bytes, licenses, hasMasterKey: hasKey },
  };
};

/** The portal's own role may not ask Postgres for a backup. */
const superuserUrl = async (home: string, databaseUrl: Secret): Promise<Secret> => {
  const url = new URL(databaseUrl.reveal());
  url.username = 'postgres';
  url.password = (await readFile(join(clusterFolder(home), passwordFile), 'utf8')).trim();
  return new Secret(url.href);
};

/** Needs a stopped portal; the previous data is kept next to it. */
export const restoreCommand = (environment: CommandEnvironment): Command =>
  new Command('restore')
    .description('Restore a backup; what the data folder held is kept next to it')
    .argument('<folder>', 'a backup as `portal backup` made it')
    .option('--json', 'print JSON')
    .action((backup: string, options: { readonly json?: boolean }) =>
      answerCommand(options, () => restore(environment, resolve(backup))),
    );

const restore = async ({ variables, guardianEntry }: CommandEnvironment, backup: string): Promise<Said> => {
  const home = portalHome(variables);
  await actAsOwner(home);
  await demandAnswer(backup);
  for (const words of await demandDataFolder(home, { variables })) sayOnStderr(words);
  await makeHome(home);
  const lock = await tryToLockHome(home, 'command');
  if (!lock.held)
    throw new CommandError(`${describeHolder(home, lock)} Stop the portal first.`, exitCodes.failed);
  await using _held = lock;
  const left = await finishHomeRestore(home);
  if (left !== null) sayOnStderr(leftRestoreWords[left]);
  if ((await readPortalConfig(variables).catch(() => null))?.databaseUrl)
    throw new CommandError(external, exitCodes.failed);
  using guardian = startGuardian(process.execPath, guardianEntry, () => undefined);
  const { takenAt, replaced, wasCompared } = await restoreHome({
    owner,
    home,
    backup,
    onlyWhereMissing: [],
    guardian,
  });
  return {
    text: `${wasCompared ? '' : `${noChecksums}\n`}Restored as of ${takenAt}.\nWhat was there before is kept in ${replaced}; delete it when all is well.\n`,
    json: { takenAt, replaced, wasCompared },
  };
};
