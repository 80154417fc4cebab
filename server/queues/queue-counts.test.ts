import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import type { Tables } from '../database/tables.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { readQueueDepth } from './queue-counts.ts';
import { queueSchema } from './queues.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Of the queues' tables, so far, by this connection. */
const rowsRead = async (transaction: Transaction<Tables>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where schemaname = ${queueSchema}
  `.execute(transaction);
  return rows[0]?.count ?? Number.NaN;
};

// Guarantee: the depth counts what waits, waits for its next try, or runs; the jobs that are kept after their end make it
// no dearer, however many they are.
test('the depth of the queues', async () => {
  const { db, pool } = api.context.database;
  // The first day's maintenance is put in while the API is in use already.
  await eventually(async () =>
    expect((await pool.query(`delete from queue.job where name = 'maintenance'`)).rowCount).toBe(1),
  );
  await pool.query(
    `insert into queue.job (name, state, policy)
     select name, state::queue.job_state, 'standard'
     from unnest(array['delivery', 'reencrypt-secrets']) name,
          unnest(array['created', 'retry', 'active', 'completed', 'cancelled', 'failed']) state`,
  );
  await pool.query(
    `insert into queue.job (name, state, policy, completed_on)
     select 'delivery', 'completed', 'standard', now() from generate_series(1, 30000)`,
  );
  await pool.query('analyze queue.job_common');
  const cost = await db.transaction().execute(async (transaction) => {
    // Another process would count what it reads for itself.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(transaction);
    const before = await rowsRead(transaction);
    expect(await readQueueDepth(transaction)).toBe(6);
    return (await rowsRead(transaction)) - before;
  });
  expect(cost).toBeLessThan(100);
});
