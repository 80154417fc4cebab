import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ifAbsent } from '../absent-file.ts';
import { isAlive } from '../live-process.ts';
import { type WayToList, windowsLister } from '../windows/listing.ts';
import type { RunSystemProgram } from '../windows/system-program.ts';

/** The processes of one cluster. Children may outlive their postmaster. */
export interface Family {
  readonly postmaster: number | null;
  readonly children: readonly number[];
}

const none: Family = { postmaster: null, children: [] };

export const lockFilePath = (dataFolder: string): string => join(dataFolder, 'postmaster.pid');

/** The postmaster as the lock file describes it. The file outlives a kill, and the pid may be reused. */
export interface PostmasterLock {
  readonly pid: number;
  /** By the clock at that time, in whole seconds; null in a file that was not fully written. */
  readonly startedMs: number | null;
}

/** Process id, data folder and start, one per line. */
export const parseLock = (text: string): PostmasterLock | null => {
  const [pid = '', , started = ''] = text.split(/\r?\n/);
  if (!/^\d+/.test(pid)) return null;
  return {
    pid: Number.parseInt(pid, 10),
    startedMs: /^\d+$/.test(started) ? Number(started) * 1000 : null,
  };
};

export const readLock = async (dataFolder: string): Promise<PostmasterLock | null> => {
  const text = await readFile(lockFilePath(dataFolder), 'utf8').catch(ifAbsent(''));
  return parseLock(text);
};

export const lockHolder = async (dataFolder: string): Promise<number | null> =>
  (await readLock(dataFolder))?.pid ?? null;

const statusLine = 7;

/** What Postgres says in its lock file from its first moments until it accepts connections (miscadmin.h, PM_STATUS_STARTING). */
export const isStarting = async (dataFolder: string): Promise<boolean> => {
  const text = await readFile(lockFilePath(dataFolder), 'utf8').catch(() => '');
  return text.split(/\r?\n/)[statusLine]?.trim() === 'starting';
};

export const familyOf = (dataFolder: string): Promise<Family> =>
  process.platform === 'win32' ? familyOnWindows(dataFolder) : familyOnLinux(dataFolder);

/** Identifies a folder on this machine, whatever path leads to it; another container may use the same path. */
const identityOf = async (folder: string): Promise<string | null> => {
  const found = await stat(folder).catch(() => null);
  return found && `${found.dev}:${found.ino}`;
};

/**
 * The text that Postgres shows in the title of each child on Linux. Every account may read it, even where the working folder of
 * another account's process is hidden, as in most containers.
 */
export const clusterName = async (dataFolder: string): Promise<string> => {
  const identity = await identityOf(dataFolder);
  return `castellan-${createHash('sha256').update(String(identity)).digest('hex').slice(0, 16)}`;
};

interface FoundProcess {
  readonly pid: number;
  readonly isChild: boolean;
}

interface Marks {
  readonly dataFolder: string;
  readonly identity: string;
  /** The beginning of a child's title. */
  readonly title: string;
  readonly lockHolder: number | null;
}

const familyOnLinux = async (dataFolder: string): Promise<Family> => {
  const identity = await identityOf(dataFolder);
  if (identity === null) return none;
  const title = `postgres: ${await clusterName(dataFolder)}: `;
  const marks: Marks = { dataFolder, identity, title, lockHolder: await lockHolder(dataFolder) };
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && isPostgres(pid));
  const found = (await Promise.all(pids.map((pid) => lookAt(pid, marks)))).filter((one) => one !== null);
  const likely = found.filter(({ isChild }) => !isChild).map(({ pid }) => pid);
  const postmaster = await eldest(likely);
  return {
    postmaster,
    children: found.map(({ pid }) => pid).filter((pid) => pid !== postmaster),
  };
};

/** Its command line, which other programs can hold back, is read only of what has the name. */
const isPostgres = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n';
  } catch {
    return false;
  }
};

/** Null for any other process, and for one that has ended, which has no command line any more. */
const lookAt = async (pid: number, marks: Marks): Promise<FoundProcess | null> => {
  const commandLine = await readFile(join('/proc', String(pid), 'cmdline'), 'utf8').catch(() => '');
  if (commandLine.startsWith('postgres: ')) {
    const isOurs = commandLine.startsWith(marks.title) || (await workingFolder(pid)) === marks.identity;
    return isOurs ? { pid, isChild: true } : null;
  }
  const [program = '', option, given = ''] = commandLine.split('\0');
  if (basename(program) !== 'postgres' || option !== '-D') return null;
  const folder = await workingFolder(pid);
  const isOurs =
    folder === null
      ? pid === marks.lockHolder && (await identityOf(given)) === marks.identity
      : folder === marks.identity;
  return isOurs ? { pid, isChild: false } : null;
};

/** Every process of Postgres works in the data folder. Null when it is hidden. */
const workingFolder = (pid: number): Promise<string | null> => identityOf(join('/proc', String(pid), 'cwd'));

/** A child has the postmaster's command line for a moment, until it sets its title. */
const eldest = async (pids: readonly number[]): Promise<number | null> => {
  for (const pid of pids) if (!pids.includes(await parentOf(pid))) return pid;
  return null;
};

const parentOf = async (pid: number): Promise<number> => {
  const line = await readFile(join('/proc', String(pid), 'stat'), 'latin1').catch(() => '');
  const [, parent] = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return Number(parent);
};

/**
 * Windows keeps the parent pid of a dead parent, and only the postmaster's command line names the folder it works on, so children
 * are found by the pid in the lock file. If another program or another cluster's postmaster has that pid now, there are none.
 */
const familyOnWindows = async (dataFolder: string): Promise<Family> => {
  // A Windows that lists nothing can still start its database; Postgres itself refuses while orphans hold its memory.
  const processes = await postgresProcesses().catch(() => []);
  return familyAmong(processes, await readLock(dataFolder));
};

interface WindowsProcess {
  readonly pid: number;
  readonly parent: number;
  /** Null when Windows does not reveal it. */
  readonly createdMs: number | null;
}

export const familyAmong = (processes: readonly WindowsProcess[], lock: PostmasterLock | null): Family => {
  if (lock === null) return none;
  const holder = processes.find(({ pid }) => pid === lock.pid);
  if (holder ? !mayHaveWritten(lock, holder) : isAlive(lock.pid)) return none;
  return {
    postmaster: holder?.pid ?? null,
    children: processes.filter(({ parent }) => parent === lock.pid).map(({ pid }) => pid),
  };
};

/** A postmaster writes its lock in its first moments; a cold disk or a virus scanner delays that. */
const lockDelayMs = 30_000;
/** A listing may apply today's daylight saving to the day when the process was created. */
const daylightSavingMs = 3_600_000;

const mayHaveWritten = ({ startedMs }: PostmasterLock, { createdMs }: WindowsProcess): boolean => {
  if (startedMs === null || createdMs === null) return true;
  const apartMs = Math.abs(startedMs - createdMs);
  return apartMs <= lockDelayMs || Math.abs(apartMs - daylightSavingMs) <= lockDelayMs;
};

const powershell = 'WindowsPowerShell\\v1.0\\powershell.exe';
/** A file time, because a date is printed in the account's calendar. */
const listByPowershell = [
  "Get-CimInstance Win32_Process -Filter 'Name=''postgres.exe''' | ForEach-Object {",
  "$created = ''; if ($_.CreationDate) { $created = $_.CreationDate.ToFileTimeUtc() };",
  "'{0} {1} {2} {3}' -f $created, $_.Name, $_.ParentProcessId, $_.ProcessId }",
].join(' ');

/** wmic answers sooner, but newer versions of Windows do not include it; Wine's has no dates, and rejects the whole query. */
const listings: readonly [WayToList, ...WayToList[]] = [
  ['wbem\\wmic.exe', ['process', 'get', 'CreationDate,Name,ParentProcessId,ProcessId']],
  [powershell, ['-NoProfile', '-NonInteractive', '-Command', listByPowershell]],
  ['wbem\\wmic.exe', ['process', 'get', 'Name,ParentProcessId,ProcessId']],
];

/** Creation, name, parent and process id in a row, as both listings print them; wmic writes UTF-16. */
export const parseProcesses = (printed: string): readonly WindowsProcess[] =>
  Array.from(
    printed.replaceAll('\0', '').matchAll(/^\s*(?:(\S+)[^\S\n]+)?postgres\.exe\s+(\d+)\s+(\d+)\s*$/gim),
    ([, created = '', parent, pid]) => ({
      pid: Number(pid),
      parent: Number(parent),
      createdMs: createdAt(created),
    }),
  );

/** `20261122151234.123456+060`: local time with its minutes ahead of UTC, as wmic writes it (CIM_DATETIME of Microsoft's docs). */
const cimTime = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.\d{6}([+-]\d{3})$/;
/** Units of 100 ns since 1601. */
const fileTime = /^\d{17,19}$/;
const fileTimeEpochMs = Date.UTC(1601, 0, 1);

const createdAt = (text: string): number | null => {
  if (fileTime.test(text)) return Number(text) / 10_000 + fileTimeEpochMs;
  const parts = cimTime.exec(text)?.slice(1).map(Number);
  if (!parts) return null;
  const [year = 0, month = 0, day, hours, minutes, seconds, aheadMinutes = 0] = parts;
  return Date.UTC(year, month - 1, day, hours, minutes, seconds) - aheadMinutes * 60_000;
};

export const postgresProcesses = (run?: RunSystemProgram): Promise<readonly WindowsProcess[]> =>
  windowsLister.list(listings, parseProcesses, run);
