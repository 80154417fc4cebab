import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import * as z from 'zod';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { whenNotBusy } from '../busy-file.ts';
import { lookAtClock } from '../clock.ts';
import { DiskFullError, demandRoom, isDiskFull } from '../disk-space.ts';
import { syncFolder, syncTree } from '../disk-sync.ts';
import {
  type DiskLimits,
  type DiskWorker,
  openDiskWorker,
  StalledFolderError,
} from '../disk-worker/disk-worker.ts';
import { reportProgress } from '../disk-worker/progress.ts';
import { copySteadily, removeSteadily } from '../disk-worker/steady-copy.ts';
import { begunMs } from '../is-ahead.ts';
import { StartupError } from '../program.ts';
import { writeChecksums } from './backup-checksums.ts';
import { DamagedDatabaseError } from './damaged-database.ts';
import { segmentsBetween } from './wal-segments.ts';

/** What Postgres's manual says to leave out of a base backup: it is recreated, or copied separately (pg_wal). */
const emptiedFolders = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];
const leftOutFiles = ['postmaster.pid', 'postmaster.opts', 'pg_internal.init'];

export const manifestName = 'castellan-backup.json';

const backupManifest = z.object({
  takenAt: z.string(),
  reason: z.string(),
  /** Server version, such as 18.4; a physical backup fits its own major version and system only. */
  postgres: z.string(),
  /** The backup has a list of checksums; those of earlier versions have none. */
  checksums: z.literal(true).optional(),
});
type BackupManifest = Readonly<z.output<typeof backupManifest>>;

/** @throws {StartupError} for a folder that holds no backed-up database, and for a damaged one */
export const readDatabaseManifest = async (folder: string): Promise<BackupManifest> => {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StartupError(`${folder} is not a whole backup.`, { cause });
  });
  try {
    return backupManifest.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartupError(`${path} is damaged. Choose another backup.`, { cause });
  }
};

/** Marks a backup that is being made and is not one yet. */
export const halfSuffix = '.part';

/** Where an installation keeps its backups by default. */
export const backupsFolder = (home: string): string => join(home, 'backups');

/** Differs between the data folders of all machines that may back up to one network drive. */
const halfOwner = async (dataFolder: string): Promise<string> =>
  createHash('sha256')
    .update(`${hostname()}\0${await realpath(dataFolder)}`)
    .digest('hex')
    .slice(0, 12);

/** The name of an unfinished backup, with its owner's mark; clean-ups and earlier versions omit the mark. */
const halfName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-[0-9a-f]{6}(?:\.([0-9a-f]{12}))?\.part$/;

/** The folder may be anywhere and hold other people's files; without a mark, only those in the installation's own folder are ours. */
const removeHalves = async (folder: string, dataFolder: string, owner: string): Promise<void> => {
  const ownFolder = await realpath(backupsFolder(dirname(dirname(dataFolder)))).catch(() => null);
  const isOwnFolder = (await realpath(folder)) === ownFolder;
  for (const name of await readdir(folder)) {
    const [half, mark] = halfName.exec(name) ?? [];
    if (half !== undefined && (mark === undefined ? isOwnFolder : mark === owner))
      await removeSteadily(join(folder, half));
  }
};

interface BackupStop {
  readonly labelfile: string;
  readonly spcmapfile: string;
  /** The WAL segment in which the backup ended. */
  readonly last_segment: string;
  readonly segment_bytes: number;
}

export interface CopyLimits extends DiskLimits {
  /** How long Postgres may take for one answer; a frozen one would hold the backup, and its space, for ever. */
  readonly answerDeadlineMs?: number | undefined;
}

/** The beginning of a backup waits for a checkpoint, which takes minutes on a slow disk. */
const usualAnswerDeadlineMs = 300_000;

/**
 * Makes something complete in a folder for backups: it gets its name only when `fill` has ended and everything is on disk, with a
 * list of its checksums. Only one runs at a time, across all processes; what an earlier one left half-made is removed first.
 * @param client nothing else may use it in the meantime; it is unusable after a failure
 * @param dataFolder of the database that is backed up
 * @param fill writes the content into the folder that it is given; `takenAt` tells when the backup began
 * @returns the path of the result
 * @throws {BackupUnderWayError}
 */
export const makeBackup = async (
  client: ClientBase,
  dataFolder: string,
  folder: string,
  fill: (half: string, takenAt: () => string, worker: DiskWorker) => Promise<void>,
  limits: CopyLimits = {},
): Promise<string> => {
  const began = lookAtClock();
  const takenAt = () => new Date(begunMs(began, lookAtClock())).toISOString();
  const mark = randomBytes(3).toString('hex');
  const pathNow = () => join(folder, `${takenAt().replaceAll(':', '-').slice(0, 19)}-${mark}`);
  const owner = await halfOwner(dataFolder);
  const half = `${pathNow()}.${owner}${halfSuffix}`;
  const release = await beTheOnlyOne(client, limits);
  try {
    await using worker = openDiskWorker(folder, limits);
    await worker.run(makeHalf, { folder, half, dataFolder, owner });
    await fill(half, takenAt, worker);
    const target = pathNow();
    await worker.run(completeHalf, { folder, half, target });
    return target;
  } catch (error) {
    if (!(error instanceof StalledFolderError)) {
      await using cleaner = openDiskWorker(folder, { silenceMs: limits.silenceMs });
      await cleaner.run(removeHalf, half);
    }
    throw isDiskFull(error) && !(error instanceof DiskFullError)
      ? new DiskFullError(healthReasons['backup-no-fit'](folder), {
          cause: error,
        })
      : error;
  } finally {
    await release();
  }
};

interface Half {
  readonly folder: string;
  readonly half: string;
}

/** A task of a disk worker. */
export const makeHalf = async ({
  folder,
  half,
  dataFolder,
  owner,
}: Half & { readonly dataFolder: string; readonly owner: string }): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeHalves(folder, dataFolder, owner);
  await mkdir(half, { mode: 0o700 });
};

/** A task of a disk worker. */
export const completeHalf = async ({
  folder,
  half,
  target,
}: Half & { readonly target: string }): Promise<void> => {
  await writeChecksums(half);
  await syncTree(half);
  await whenNotBusy(() => rename(half, target));
  await syncFolder(folder);
};

/** A task of a disk worker. */
export const removeHalf = (half: string): Promise<void> => removeSteadily(half);

/** Another process is backing up this cluster; this backup has not begun. */
export class BackupUnderWayError extends StartupError {
  constructor() {
    super(healthReasons['backup-under-way']);
  }
}

/** Held by the session, so that it ends with its process. Any number that none of our other locks has. */
const backupLock = 7_203_001;

const beTheOnlyOne = async (client: ClientBase, limits: CopyLimits): Promise<() => Promise<void>> => {
  const { rows } = await inTime(
    client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [backupLock]),
    limits,
  );
  if (!rows[0]?.taken) throw new BackupUnderWayError();
  return async () => {
    // The owner closes a connection that no longer answers, which releases the lock.
    await inTime(client.query('select pg_advisory_unlock($1)', [backupLock]), {
      answerDeadlineMs: 1000,
    }).catch(() => undefined);
  };
};

/** @throws {StartupError} when Postgres takes too long, and when the signal is aborted */
export const inTime = async <T>(
  question: Promise<T>,
  { signal, answerDeadlineMs = usualAnswerDeadlineMs }: CopyLimits,
): Promise<T> => {
  question.catch(() => 'told by the race, or no longer of interest');
  const settled = new AbortController();
  const patience = AbortSignal.any([settled.signal, ...(signal ? [signal] : [])]);
  const late = delay(answerDeadlineMs, undefined, { signal: patience }).then(() => {
    throw new StartupError(healthReasons['backup-silent'](answerDeadlineMs / 1000));
  });
  try {
    return await Promise.race([question, late]);
  } finally {
    late.catch(() => undefined);
    settled.abort();
  }
};

/**
 * A physical backup of a running cluster, without stopping anything.
 * @param client a connection that may call pg_backup_start
 * @param folder where backups are kept
 * @returns the path of the new backup
 */
export const takeBackup = (
  client: ClientBase,
  dataFolder: string,
  folder: string,
  reason: string,
  limits: CopyLimits = {},
): Promise<string> =>
  makeBackup(
    client,
    dataFolder,
    folder,
    async (half, takenAt, worker) => {
      const bytes = await databaseBytes(dataFolder);
      await worker.run(demandRoom, healthReasons['a-backup'], [{ path: folder, bytes }]);
      await copyDatabase(client, worker, dataFolder, half, { takenAt, reason }, limits);
    },
    limits,
  );

/** The size of a data folder's files in a backup, without the WAL that is written while it runs. */
export const databaseBytes = async (dataFolder: string): Promise<number> => {
  let bytes = 0;
  const entries = await readdir(dataFolder, { withFileTypes: true, recursive: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || isLeftOut(dataFolder, path)) continue;
    bytes += (await lstat(path).catch(() => null))?.size ?? 0;
    reportProgress();
  }
  return bytes;
};

/**
 * Copies the files of a running cluster into an empty folder, so that a postmaster started on them recovers to the moment at
 * which the copy ended.
 */
export const copyDatabase = async (
  client: ClientBase,
  worker: DiskWorker,
  dataFolder: string,
  target: string,
  { takenAt, reason }: Pick<BackupManifest, 'reason'> & { readonly takenAt: () => string },
  limits: CopyLimits = {},
): Promise<BackupManifest> => {
  await inTime(client.query('select pg_backup_start($1, true)', [reason]), limits);
  await worker.run(copyData, dataFolder, target);
  const stop = await inTime(
    client.query<BackupStop>(
      `select labelfile, spcmapfile, pg_walfile_name(lsn) as last_segment,
         pg_size_bytes(current_setting('wal_segment_size'))::int as segment_bytes
       from pg_backup_stop(false)`,
    ),
    limits,
  );
  const [label] = stop.rows;
  if (!label) throw new Error('pg_backup_stop returned nothing');
  const version = await inTime(client.query<{ server_version: string }>('show server_version'), limits);
  const postgres = version.rows[0]?.server_version ?? '';
  const manifest: BackupManifest = { takenAt: takenAt(), reason, postgres, checksums: true };
  await worker.run(finishCopy, dataFolder, target, { ...label }, manifest);
  return manifest;
};

/** A task of a disk worker. */
export const finishCopy = async (
  dataFolder: string,
  target: string,
  label: BackupStop,
  manifest: BackupManifest,
): Promise<void> => {
  await writeFile(join(target, 'backup_label'), label.labelfile);
  if (label.spcmapfile.trim()) await writeFile(join(target, 'tablespace_map'), label.spcmapfile);
  await copyWal(dataFolder, target, label);
  await writeFile(join(target, manifestName), JSON.stringify(manifest));
};

const isLeftOut = (dataFolder: string, path: string): boolean => {
  const [first = '', second] = relative(dataFolder, path).split(sep);
  if (emptiedFolders.includes(first)) return second !== undefined;
  return leftOutFiles.includes(basename(path)) || basename(path).startsWith('pgsql_tmp');
};

/**
 * A task of a disk worker. Files come and go under a running cluster; one that is gone when we reach it is not needed (its WAL is).
 */
export const copyData = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 });
  // Applies to links to another disk too, as pg_wal may be: only an empty folder goes into the backup.
  for (const entry of await readdir(from, { withFileTypes: true }))
    await copyEntry(from, to, entry.name, entry.isDirectory() || emptiedFolders.includes(entry.name));

  async function copyEntry(parent: string, target: string, name: string, isFolder: boolean): Promise<void> {
    const path = join(parent, name);
    if (isLeftOut(from, path)) return;
    if (!isFolder) return copyFileIfThere(path, join(target, name));
    await mkdir(join(target, name), { mode: 0o700 });
    for (const entry of await readdir(path, { withFileTypes: true }))
      await copyEntry(path, join(target, name), entry.name, entry.isDirectory());
  }
};

const copyFileIfThere = async (from: string, to: string): Promise<void> => {
  try {
    await copySteadily(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code === 'EIO') await demandReadable(from);
    throw error;
  }
};

/** Tells a bad sector of the database from one of the disk that the backup goes to. @throws {DamagedDatabaseError} */
const demandReadable = async (path: string): Promise<void> => {
  try {
    for await (const _chunk of createReadStream(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EIO')
      throw new DamagedDatabaseError(healthReasons['damaged-sector'](path), { cause });
  }
};

/**
 * The WAL from the beginning of the backup to its end; Postgres needs all of it to make the copied files consistent. Nothing
 * keeps the server from reusing a segment in between (wal_keep_size only delays it), even one that is being copied; so they are
 * copied first and checked for completeness afterwards.
 */
const copyWal = async (dataFolder: string, target: string, stop: BackupStop): Promise<void> => {
  const first = /file ([0-9A-F]{24})/.exec(stop.labelfile)?.[1];
  if (!first) throw new Error('backup_label names no WAL segment');
  const folder = join(dataFolder, 'pg_wal');
  const needed = segmentsBetween(first, stop.last_segment, stop.segment_bytes);
  for (const name of needed) await copyFileIfThere(join(folder, name), join(target, 'pg_wal', name));
  const there = new Set(await readdir(folder));
  const reused = needed.filter((name) => !there.has(name));
  if (reused.length > 0) throw new Error(healthReasons['backup-overtaken'](reused.length, needed.length));
};
