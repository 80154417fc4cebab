import { stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { DataFolderReport } from '#contracts/desktop/desktop-data-folder.ts';
import type { FolderWarning } from '#contracts/operations/folder-findings.ts';
import { checkFolder, type FolderQuestion, realOf, refusalIn } from '#runtime/folder-check/check-folder.ts';
import { isWithin } from '#runtime/folder-check/path-within.ts';
import { databaseIn, halfDatabaseWords } from '#runtime/postgres/database-state.ts';
import { postgresFolder } from '../stack/operator-role.ts';
import { envPathChanges } from './env-paths.ts';
import { isFreeFor } from './move-marks.ts';
import { surveyHome } from './survey-home.ts';

interface TargetOptions {
  readonly home: string;
  readonly target: string;
  /** Where Castellan itself is installed: an update would remove everything else there. */
  readonly programsFolder: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly system?: FolderQuestion['system'];
}

/** Postgres keeps 512 MB of its log for backups, and logs and a backup need room, too. */
const spareBytes = 1024 ** 3;

/** Whether the data folder can move into a folder, which need not exist yet. Leaves nothing behind. */
export const checkTarget = async (options: TargetOptions): Promise<DataFolderReport> => {
  const { home, target, programsFolder, variables, system } = options;
  const question = { variables, programsFolder, ...(system && { system }) };
  const findings = await checkFolder(target, { asker: 'move', ...question });
  const refusal = refusalIn(findings);
  if (refusal !== null && refusal.code !== 'full') return { outcome: refusal.code, detail: refusal.detail };
  const nearest = await nearestThere(target);
  const fault = await relationFault(options, await realTarget(target, nearest));
  if (fault !== null) return fault;
  return contentFault(
    home,
    nearest,
    target,
    findings.map(({ code, detail }) => ({ code, detail })),
  );
};

/** Resolves links, and on Windows the letter of a network drive, too. */
const realTarget = async (target: string, nearest: string): Promise<string> =>
  join(await realOf(nearest), resolve(target).slice(resolve(nearest).length));

const nearestThere = async (path: string): Promise<string> => {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? path : nearestThere(dirname(path));
};

/** How the target lies to what is there now. */
const relationFault = async (
  { home, programsFolder }: TargetOptions,
  real: string,
): Promise<DataFolderReport | null> => {
  const realHome = await realOf(home);
  if (isWithin(realHome, real) || isWithin(real, realHome))
    return {
      outcome: 'inside',
      detail: `${real} and ${realHome} are inside each other. Choose another folder.`,
    };
  const realPrograms = await realOf(programsFolder);
  // It would be copied along, and deleted with the old folder.
  if (isWithin(realHome, realPrograms))
    return { outcome: 'unmovable', detail: `The programs of Castellan are in this folder: ${realPrograms}.` };
  const dataFolder = join(postgresFolder(home), 'data');
  return databaseIn(dataFolder) === 'half'
    ? { outcome: 'unmovable', detail: halfDatabaseWords(dataFolder) }
    : null;
};

const contentFault = async (
  home: string,
  nearest: string,
  target: string,
  warnings: FolderWarning[],
): Promise<DataFolderReport> => {
  if (nearest === target && !(await isFreeFor(home, target)))
    return { outcome: 'not-empty', detail: `${target} is not empty. Choose an empty folder.` };
  try {
    const { bytes, files } = await surveyHome(home);
    await envPathChanges(home);
    const { bavail, bsize } = await statfs(nearest);
    const freeBytes = bavail * bsize;
    const neededBytes = bytes + spareBytes;
    if (freeBytes < neededBytes) return { outcome: 'full', neededBytes, freeBytes };
    return { outcome: 'fine', bytes, files, freeBytes, warnings };
  } catch (error) {
    return { outcome: 'unmovable', detail: (error as Error).message };
  }
};
