import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { ifAbsent } from '../absent-file.ts';
import { patientRemoval, whenNotBusy } from '../busy-file.ts';
import { demandRoom } from '../disk-space.ts';
import { syncTree } from '../disk-sync.ts';
import { openDiskWorker } from '../disk-worker/disk-worker.ts';
import { reportProgress } from '../disk-worker/progress.ts';
import type { Guardian } from '../guardian/guardian.ts';
import { databaseBytes, manifestName, readDatabaseManifest } from '../postgres/backup.ts';
import { demandSoundBackup } from '../postgres/backup-checksums.ts';
import { postgresBinaries } from '../postgres/binaries.ts';
import { demandUnusedCluster } from '../postgres/cluster-lock.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { spawnOptions } from '../postgres/postmaster.ts';
import { isPostmasterRunning } from '../postgres/running-postmaster.ts';
import { StartupError } from '../program.ts';
import { compareVersions } from '../release/version-order.ts';
import { version } from '../version.ts';
import {
  type BackupOwner,
  databaseFolder,
  type FullManifest,
  filesBeside,
  fullManifestName,
  passwordFile,
  readFullManifest,
} from './backup-manifest.ts';
import { type DatabaseProof, proveBackup } from './prove-backup.ts';
import {
  beginSwap,
  finishSwap,
  isRestoreUnfinished,
  newReplacedName,
  removeStaged,
  staged,
  staging,
} from './restore-journal.ts';
import { clusterFolder, systemName } from './take-full-backup.ts';

const run = promisify(execFile);

export interface RestoreProgress {
  /** `check`: comparing the backup with its checksums. `test`: a cluster runs on the copy and is read. */
  readonly step: 'check' | 'copy' | 'test' | 'swap';
  /** Read or copied in this step. */
  readonly doneBytes: number;
}

export interface Restored {
  readonly takenAt: string;
  /** Rows found in each table; null for a database alone, which is only started. */
  readonly proof: DatabaseProof | null;
  /** Where the replaced files are kept. */
  readonly replaced: string;
  /** Whether the backup had a list of checksums to be compared with; those of earlier versions have none. */
  readonly wasCompared: boolean;
}

/** For a restore whose `wasCompared` is false. */
export const noChecksums =
  'This backup is from a version that wrote no checksums, so it could not be compared with what was backed up. Its database was read as a whole.';

/**
 * Replaces the contents of a data folder with a backup. The backup is copied beside them, a cluster is started on the copy and
 * read, and then everything is swapped by renames under a journal: killed at any moment, the data folder is the old one or, after
 * the next `finishHomeRestore`, the new one. The replaced files are kept.
 * @throws {StartupError} with the data folder unchanged
 */
export const restoreHome = async (options: {
  readonly owner: BackupOwner;
  /** The caller holds its lock, and nothing runs in it. */
  readonly home: string;
  readonly backup: string;
  /** Restored only if the data folder has none: its own copy is at least as new. */
  readonly onlyWhereMissing: readonly string[];
  readonly guardian?: Pick<Guardian, 'watch' | 'forget'> | undefined;
  /** As for a disk worker. */
  readonly silenceMs?: number;
  /** Honoured until the switch: it throws the reason, with the data folder unchanged. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RestoreProgress) => void;
}): Promise<Restored> => {
  const { owner, home, backup, onlyWhereMissing, guardian, silenceMs, signal, onProgress } = options;
  let progress: RestoreProgress = { step: 'check', doneBytes: 0 };
  const onBytes = (bytes: number) => {
    progress = { ...progress, doneBytes: progress.doneBytes + bytes };
    onProgress?.(progress);
  };
  const step = (next: RestoreProgress['step']) => {
    progress = { step: next, doneBytes: 0 };
    onProgress?.(progress);
  };
  const cluster = clusterFolder(home);
  if (await isPostmasterRunning(join(cluster, 'data')))
    throw new StartupError('The database runs. Stop it before you restore a backup.');
  await demandUnusedCluster(cluster);
  await demandOneFileSystem(home);
  await using worker = openDiskWorker(backup, { silenceMs, signal, onBytes });
  step('check');
  const source = await worker.run(readSource, backup, owner, cluster);
  await demandMajor(source.postgres, cluster);
  const bytes = await worker.run(databaseBytes, source.database);
  await demandRoom(healthReasons['the-copy'], [{ path: home, bytes }]);
  await removeStaged(home);
  const half = join(staging(home), 'postgres');
  try {
    const name = source.manifest?.database ?? null;
    step('copy');
    const trial = {
      ...{ ...source, folder: half, binariesFolder: cluster, worker, guardian, name, signal },
      onCopied: () => step('test'),
    };
    const proof = await proveBackup(trial).catch((cause: unknown) => {
      if (!(cause instanceof DamagedDatabaseError)) throw cause;
      throw new StartupError(`${backup} is damaged: ${cause.why} Choose another backup.`, { cause });
    });
    if (source.manifest !== null && !isDeepStrictEqual(proof, source.manifest.proof))
      throw new StartupError(`${backup} does not hold what it held when it was made; choose another backup.`);
    const files = (source.manifest?.files ?? []).filter(
      (name) => !(onlyWhereMissing.includes(name) && existsSync(join(home, name))),
    );
    await worker.run(copyStaged, backup, files, staging(home));
    await syncTree(staging(home));
    signal?.throwIfAborted();
    step('swap');
    const at = new Date();
    const replaced = newReplacedName(home, at);
    const items = [...files, join('postgres', passwordFile), join('postgres', 'data')];
    const { takenAt } = source;
    await whenNotBusy(() => rename(staging(home), staged(home)));
    await beginSwap(home, { from: null, replaced, items, at: at.toISOString(), version, takenAt });
    await finishSwap(home);
    return { takenAt, proof, replaced: join(home, replaced), wasCompared: source.isListed };
  } catch (error) {
    if (!isRestoreUnfinished(home))
      for (const path of [staging(home), staged(home)]) await rm(path, patientRemoval);
    throw error;
  }
};

/** A task of a disk worker. */
export const copyStaged = async (backup: string, files: readonly string[], folder: string): Promise<void> => {
  for (const name of files) {
    const copy = join(folder, name);
    await copyFile(join(backup, name), copy);
    await chmod(copy, 0o600);
    reportProgress();
  }
};

interface Source {
  readonly takenAt: string;
  /** Server version, such as 18.4. */
  readonly postgres: string;
  readonly database: string;
  readonly passwordFile: string;
  /** Null for a database alone, as backed up before a migration. */
  readonly manifest: FullManifest | null;
  readonly isListed: boolean;
}

/** A task of a disk worker: compares the backup with its checksums and with what can be restored here. */
export const readSource = async (backup: string, owner: BackupOwner, cluster: string): Promise<Source> => {
  const isFull = existsSync(join(backup, fullManifestName)) || !existsSync(join(backup, manifestName));
  const headline = isFull ? fullManifestName : manifestName;
  // What it says decides how the rest is refused.
  await demandSoundBackup(backup, { extent: { file: headline }, isListed: false });
  const manifest = isFull ? await readFullManifest(backup) : null;
  if (manifest !== null) demandFit(manifest, owner, backup);
  const database = isFull ? join(backup, databaseFolder) : backup;
  const { takenAt, postgres, checksums } = manifest ?? (await readDatabaseManifest(database));
  const isListed = checksums === true;
  await demandSoundBackup(backup, { extent: 'all', isListed });
  const password = join(isFull ? backup : cluster, passwordFile);
  if (!existsSync(password))
    throw new StartupError(
      `${backup} is a database alone, which can be restored only into the home that it was taken from.`,
    );
  return { takenAt, postgres, database, passwordFile: password, manifest, isListed };
};

const demandFit = (manifest: FullManifest, owner: BackupOwner, backup: string): void => {
  if (manifest.owner !== owner)
    throw new StartupError(`${backup} is a backup of ${manifest.owner}, not of ${owner}.`);
  if (compareVersions(manifest.version, version) > 0)
    throw new StartupError(
      `${backup} was made by version ${manifest.version}, and this is ${version}. Install that version or a newer one, then restore again.`,
    );
  if (manifest.system !== systemName)
    throw new StartupError(
      `${backup} was made on ${manifest.system}; the files of a database cannot be used on ${systemName}.`,
    );
  // A path in it would be written outside the data folder.
  const stranger = manifest.files.find((name) => !filesBeside.includes(name));
  if (stranger !== undefined)
    throw new StartupError(
      `${backup} names a file that no backup holds: ${stranger}. Choose another backup.`,
    );
};

/** The switch renames, which works only within one file system. */
const demandOneFileSystem = async (home: string): Promise<void> => {
  const { dev } = await stat(home);
  for (const path of [clusterFolder(home), join(clusterFolder(home), 'data')]) {
    const found = await stat(path).catch(ifAbsent(null));
    if (found !== null && found.dev !== dev)
      throw new StartupError(
        `${path} lies on another disk than ${home}, and a restore needs both on one. Restore into a home that lies on one disk, or move the database there first.`,
      );
  }
};

const majorOf = (text: string): string | undefined => /(\d+)(?:\.|$)/.exec(text)?.[1];

/** @param postgres a version such as 18.4, or 18 @throws {StartupError} when the binaries here are of another major one */
export const demandMajor = async (postgres: string, cluster: string): Promise<void> => {
  const binaries = await postgresBinaries(cluster, false);
  const { stdout } = await run(
    binaries.postgres,
    ['--version'],
    spawnOptions(null, dirname(binaries.postgres)),
  );
  const ours = majorOf(stdout.trim());
  if (majorOf(postgres) !== ours)
    throw new StartupError(
      `The backup is of Postgres ${majorOf(postgres)}, and this version brings Postgres ${ours}. ` +
        'Restore it with the version that made it.',
    );
};
