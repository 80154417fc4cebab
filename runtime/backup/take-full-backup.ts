import { existsSync } from 'node:fs';
import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { BackupCause } from '#contracts/operations/backups.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { ifAbsent } from '../absent-file.ts';
import { splitConnectionLimit } from '../database/pool.ts';
import { demandRoom } from '../disk-space.ts';
import { StalledFolderError } from '../disk-worker/disk-worker.ts';
import { reportProgress } from '../disk-worker/progress.ts';
import type { Guardian } from '../guardian/guardian.ts';
import { keyRecordName, readKeyRecord, recordKeys } from '../key-record.ts';
import { type CopyLimits, copyDatabase, databaseBytes, inTime, makeBackup } from '../postgres/backup.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { StartupError } from '../program.ts';
import { Secret } from '../secret.ts';
import { version } from '../version.ts';
import { closeToOthers } from '../windows/private-folder.ts';
import { causeText } from './backup-cause.ts';
import {
  type BackupKind,
  type BackupOwner,
  databaseFolder,
  fullManifestName,
  manifestText,
  passwordFile,
} from './backup-manifest.ts';
import { type BackupTrial, type DatabaseProof, proveBackup } from './prove-backup.ts';
import { countRows, damageIn } from './read-database.ts';
import { removeScratch } from './scratch-cluster.ts';

/** What is backed up: an installation whose cluster is in `<home>/postgres`. */
interface BackedUpHome {
  readonly owner: BackupOwner;
  readonly home: string;
  /** Files of the data folder that no restore could do without; missing ones are skipped. */
  readonly files: readonly string[];
  /** Connects to the running cluster as a role that may call pg_backup_start. */
  readonly databaseUrl: Secret;
}

export interface TakenBackup {
  readonly path: string;
  readonly bytes: number;
  readonly proof: DatabaseProof;
}

export const clusterFolder = (home: string): string => join(home, 'postgres');
const scratchFolder = (home: string): string => join(clusterFolder(home), 'verifying');

const connectDeadlineMs = 5000;

/**
 * Backs up a running installation, and proves the backup before it gets its name: a cluster is started from a copy of it, all of
 * it is read, and everything committed before the backup began is there. Only its owner may read it.
 * @throws {DamagedDatabaseError} when the running database is found damaged
 * @throws {DiskFullError} before anything is written, when there is no room, and when the disk fills on the way
 * @throws {StartupError} when the backup cannot be taken or does not pass
 */
export const takeFullBackup = async (
  options: BackedUpHome &
    CopyLimits & {
      /** Where backups are kept. */
      readonly folder: string;
      readonly kind: BackupKind;
      readonly cause: BackupCause;
      readonly guardian?: Pick<Guardian, 'watch' | 'forget'> | undefined;
    },
): Promise<TakenBackup> => {
  const { owner, home, files, databaseUrl, folder, kind, cause, guardian, signal } = options;
  const reason = causeText(cause);
  const dataFolder = join(clusterFolder(home), 'data');
  const url = splitConnectionLimit(databaseUrl.reveal()).url;
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectDeadlineMs });
  // If the connection is lost, the next query's failure reports it.
  client.on('error', () => undefined);
  let taken: Omit<TakenBackup, 'path'> | undefined;
  try {
    await client.connect();
    const path = await makeBackup(
      client,
      dataFolder,
      folder,
      async (half, takenAt, worker) => {
        if (process.platform === 'win32') await closeToOthers(half);
        const bytes = await databaseBytes(dataFolder);
        // Room for the backup itself, and for the copy that it is tried on.
        await worker.run(demandRoom, healthReasons['a-backup'], [
          { path: folder, bytes },
          { path: home, bytes },
        ]);
        await noteOutcomes(client, options);
        const begun = await inTime(newestTransaction(client), options);
        // A key that nothing needs any more by the time that the files are copied may still be needed by what was copied before.
        const { keys } = await readKeyRecord(home);
        const database = join(half, databaseFolder);
        const about = { takenAt, reason };
        const { postgres } = await copyDatabase(client, worker, dataFolder, database, about, options);
        const held = keys.map((key) => key.reveal());
        const beside = await worker.run(copyBeside, { home, half, files, keys: held });
        signal?.throwIfAborted();
        const trial: BackupTrial = {
          database,
          passwordFile: join(half, passwordFile),
          folder: scratchFolder(home),
          binariesFolder: clusterFolder(home),
          worker,
          guardian,
          name,
          signal,
          async inspect(scratch) {
            if ((await newestTransaction(scratch)) < begun)
              throw new Error('transactions that were committed before it are missing');
          },
        };
        const proof = await proveBackup(trial)
          .catch((cause: unknown) => {
            if (cause instanceof DamagedDatabaseError || cause instanceof StalledFolderError) throw cause;
            throw new StartupError(healthReasons['backup-not-held']((cause as Error).message), { cause });
          })
          // What cannot be removed now is removed before the next trial. Only here: another process may be trying out its backup.
          // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for what it is given.
          .finally(() => removeScratch(trial.folder, trial.binariesFolder).catch(() => undefined));
        if (proof === null) throw new Error('a backup without a proof');
        taken = { bytes, proof };
        const manifest = manifestText({
          owner,
          kind,
          takenAt: takenAt(),
          reason,
          cause,
          version,
          postgres,
          system: systemName,
          database: name,
          files: beside,
          bytes,
          proof,
        });
        await worker.run(writeManifest, half, manifest);
      },
      options,
    );
    if (!taken) throw new Error('a backup without a proof');
    return { path, ...taken };
  } catch (error) {
    const why = damageIn(error);
    throw why === null ? error : new DamagedDatabaseError(why, { cause: error });
  } finally {
    // A connection that waits for a frozen server is cut, not waited for.
    client.end().catch(() => undefined);
  }
};

/** The platform that a cluster's files fit. */
export const systemName = `${process.platform}-${process.arch}`;

/**
 * Lets rows that nothing has read yet note that they are committed, which reading them does. From then on damage to the commit log,
 * which has no checksums, contradicts them and is found. Rows that have been vacuumed since are not read again.
 */
const noteOutcomes = async (client: pg.ClientBase, limits: CopyLimits): Promise<void> => {
  const { rows: tables } = await inTime(
    client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')
         and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`,
    ),
    limits,
  );
  await countRows(
    client,
    tables.map(({ name }) => name),
    limits,
  );
};

/** Rises with every transaction; a copy that holds all of them has at least the same number. */
const newestTransaction = async (client: pg.ClientBase): Promise<bigint> => {
  const { rows } = await client.query<{ xid: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as xid',
  );
  return BigInt(rows[0]?.xid ?? 0);
};

const ownerOnly = 0o600;

/**
 * A task of a disk worker: copies what belongs beside the database.
 * @param keys what the record of keys has to hold besides, as text
 * @returns the files that are there
 */
export const copyBeside = async ({
  home,
  half,
  files,
  keys,
}: {
  readonly home: string;
  readonly half: string;
  readonly files: readonly string[];
  readonly keys: readonly string[];
}): Promise<string[]> => {
  await copyFile(join(clusterFolder(home), passwordFile), join(half, passwordFile));
  for (const name of files) {
    const copy = join(half, name);
    const isThere = await copyFile(join(home, name), copy).then(() => true, ifAbsent(false));
    if (isThere) await chmod(copy, ownerOnly);
    reportProgress();
  }
  if (files.includes(keyRecordName))
    await recordKeys(
      half,
      keys.map((key) => new Secret(key)),
    );
  return files.filter((file) => existsSync(join(half, file)));
};

/** A task of a disk worker. */
export const writeManifest = (half: string, text: string): Promise<void> =>
  writeFile(join(half, fullManifestName), text, { mode: ownerOnly });
