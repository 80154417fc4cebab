import { access, open, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type pg from 'pg';
import { z } from 'zod';
import { writeFileAtomically } from '#runtime/atomic-write.ts';
import { causeText } from '#runtime/backup/backup-cause.ts';
import type { Log } from '#runtime/log.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';

export interface BackupFolders {
  /** Where the embedded Postgres keeps its data. */
  readonly data: string;
  readonly backups: string;
}

/** Which backup the running upgrade already has. */
const upgradeUnderWay = z.object({ backup: z.string(), cluster: z.string(), pending: z.array(z.string()) });
const noteOf = ({ backups }: BackupFolders): string => join(backups, 'upgrade-under-way.json');

/**
 * A physical backup before the schema changes; skipped, with a message, if the database's files are out of reach. An
 * upgrade that failed before is retried on the data that is already backed up, even after a restart: the disk must not
 * fill with copies of it.
 */
export const backUpBeforeChange = async (
  client: pg.ClientBase,
  folders: BackupFolders,
  pending: readonly string[],
  log: Log,
): Promise<void> => {
  const { data, backups } = folders;
  const identifier = await clusterInReach(client, data);
  if (identifier === null) {
    log.warn({ pending }, "no backup before the migration: this database's files are not readable from here");
    return;
  }
  if (await hasBackup(folders, identifier, pending)) return;
  const backup = await takeBackup(
    client,
    data,
    backups,
    causeText({ kind: 'migration', migrations: [...pending] }),
  );
  const note: z.infer<typeof upgradeUnderWay> = {
    backup: basename(backup),
    cluster: identifier,
    pending: [...pending],
  };
  await writeFileAtomically(noteOf(folders), JSON.stringify(note), 0o600);
  log.info({ backup, pending }, 'backup taken before the migration');
};

/** Call it when the schema is up to date: from now on the data changes, and the next upgrade needs a new backup. */
export const endUpgrade = (folders: BackupFolders): Promise<void> => rm(noteOf(folders), { force: true });

const hasBackup = async (
  folders: BackupFolders,
  cluster: string,
  pending: readonly string[],
): Promise<boolean> => {
  try {
    const note = upgradeUnderWay.parse(JSON.parse(await readFile(noteOf(folders), 'utf8')));
    if (note.cluster !== cluster || note.pending.join() !== pending.join()) return false;
    await access(join(folders.backups, note.backup));
    return true;
  } catch {
    // No note, an incomplete note or a backup that was removed: one backup too many does no harm.
    return false;
  }
};

/** The number of the connected cluster, if its files are those in the folder and can be read; null otherwise. */
export const clusterInReach = async (
  client: Pick<pg.ClientBase, 'query'>,
  dataFolder: string,
): Promise<string | null> => {
  const identifier = await clusterOnDisk(dataFolder);
  return identifier !== null && identifier === (await clusterConnectedTo(client)) ? identifier : null;
};

/** pg_control begins with the number that names the cluster. */
const clusterOnDisk = async (dataFolder: string): Promise<string | null> => {
  try {
    await using file = await open(join(dataFolder, 'global', 'pg_control'));
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.readBigInt64LE().toString();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code)) return null;
    throw error;
  }
};

const clusterConnectedTo = async (client: Pick<pg.ClientBase, 'query'>): Promise<string | undefined> => {
  const result: pg.QueryResult<{ identifier: string }> = await client.query(
    'select system_identifier::text as identifier from pg_control_system()',
  );
  return result.rows[0]?.identifier;
};
