import { link, mkdir, mkdtemp, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DataFolderReport } from '#contracts/desktop-data-folder.ts';
import type { HomeReport } from '#contracts/desktop-first-run.ts';
import { blockingFolder, needsAccount } from '#runtime/postgres/account.ts';
import { checkHome } from '../first-start/home-check.ts';
import { envPathChanges } from './env-paths.ts';
import { isFreeFor } from './move-marks.ts';
import { isWithin, surveyHome } from './survey-home.ts';
import { unfitFolder } from './unfit-folder.ts';

export interface TargetOptions {
  readonly home: string;
  readonly target: string;
  /** Where Castellan itself is installed: an update would remove everything else there. */
  readonly programsFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Postgres keeps 512 MB of its log for backups, and logs and a backup need room, too. */
const spareBytes = 1024 ** 3;

export interface NewHomeOptions extends Pick<TargetOptions, 'target' | 'programsFolder' | 'variables'> {
  readonly neededBytes?: number;
}

/** A year of log files (each program keeps 60 MiB), the 512 MB log of Postgres, its tables, and a backup of them. */
const firstYearBytes = 3 * 1024 ** 3;

/** What rules out a first data folder in a folder that `checkHome` calls new; null when nothing does. Leaves nothing behind. */
export const newHomeFault = async ({
  neededBytes = firstYearBytes,
  ...options
}: NewHomeOptions): Promise<HomeReport | null> => {
  const nearest = await nearestThere(options.target);
  const fault = await newPlaceFault(options, nearest, await realTarget(options.target, nearest));
  if (fault) return fault;
  const { bavail, bsize } = await statfs(nearest);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return null;
  const detail = `${inGb(freeBytes)} are free. A year of logs and records and a backup need ${inGb(neededBytes)}.`;
  return { outcome: 'full', detail };
};

const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Whether the data folder can move into a folder, which need not exist yet. Leaves nothing behind. */
export const checkTarget = async (options: TargetOptions): Promise<DataFolderReport> => {
  const { home, target } = options;
  const asHome = await checkHome(target);
  if ('detail' in asHome && asHome.outcome !== 'key-lost' && asHome.outcome !== 'full')
    return { outcome: asHome.outcome, detail: asHome.detail };
  const nearest = await nearestThere(target);
  const fault = await placeFault(options, nearest, await realTarget(target, nearest));
  return fault ?? (await contentFault(home, nearest, target));
};

/** Resolves links, and on Windows the letter of a network drive, too. */
const realTarget = async (target: string, nearest: string): Promise<string> =>
  join(await realOf(nearest), resolve(target).slice(resolve(nearest).length));

/** Some drives of Windows, such as those in memory, do not reveal their real path. */
const realOf = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

const nearestThere = async (path: string): Promise<string> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? path : nearestThere(dirname(path));
};

const placeFault = async (
  options: TargetOptions,
  nearest: string,
  real: string,
): Promise<DataFolderReport | null> => {
  const realHome = await realOf(options.home);
  if (isWithin(realHome, real) || isWithin(real, realHome))
    return {
      outcome: 'inside',
      detail: `${real} and ${realHome} are inside each other. Choose another folder.`,
    };
  const realPrograms = await realOf(options.programsFolder);
  // It would be copied along, and deleted with the old folder.
  if (isWithin(realHome, realPrograms))
    return { outcome: 'unmovable', detail: `The programs of Castellan are in this folder: ${realPrograms}.` };
  return newPlaceFault(options, nearest, real);
};

interface PlaceFault {
  readonly outcome: 'programs' | 'network' | 'synced' | 'rights';
  readonly detail: string;
}

/** What rules out any data folder in a place, including a first one. */
const newPlaceFault = async (
  { programsFolder, variables }: Pick<TargetOptions, 'programsFolder' | 'variables'>,
  nearest: string,
  real: string,
): Promise<PlaceFault | null> => {
  const realPrograms = await realOf(programsFolder);
  if (isWithin(realPrograms, real))
    return { outcome: 'programs', detail: `The programs of Castellan are in ${programsFolder}.` };
  return (await unfitFolder({ nearest, real }, variables)) ?? rightsFault(nearest, real);
};

/** Postgres refuses a folder that others can read, as on file systems without permissions. */
const rightsFault = async (nearest: string, real: string): Promise<PlaceFault | null> => {
  const isWindows = process.platform === 'win32';
  const probe = await mkdtemp(join(nearest, '.castellan-'));
  try {
    const inner = join(probe, 'inner');
    await mkdir(inner, { mode: 0o700 });
    const { mode } = await stat(inner);
    const isPrivate = isWindows || (mode & 0o077) === 0;
    if (!isPrivate || !(await hasSecondNames(inner)))
      return { outcome: 'rights', detail: `The disk of ${real} cannot limit access by account.` };
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  if (isWindows) return null;
  const blocked = needsAccount() ? blockingFolder(join(await realpath(nearest), 'x')) : null;
  return blocked ? { outcome: 'rights', detail: `The account of Postgres cannot open ${blocked}.` } : null;
};

/** Our locks are hard links; file systems without permissions, such as FAT, have none either. */
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
    return { outcome: 'not-empty', detail: `${target} is not empty. Choose an empty folder.` };
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
