import { link, mkdir, mkdtemp, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { DataFolderReport } from '#contracts/desktop-data-folder.ts';
import { blockingFolder, needsAccount } from '#runtime/postgres/account.ts';
import { checkHome } from '../first-start/home-check.ts';
import { envPathChanges } from './env-paths.ts';
import { isFreeFor } from './move-marks.ts';
import { isInside, surveyHome } from './survey-home.ts';

export interface TargetOptions {
  readonly home: string;
  readonly target: string;
  /** Where Castellan itself is installed: an update would take away what else lies there. */
  readonly programsFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Postgres keeps 512 MB of its log for backups, and logs and a backup want room, too. */
const spareBytes = 1024 ** 3;

/** Linux's numbers for file systems of other machines (statfs(2)): NFS, SMB, CIFS, SMB2. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

/** Set by OneDrive for each account that it keeps. */
const syncedVariables = ['OneDrive', 'OneDriveConsumer', 'OneDriveCommercial'] as const;
const syncedName = /^(?:OneDrive|Dropbox|Google Drive|GoogleDrive|iCloudDrive|iCloud Drive)(?: - .*)?$/i;

/** Whether the home can move into a folder, which need not be there yet. Leaves nothing behind. */
export const checkTarget = async (options: TargetOptions): Promise<DataFolderReport> => {
  const { home, target } = options;
  const asHome = await checkHome(target);
  if ('detail' in asHome && asHome.outcome !== 'key-lost')
    return { outcome: asHome.outcome, detail: asHome.detail };
  const nearest = await nearestThere(target);
  // Links are seen through, and on Windows the letter of a network drive, too.
  const real = join(await realOf(nearest), resolve(target).slice(resolve(nearest).length));
  return (await placeFault(options, nearest, real)) ?? (await contentFault(home, nearest, target));
};

/** Some drives of Windows, such as those in memory, tell nobody what they really are. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

const nearestThere = async (path: string): Promise<string> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? path : nearestThere(dirname(path));
};

const placeFault = async (
  { home, programsFolder, variables }: TargetOptions,
  nearest: string,
  real: string,
): Promise<DataFolderReport | null> => {
  const realHome = await realOf(home);
  const contains = (folder: string, path: string) =>
    process.platform === 'win32'
      ? isInside(path.toLowerCase(), folder.toLowerCase())
      : isInside(path, folder);
  if (contains(realHome, real) || contains(real, realHome))
    return { outcome: 'inside', detail: `${real} and ${realHome} lie in each other.` };
  const realPrograms = await realOf(programsFolder);
  // It would be copied along, and deleted with the old folder.
  if (contains(realHome, realPrograms))
    return { outcome: 'unmovable', detail: `Castellan itself is in the folder: ${realPrograms}.` };
  if (contains(realPrograms, real))
    return { outcome: 'programs', detail: `Castellan itself is in ${programsFolder}.` };
  const isElsewhere = real.startsWith('\\\\') || networkTypes.has((await statfs(nearest)).type);
  if (isElsewhere) return { outcome: 'network', detail: `${real} is on another machine.` };
  const synced = syncedVariables.map((name) => variables[name] ?? '').filter((path) => path !== '');
  if (synced.some((path) => contains(path, real)) || real.split(sep).some((name) => syncedName.test(name)))
    return { outcome: 'synced', detail: `${real} is kept in step with a cloud.` };
  return rightsFault(nearest, real);
};

/** Postgres refuses a folder into which others may look, as on file systems that know no rights. */
const rightsFault = async (nearest: string, real: string): Promise<DataFolderReport | null> => {
  const isWindows = process.platform === 'win32';
  const probe = await mkdtemp(join(nearest, '.castellan-'));
  try {
    const inner = join(probe, 'inner');
    await mkdir(inner, { mode: 0o700 });
    const { mode } = await stat(inner);
    const isPrivate = isWindows || (mode & 0o077) === 0;
    if (!isPrivate || !(await hasSecondNames(inner)))
      return { outcome: 'rights', detail: `The disk of ${real} knows no rights of accounts.` };
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  if (isWindows) return null;
  const blocked = needsAccount() ? blockingFolder(join(await realpath(nearest), 'x')) : null;
  return blocked ? { outcome: 'rights', detail: `${blocked} is closed to the account of Postgres.` } : null;
};

/** Which our locks are made of; file systems without rights, such as FAT, have none either. */
const hasSecondNames = async (folder: string): Promise<boolean> => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  return link(file, join(folder, 'second name')).then(
    () => true,
    () => false,
  );
};

const contentFault = async (home: string, nearest: string, target: string): Promise<DataFolderReport> => {
  if (nearest === target && !(await isFreeFor(home, target)))
    return { outcome: 'not-empty', detail: `There is something in ${target} already.` };
  try {
    const { bytes, files } = await surveyHome(home);
    await envPathChanges(home);
    const { bavail, bsize } = await statfs(nearest);
    const freeBytes = bavail * bsize;
    const neededBytes = bytes + spareBytes;
    if (freeBytes < neededBytes) return { outcome: 'full', neededBytes, freeBytes };
    return { outcome: 'fine', bytes, files, freeBytes };
  } catch (error) {
    return { outcome: 'unmovable', detail: (error as Error).message };
  }
};
