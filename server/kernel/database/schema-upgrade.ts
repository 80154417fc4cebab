import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { type Migrations, migrate } from '#runtime/database/migrate.ts';
import type { Log } from '#runtime/log.ts';
import { type BackupFolders, backUpBeforeChange, endUpgrade } from './safety-backup.ts';

/**
 * Runs work that the pool's time-out must not cut (a migration, a backup) on one connection of the pool. The connection
 * is discarded afterwards, and its settings with it.
 */
const withDedicatedConnection = async <Tables, Result>(
  pool: pg.Pool,
  work: (db: Kysely<Tables>, client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOfOne(client) }) });
    return await work(db, client);
  } finally {
    client.release(true);
  }
};

const poolOfOne = (client: pg.PoolClient) => ({
  connect: async () => ({
    query: client.query.bind(client) as pg.PoolClient['query'],
    release: () => undefined,
  }),
  end: async () => undefined,
  options: {},
});

/** Runs pending migrations, after a backup. Returns the ones that only a newer version knows. */
export const createSchemaUpgrade =
  ({
    pool,
    migrations,
    folders,
    log,
  }: {
    readonly pool: pg.Pool;
    readonly migrations: Migrations;
    readonly folders: BackupFolders;
    readonly log: Log;
  }) =>
  (): Promise<readonly string[]> =>
    withDedicatedConnection<never, readonly string[]>(pool, async (db, client) => {
      const newer = await migrate({
        db,
        migrations,
        log,
        beforeChange: (pending) => backUpBeforeChange(client, folders, pending, log),
      });
      await endUpgrade(folders);
      return newer;
    });
