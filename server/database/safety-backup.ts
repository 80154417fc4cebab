import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Log } from '#runtime/log.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';

export interface BackupFolders {
  /** Where the embedded Postgres keeps its data. */
  readonly data: string;
  readonly backups: string;
}

/** A physical backup before the schema changes; skipped, and said, where the database's files are out of reach. */
export const backUpBeforeChange = async (
  client: pg.ClientBase,
  { data, backups }: BackupFolders,
  pending: readonly string[],
  log: Log,
): Promise<void> => {
  const identifier = await clusterOnDisk(data);
  if (identifier === null || identifier !== (await clusterConnectedTo(client))) {
    log.warn(
      { pending },
      'no backup before the migration: the files of this database cannot be read from here',
    );
    return;
  }
  const backup = await takeBackup(client, data, backups, `before migration ${pending.join(', ')}`);
  log.info({ backup, pending }, 'backup taken before the migration');
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

const clusterConnectedTo = async (client: pg.ClientBase): Promise<string | undefined> => {
  const result = await client.query<{ identifier: string }>(
    'select system_identifier::text as identifier from pg_control_system()',
  );
  return result.rows[0]?.identifier;
};
