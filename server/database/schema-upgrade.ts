import type pg from 'pg';
import { type Migrations, migrate } from '#runtime/database/migrate.ts';
import type { Log } from '#runtime/log.ts';
import { type BackupFolders, backUpBeforeChange } from './safety-backup.ts';
import { withSoleConnection } from './sole-connection.ts';

export interface SchemaUpgradeOptions {
  readonly pool: pg.Pool;
  readonly migrations: Migrations;
  readonly folders: BackupFolders;
  readonly log: Log;
}

/**
 * Runs pending migrations, after a backup. When they fail they are tried again later, but on the data that has
 * been backed up already: the disk must not fill with copies of it.
 */
export const createSchemaUpgrade = ({ pool, migrations, folders, log }: SchemaUpgradeOptions) => {
  let backedUpFor = '';
  return (): Promise<void> =>
    withSoleConnection<never, void>(pool, (db, client) =>
      migrate({
        db,
        migrations,
        log,
        beforeChange: async (pending) => {
          if (backedUpFor === pending.join()) return;
          await backUpBeforeChange(client, folders, pending, log);
          backedUpFor = pending.join();
        },
      }),
    );
};
