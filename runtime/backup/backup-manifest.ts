import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type BackupCause, backupCause } from '#contracts/operations/backups.ts';
import { ifAbsent } from '../absent-file.ts';
import { keyRecordName } from '../key-record.ts';
import { recordFileName } from '../license/record/record-store.ts';
import { halfSuffix, readDatabaseManifest } from '../postgres/backup.ts';
import { StartupError } from '../program.ts';
import { causeOfText } from './backup-cause.ts';

/** Whose backup it is; each program restores only its own. */
const backupOwners = ['castellan', 'castellan-portal'] as const;
export type BackupOwner = (typeof backupOwners)[number];

/** The nightly clean-up deletes only nightly backups. */
const backupKinds = ['nightly', 'manual'] as const;
export type BackupKind = (typeof backupKinds)[number];

/** Differs from the name used for a database alone, so that programs which know only those refuse it. */
export const fullManifestName = 'backup.json';
/** The database's files, with their own manifest, laid out like a backup before a migration. */
export const databaseFolder = 'database';
export const passwordFile = 'superuser.password';

/** Files of a data folder that a backup may hold beside its database. */
export const filesBeside: readonly string[] = ['.env', keyRecordName, recordFileName];

const format = 1;

/** Earlier versions store only the text; a later one may know causes that this one does not. */
const keptCause = backupCause.optional().catch(undefined);

/** The manifest of a full backup. Only the list of checksums is written after it. */
const fullManifest = z.object({
  format: z.literal(format),
  owner: z.enum(backupOwners),
  kind: z.enum(backupKinds),
  takenAt: z.iso.datetime(),
  reason: z.string(),
  cause: keptCause,
  /** The version of the program that took it. */
  version: z.string(),
  /** Server version, such as 18.4. */
  postgres: z.string(),
  /** The platform that Postgres's files fit: process.platform and process.arch. */
  system: z.string(),
  /** The name of the database in the cluster. */
  database: z.string(),
  /** Files of the data folder, stored beside the database. */
  files: z.array(z.string()),
  bytes: z.int().nonnegative(),
  /** It has a list of checksums; those of earlier versions have none. */
  checksums: z.literal(true).optional(),
  /** Read from a cluster that was started from the backup. */
  proof: z.object({
    migrations: z.array(z.string()),
    /** Rows of each table, as they were read. */
    rows: z.record(z.string(), z.int()),
  }),
});
export type FullManifest = z.output<typeof fullManifest>;

export const manifestText = (manifest: Omit<FullManifest, 'format' | 'checksums'>): string =>
  `${JSON.stringify({ format, checksums: true, ...manifest }, null, 2)}\n`;

const headline = z.looseObject({ format: z.int() });

/** @throws {StartupError} for a folder that is not a full backup, and for a backup made by a newer version */
export const readFullManifest = async (backup: string): Promise<FullManifest> => {
  const text = await readFile(join(backup, fullManifestName), 'utf8').catch((cause: unknown) => {
    throw new StartupError(`${backup} is not a whole backup.`, { cause });
  });
  try {
    const json: unknown = JSON.parse(text);
    if (headline.parse(json).format > format)
      throw new StartupError(
        `${backup} was made by a newer version. Install that version, then restore again.`,
      );
    return fullManifest.parse(json);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const path = join(backup, fullManifestName);
    throw new StartupError(`${path} is damaged, or of another program. Choose another backup.`, {
      cause: error,
    });
  }
};

export interface KeptBackup {
  readonly name: string;
  readonly takenAt: string;
  readonly reason: string;
  readonly cause: BackupCause;
  /** `database`: taken before a migration, without the files of the data folder and without a test restore. */
  readonly kind: BackupKind | 'database';
  readonly bytes: number | null;
  /** Of the program that took it; null: it does not say. */
  readonly version: string | null;
  /** Whether it has a list of checksums; those of earlier versions have none. */
  readonly isListed: boolean;
}

/** The backups in a folder, newest first; unfinished and foreign ones are left out. */
export const listBackups = async (folder: string): Promise<KeptBackup[]> => {
  const names = await readdir(folder).catch(ifAbsent([]));
  const found = await Promise.all(
    names.filter((name) => !name.endsWith(halfSuffix)).map((name) => lookAt(folder, name)),
  );
  return found
    .filter((backup) => backup !== null)
    .toSorted((a, b) => b.takenAt.localeCompare(a.takenAt) || b.name.localeCompare(a.name));
};

const lookAt = async (folder: string, name: string): Promise<KeptBackup | null> => {
  const path = join(folder, name);
  try {
    if (!(await stat(path)).isDirectory()) return null;
    const full = await readFile(join(path, fullManifestName), 'utf8').catch(() => null);
    if (full !== null) {
      const { takenAt, reason, cause, kind, bytes, version, checksums } = fullManifest.parse(
        JSON.parse(full),
      );
      const isListed = checksums === true;
      return { name, takenAt, reason, cause: cause ?? causeOfText(reason), kind, bytes, version, isListed };
    }
    const { takenAt, reason, checksums } = await readDatabaseManifest(path);
    const cause = causeOfText(reason);
    const unknown = { bytes: null, version: null };
    return { name, takenAt, reason, cause, kind: 'database', ...unknown, isListed: checksums === true };
  } catch {
    // Not one of ours, or being deleted.
    return null;
  }
};
