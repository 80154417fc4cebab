import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { StackStatus } from '#contracts/stack.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import { takeBackup } from '#runtime/postgres/backup.ts';
import { restoreBackup } from '#runtime/postgres/restore.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { postgresFolder } from '../stack/operator-role.ts';

/**
 * Backs up the database of a running stack. Where it does not run there is nothing to back up; where its files belong to
 * another account, as with services, the API's own backup before a migration must do.
 * @returns the path of the backup; null when none was taken
 */
export const backUpDatabase = async (
  home: string,
  { components }: Pick<StackStatus, 'components'>,
  reason: string,
): Promise<string | null> => {
  const postgres = components.find(({ name }) => name === 'postgres');
  if (postgres?.state !== 'running') return null;
  const data = join(postgresFolder(home), 'data');
  const isOurs = await access(join(data, 'global', 'pg_control'), constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!isOurs) return null;
  const { databaseUrl } = await readStackConfig(home);
  const client = new pg.Client({ connectionString: splitConnectionLimit(databaseUrl.reveal()).url });
  await client.connect();
  try {
    return await takeBackup(client, data, join(home, 'backups'), reason);
  } finally {
    await client.end();
  }
};

/**
 * Replaces the data of a stopped stack with a backup.
 * @returns where the replaced data is kept; null when there was none
 * @throws {StartupError} when the database runs, or the backup is incomplete
 */
export const restoreBackupOf = (home: string, backup: string): Promise<string | null> =>
  restoreBackup(backup, join(postgresFolder(home), 'data'));
