import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, realpath, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, resolve } from 'node:path';
import type { FolderFindingCode } from '#contracts/operations/folder-findings.ts';
import { answers, silentFolder } from '../answering-folder.ts';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { isDiskFull } from '../disk-space.ts';
import { isNoAccess, noAccessWords } from '../path-access.ts';
import { blockingFolder, needsAccount } from '../postgres/account.ts';
import { pathCodePage } from '../postgres/path-code-page.ts';
import { type FolderFacts, readFolderFacts } from '../windows/folder-facts.ts';
import { impossibleName, plainWindowsPath, variableIn } from './folder-name.ts';
import { foreignDiskOf } from './foreign-disk.ts';
import { lengthFault } from './path-length.ts';
import { lettersFault } from './path-letters.ts';
import { isWithin } from './path-within.ts';
import { syncSign } from './sync-clients.ts';
import { type FolderAsker, type FolderVerdict, verdictOn } from './verdicts.ts';

/** What was found out about a folder, and what it means to who asks. */
export interface FolderFinding {
  readonly code: FolderFindingCode;
  readonly verdict: Exclude<FolderVerdict, 'ignored'>;
  /** For people: the letter, number, account or path. */
  readonly detail: string;
}

export interface FolderQuestion {
  readonly asker: FolderAsker;
  /** The environment, in which sync clients leave their traces. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Where Castellan itself is installed: an update would remove everything else there. */
  readonly programsFolder?: string;
  /** How much has to fit; absent: that is asked elsewhere. */
  readonly neededBytes?: number;
  /** What only the system answers. */
  readonly system?: Partial<SystemAnswers>;
}

interface SystemAnswers {
  readonly platform: NodeJS.Platform;
  /** In which Postgres receives paths; null where it accepts any letter. */
  readonly codePage: () => Promise<number | null>;
  /** About a folder that is there; null: unknown. */
  readonly facts: (folder: string) => Promise<FolderFacts | null>;
}

type Found = readonly [code: FolderFindingCode, detail: string];

/**
 * The one decision whether a database, its programs or backups may be in a folder, which need not exist yet (decision 0110): what
 * speaks against it for who asks, refusals first; empty when nothing does. Leaves nothing behind.
 */
export const checkFolder = async (path: string, question: FolderQuestion): Promise<FolderFinding[]> => {
  const system = { platform: process.platform, codePage: pathCodePage, facts: factsHere, ...question.system };
  const inText = judge(await findInText(path, question.asker, system), question.asker);
  if (refusalIn(inText) !== null) return inText;
  if (await isSilent(path)) return judge([['not-writable', silentFolder(path)]], question.asker);
  const { found, nearest } = await findOnWay(path);
  const there = nearest === null ? found : await findThere(path, nearest, question, system);
  return [...judge(there, question.asker), ...inText].toSorted((a, b) => rank(a) - rank(b));
};

/** Whether a look there could wait for ever, as on a network drive that is gone. */
export const isSilent = async (path: string): Promise<boolean> =>
  isAbsolute(path) && !path.includes('\0') && !(await answers(path));

/** The first reason not to use the folder; null: it may be used. */
export const refusalIn = (findings: readonly FolderFinding[]): FolderFinding | null =>
  findings.find(({ verdict }) => verdict === 'refused') ?? null;

const rank = ({ verdict }: FolderFinding): number => (verdict === 'refused' ? 0 : 1);

const judge = (found: readonly Found[], asker: FolderAsker): FolderFinding[] =>
  found.flatMap(([code, detail]) => {
    const verdict = verdictOn(code, asker);
    return verdict === 'ignored' ? [] : [{ code, verdict, detail }];
  });

/** A page asks several times about one folder, and each answer takes a PowerShell seconds. */
const rememberedMs = 60_000;
const remembered = new Map<string, { readonly at: number; readonly facts: Promise<FolderFacts | null> }>();

const factsHere = async (folder: string): Promise<FolderFacts | null> => {
  if (process.platform !== 'win32') return null;
  const known = remembered.get(folder);
  if (known !== undefined && performance.now() - known.at < rememberedMs) return known.facts;
  const facts = readFolderFacts(folder);
  remembered.set(folder, { at: performance.now(), facts });
  return facts;
};

/** What the path alone tells. */
const findInText = async (
  path: string,
  asker: FolderAsker,
  { platform, codePage }: Pick<SystemAnswers, 'platform' | 'codePage'>,
): Promise<Found[]> => {
  const isWindows = platform === 'win32';
  const variable = isWindows ? variableIn(path) : undefined;
  const variables: Found[] =
    variable === undefined ? [] : [['variable', `Windows reads ${variable} as a variable.`]];
  // Without a drive letter, a Windows path is on whatever drive the program was started from.
  const hasNoDrive = process.platform === 'win32' && /^[\\/]$/.test(parse(path).root);
  // Before the rest: `%ProgramData%\Castellan` is typed in the hope that it is replaced.
  if (!isAbsolute(path) || hasNoDrive)
    return [...variables, ['not-absolute', 'Enter the full path of the folder.']];
  const plain = plainWindowsPath(path);
  if (isWindows && plain !== null)
    return [['not-absolute', `Enter the path as ${plain}: Postgres does not know what stands before it.`]];
  const impossible = isWindows ? impossibleName(path) : path.isWellFormed() ? undefined : path;
  if (impossible !== undefined)
    return [['impossible-name', `The system does not allow a folder named "${impossible}".`]];
  const letters = lettersFault(await codePage(), path, asker === 'programs' ? 'programs' : 'data');
  const length = lengthFault(path, platform);
  return [
    ...variables,
    ...(letters === null ? [] : [['unspellable', letters] as const]),
    ...(length === null ? [] : [['too-long', length] as const]),
  ];
};

interface Opened {
  readonly found: readonly Found[];
  /** The folder itself, or its closest existing parent; null where it cannot be told. */
  readonly nearest: string | null;
}

/** What is met on the way to the folder. */
const findOnWay = async (path: string): Promise<Opened> => {
  const { root } = parse(path);
  if (!existsSync(root)) return { found: [['no-drive', `There is no drive ${root}.`]], nearest: null };
  try {
    const nearest = await nearestThere(path);
    if (nearest.isFolder) return { found: [], nearest: nearest.path };
    return { found: [['not-a-folder', `${nearest.path} is a file, not a folder.`]], nearest: null };
  } catch (error) {
    if (isNoAccess(error)) return { found: [['no-access', noAccessWords(path)]], nearest: null };
    return { found: [['not-writable', (error as Error).message]], nearest: null };
  }
};

const nearestThere = async (path: string): Promise<{ path: string; isFolder: boolean }> => {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // A part of the path is a file: the search further up finds it.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (found) return { path, isFolder: found.isDirectory() };
  return nearestThere(dirname(path));
};

/** Some drives of Windows, such as those in memory, do not reveal their real path. */
export const realOf = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** What the disk and its surroundings tell. */
const findThere = async (
  path: string,
  nearest: string,
  { variables, programsFolder, neededBytes, asker }: FolderQuestion,
  { platform, facts }: Pick<SystemAnswers, 'platform' | 'facts'>,
): Promise<Found[]> => {
  // Resolves links, and on Windows the letter of a network drive, too.
  const real = join(await realOf(nearest), resolve(path).slice(resolve(nearest).length));
  const known = await facts(nearest);
  const found: Found[] = [];
  if (programsFolder !== undefined && isWithin(await realOf(programsFolder), real))
    found.push(['programs', `The programs of Castellan are in ${programsFolder}.`]);
  const { type, bavail, bsize } = await statfs(nearest);
  const foreign = foreignDiskOf(type);
  const isElsewhere = real.startsWith('\\\\') || known?.drive === 'network';
  if (isElsewhere || foreign !== null)
    found.push([
      'network',
      isElsewhere ? `${real} is on another machine.` : `${real} is on no disk of this machine (${foreign}).`,
    ]);
  else if (platform === 'win32') {
    const { root } = parse(path);
    const realRoot = await realOf(root);
    if (realRoot.toLowerCase() !== root.toLowerCase())
      found.push(['substituted', `${root} is a name for ${realRoot}: choose ${real}.`]);
  }
  const roots = (known?.syncRoots ?? []).map((folder) => ({ client: 'A sync program', folder }));
  const sign = await syncSign(real, variables, roots);
  if (sign !== null) found.push([sign.certainty === 'sure' ? 'synced' : 'maybe-synced', sign.detail]);
  if (known?.drive === 'removable' || /^\/(?:run\/)?media\//.test(real))
    found.push(['removable', `${real} is on a disk that can be removed.`]);
  if (known?.drive === 'memory') found.push(['volatile', `${real} is in the memory of this computer.`]);
  const guarded = known?.protectedFolders.find((folder) => isWithin(folder, real));
  if (guarded !== undefined)
    found.push(['protected', `Controlled folder access of Windows Security protects ${guarded}.`]);
  if (known?.isEncrypted) found.push(['encrypted', `Windows encrypts ${nearest}.`]);
  if (known?.isCompressed) found.push(['compressed', `Windows compresses ${nearest}.`]);
  // The programs' folder is closed to this account.
  if (asker !== 'programs') found.push(...(await findByTrying(nearest, real)));
  const freeBytes = bavail * bsize;
  if (neededBytes !== undefined && freeBytes < neededBytes)
    found.push([
      'full',
      `${inGb(freeBytes)} are free. A year of logs and records and a backup need ${inGb(neededBytes)}.`,
    ]);
  return found;
};

const inGb = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/** Makes a folder and removes it again. Postgres refuses one that others can read, as on file systems without permissions. */
const findByTrying = async (nearest: string, real: string): Promise<Found[]> => {
  const isWindows = process.platform === 'win32';
  try {
    const probe = await mkdtemp(join(nearest, '.castellan-'));
    try {
      const inner = join(probe, 'inner');
      await mkdir(inner, { mode: 0o700 });
      const isPrivate = isWindows || ((await stat(inner)).mode & 0o077) === 0;
      if (!isPrivate || !(await hasSecondNames(inner)))
        return [['rights', `The disk of ${real} cannot limit access by account.`]];
    } finally {
      // What a scanner still holds by then stays behind: the folder could be written to.
      await rm(probe, patientRemoval).catch(() => undefined);
    }
  } catch (error) {
    // A full disk is asked about elsewhere, and gets room again.
    if (isDiskFull(error)) return [];
    const { code, message } = error as NodeJS.ErrnoException;
    return [
      code === 'EROFS'
        ? ['read-only', `${real} is on a disk that can only be read.`]
        : ['not-writable', isNoAccess(error) ? noAccessWords(nearest) : message],
    ];
  }
  const blocked = needsAccount() ? blockingFolder(join(await realpath(nearest), 'x')) : null;
  return blocked === null ? [] : [['rights', `The account of Postgres cannot open ${blocked}.`]];
};

/** Our locks are hard links; file systems without permissions, such as FAT, have none either. */
const hasSecondNames = async (folder: string): Promise<boolean> => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  // Windows answers a disk that has none with other numbers than a file that a scanner holds.
  const linking = () => link(file, join(folder, 'second name'));
  return (process.platform === 'win32' ? whenNotBusy(linking) : linking()).then(
    () => true,
    () => false,
  );
};
