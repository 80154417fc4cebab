import type pg from 'pg';
import { type Migrations, migrate } from '#runtime/database/migrate.ts';
import type { Log } from '#runtime/log.ts';
import { withDedicatedConnection } from './dedicated-connection.ts';
import { type BackupFolders, backUpBeforeChange, endUpgrade } from './safety-backup.ts';

export interface SchemaUpgradeOptions {
  readonly pool: pg.Pool;
  readonly migrations: Migrations;
  readonly folders: BackupFolders;
  readonly log: Log;
}

/** Runs pending migrations, after a backup. */
export const createSchemaUpgrade =
  ({ pool, migrations, folders, log }: SchemaUpgradeOptions) =>
  (): Promise<void> =>
    withDedicatedConnection<never, void>(pool, async (db, client) => {
      await migrate({
        db,
        migrations,
        log,
        beforeChange: (pending) => backUpBeforeChange(client, folders, pending, log),
      });
      await endUpgrade(folders);
    });
