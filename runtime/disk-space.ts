import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SpaceLevel } from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { isAbsent } from './absent-file.ts';
import { StartupError } from './program.ts';
import { sleep } from './sleep.ts';

export interface DiskSpace {
  /** Bytes that this account may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** For the disk that holds the path, or the nearest existing folder above it. */
export const diskSpaceOf = async (path: string): Promise<DiskSpace> => {
  try {
    const { bavail, blocks, bsize } = await statfs(path);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch (error) {
    const above = dirname(path);
    if (!isAbsent(error) || above === path) throw error;
    return diskSpaceOf(above);
  }
};

const mib = 2 ** 20;
const gib = 2 ** 30;

/**
 * When a disk counts as low, short and full: below so many bytes, or on a small disk below this fraction of it. `low` leaves time
 * to act; at `short`, backups and updates are refused; at `full`, Postgres cannot add a segment of its log (16 MiB) and stops.
 */
const thresholds = [
  { level: 'full', bytes: 32 * mib, part: 0.005 },
  { level: 'short', bytes: 512 * mib, part: 0.05 },
  { level: 'low', bytes: 2 * gib, part: 0.1 },
] as const;

export const spaceLevel = ({ freeBytes, totalBytes }: DiskSpace): SpaceLevel =>
  thresholds.find(({ bytes, part }) => freeBytes < Math.min(bytes, totalBytes * part))?.level ?? 'enough';

/** What has to stay free on a disk after a large write. */
const reserveOf = ({ totalBytes }: DiskSpace): number => Math.min(512 * mib, totalBytes * 0.05);

export const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`;

/** A disk has no room left; the message says which one, and what to do. */
export class DiskFullError extends StartupError {}

/** Codes of Node and of Postgres (53100); an exhausted quota counts as a full disk. */
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** The wording of Linux and Windows where only a message is left, such as in Postgres's own lines. */
const fullWords = /no space left on device|not enough space on the disk|disk quota exceeded/i;

/** Whether something failed because a disk is full; it checks causes too. */
export const isDiskFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (error instanceof DiskFullError || fullCodes.has((error as { code?: unknown }).code)) return true;
  return fullWords.test(error.message) || isDiskFull(error.cause);
};

/** Whether nothing can be saved on the disk of the path; false where it cannot be asked. */
export const hasFullDisk = (path: string): Promise<boolean> =>
  diskSpaceOf(path).then(
    (space) => spaceLevel(space) === 'full',
    () => false,
  );

/** Between two tries on a full disk. */
export const roomPollMs = 5000;

/**
 * Resolves when it is worth another try, or the signal is aborted. It always waits once: a quota, or another disk under
 * part of the files, shows only when something is written.
 */
export const untilRoom = async (path: string, signal: AbortSignal, pollMs = roomPollMs): Promise<void> => {
  do await sleep(pollMs, signal);
  while (!signal.aborted && (await hasFullDisk(path)));
};

/** Does the work as soon as the disk of the path has room for it. @throws what fails for another reason, or after an abort */
export const whenThereIsRoom = async <T>(
  path: string,
  work: () => Promise<T>,
  {
    signal = new AbortController().signal,
    onFull = () => undefined,
  }: {
    /** Absent: it waits as long as it takes. */
    readonly signal?: AbortSignal;
    /** Called once, with the first failure. */
    readonly onFull?: (error: Error) => void;
  } = {},
): Promise<T> => {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || !isDiskFull(error)) throw error;
      if (isFirst) onFull(error as Error);
    }
    await untilRoom(path, signal);
    signal.throwIfAborted();
  }
};

interface Need {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Checked before a large write. Needs on one disk are added up, and some room has to stay free on each.
 * @param what begins the sentence of the refusal
 * @throws {DiskFullError}
 */
export const demandRoom = async (what: string, needs: readonly Need[]): Promise<void> => {
  const disks = await Promise.all(needs.map(({ path }) => diskOf(path)));
  for (const [index, { path }] of needs.entries()) {
    const disk = disks[index];
    if (disk === undefined) continue;
    const space = await diskSpaceOf(path);
    const bytes = needs.filter((_, at) => disks[at] === disk).reduce((sum, need) => sum + need.bytes, 0);
    const needed = bytes * 1.1 + reserveOf(space);
    if (space.freeBytes < needed)
      throw new DiskFullError(
        [
          healthReasons['disk-needs'](what, inMegabytes(needed), path, inMegabytes(space.freeBytes)),
          healthReasons['disk-make-room'],
        ].join(' '),
      );
  }
};

const diskOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).dev;
  } catch (error) {
    const above = dirname(path);
    if (!isAbsent(error) || above === path) throw error;
    return diskOf(above);
  }
};
