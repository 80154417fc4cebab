import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';

/**
 * Runs work that the pool's time-out must not cut (a migration, a backup) on one connection of the pool. The connection
 * is discarded afterwards, and its settings with it.
 */
export const withDedicatedConnection = async <Tables, Result>(
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
