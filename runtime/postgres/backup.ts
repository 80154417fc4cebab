import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { ClientBase } from 'pg';
import { whenNotBusy } from '../busy-file.ts';
import { syncFolder, syncTree } from '../disk-sync.ts';
import { StartupError } from '../program.ts';
import { segmentsBetween } from './wal-segments.ts';

/** What Postgres's manual says to leave out of a base backup: it is remade, or brought separately (pg_wal). */
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

export interface BackupManifest {
  readonly takenAt: string;
  readonly reason: string;
  /** Server version, such as 18.4; a physical backup fits its own major version and system only. */
  readonly postgres: string;
}

const halfSuffix = '.part';

const removeHalves = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names)
    if (name.endsWith(halfSuffix)) await rm(join(folder, name), { recursive: true, force: true });
};

interface BackupStop {
  readonly labelfile: string;
  readonly spcmapfile: string;
  /** The WAL segment in which the backup ended. */
  readonly last_segment: string;
  readonly segment_bytes: number;
}

/**
 * A physical backup of a running cluster, without stopping anything. It appears under its name only when it is whole, on the
 * disk. One at a time: what an earlier one left half-made is taken away first.
 * @param client a connection that may call pg_backup_start; nothing else may use it meanwhile
 * @param folder where backups are kept
 * @returns the path of the new backup
 */
export const takeBackup = async (
  client: ClientBase,
  dataFolder: string,
  folder: string,
  reason: string,
): Promise<string> => {
  const takenAt = new Date().toISOString();
  const target = join(
    folder,
    `${takenAt.replaceAll(':', '-').slice(0, 19)}-${randomBytes(3).toString('hex')}`,
  );
  const half = target + halfSuffix;
  await removeHalves(folder);
  await mkdir(half, { recursive: true, mode: 0o700 });
  try {
    await demandSpace(client, folder);
    await client.query('select pg_backup_start($1, true)', [reason]);
    await copyTolerant(dataFolder, half);
    const stop = await client.query<BackupStop>(
      `select labelfile, spcmapfile, pg_walfile_name(lsn) as last_segment,
         pg_size_bytes(current_setting('wal_segment_size'))::int as segment_bytes
       from pg_backup_stop(false)`,
    );
    const [label] = stop.rows;
    if (!label) throw new Error('pg_backup_stop returned nothing');
    await writeFile(join(half, 'backup_label'), label.labelfile);
    if (label.spcmapfile.trim()) await writeFile(join(half, 'tablespace_map'), label.spcmapfile);
    await copyWal(dataFolder, half, label);
    const version = await client.query<{ server_version: string }>('show server_version');
    const manifest: BackupManifest = { takenAt, reason, postgres: version.rows[0]?.server_version ?? '' };
    await writeFile(join(half, manifestName), JSON.stringify(manifest));
    await syncTree(half);
    await whenNotBusy(() => rename(half, target));
    await syncFolder(folder);
    return target;
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  }
};

const demandSpace = async (client: ClientBase, folder: string) => {
  const size = await client.query<{ bytes: string }>(
    'select sum(pg_database_size(oid))::bigint as bytes from pg_database where has_database_privilege(oid, $1)',
    ['connect'],
  );
  const needed = Number(size.rows[0]?.bytes ?? 0);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < needed * 1.1)
    throw new StartupError(
      `A backup needs ${Math.ceil(needed / 2 ** 20)} MiB, and ${folder} has not that much space.`,
    );
};

const isLeftOut = (dataFolder: string, path: string): boolean => {
  const [first = '', second] = relative(dataFolder, path).split(sep);
  if (emptiedFolders.includes(first)) return second !== undefined;
  return leftOutFiles.includes(basename(path)) || basename(path).startsWith('pgsql_tmp');
};

/** Files come and go under a running cluster; one that is gone by the time we reach it is not needed (its WAL is). */
const copyTolerant = async (from: string, to: string): Promise<void> => {
  for (const entry of await readdir(from, { withFileTypes: true }))
    await copyEntry(from, to, entry.name, entry.isDirectory());

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
    await cp(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
};

/**
 * The WAL from where the backup began to where it ended; Postgres needs all of it to make the copied files agree with
 * one another. Nothing keeps the server from reusing a segment meanwhile (wal_keep_size only makes it late), also one
 * that is just being copied; so they are copied first and demanded afterwards.
 */
const copyWal = async (dataFolder: string, target: string, stop: BackupStop): Promise<void> => {
  const first = /file ([0-9A-F]{24})/.exec(stop.labelfile)?.[1];
  if (!first) throw new Error('backup_label names no WAL segment');
  const folder = join(dataFolder, 'pg_wal');
  const needed = segmentsBetween(first, stop.last_segment, stop.segment_bytes);
  for (const name of needed) await copyFileIfThere(join(folder, name), join(target, 'pg_wal', name));
  const there = new Set(await readdir(folder));
  const reused = needed.filter((name) => !there.has(name));
  if (reused.length > 0)
    throw new Error(
      `The backup is of no use: so much was written meanwhile that Postgres has reused ${reused.length} of ${needed.length} WAL segments.`,
    );
};
