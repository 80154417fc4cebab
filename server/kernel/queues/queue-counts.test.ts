import { sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import type { Tables } from '../database/tables.ts';
import { apiDatabase } from '../testing/api-database.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { readQueueCounts, readQueueDepth } from './queue-counts.ts';
import { queueSchema } from './queues.ts';

let database: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  database = await apiDatabase();
  api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Rows that this connection has read from the queues' tables so far. */
const rowsRead = async (transaction: Transaction<Tables>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
    from pg_stat_xact_user_tables where schemaname = ${queueSchema}
  `.execute(transaction);
  return rows[0]?.count ?? Number.NaN;
};

// Guarantee: the depth counts jobs that wait, wait for their next try, or run; finished jobs that are kept do not make it
// more expensive, however many there are.
test('the depth of the queues', async () => {
  const { db, pool } = api.context.database;
  // The first day's maintenance job is added while the API is already in use.
  await eventually(async () =>
    expect((await pool.query(`delete from queue.job where name = 'maintenance'`)).rowCount).toBe(1),
  );
  await pool.query(
    `insert into queue.job (name, state, policy)
     select name, state::queue.job_state, 'standard'
     from unnest(array['delivery-wakes', 'reencrypt-secrets']) name,
          unnest(array['created', 'retry', 'active', 'completed', 'cancelled', 'failed']) state`,
  );
  await pool.query(
    `insert into queue.job (name, state, policy, completed_on)
     select 'delivery-wakes', 'completed', 'standard', now() from generate_series(1, 30000)`,
  );
  await pool.query('analyze queue.job_common');
  const cost = await db.transaction().execute(async (transaction) => {
    // A parallel worker would count its own reads separately.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(transaction);
    const before = await rowsRead(transaction);
    expect(await readQueueDepth(transaction)).toBe(6);
    return (await rowsRead(transaction)) - before;
  });
  expect(cost).toBeLessThan(100);
});

// Guarantee: the counts match the table after every change, and a rolled-back change leaves no trace; finished jobs that are
// kept are not read for them, however many there are.
test('the counts of the queues', async () => {
  const { db, pool } = api.context.database;
  const counted = async () => {
    const { rows } = await pool.query<{ name: string; state: string; count: number }>(
      `select name, state::text as state, count(*)::int as count from queue.job group by name, state`,
    );
    return rows;
  };
  const demandTrue = async () => {
    const told = await readQueueCounts(db);
    const rows = await counted();
    for (const { name, counts } of told)
      for (const [state, count] of Object.entries(counts)) {
        const real = rows.find((row) => row.name === name && row.state === state)?.count ?? 0;
        expect({ name, state, count }).toEqual({ name, state, count: real });
      }
  };
  await demandTrue();
  for (const table of ['queue.job', 'queue.job_common']) {
    await pool.query(
      `insert into ${table} (name, state, policy)
       select name, state::queue.job_state, 'standard'
       from unnest(array['delivery-wakes', 'reencrypt-secrets']) name, generate_series(1, 50),
            unnest(array['created', 'retry', 'active', 'completed', 'cancelled', 'failed']) state`,
    );
    await demandTrue();
    await pool.query(
      `update ${table} set state = 'cancelled' where state = 'failed' and name = 'delivery-wakes'`,
    );
    await pool.query(`update ${table} set state = 'completed' where state = 'active'`);
    await demandTrue();
    await pool.query(`delete from ${table} where state = 'completed' and name = 'reencrypt-secrets'`);
    await demandTrue();
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`delete from ${table} where state = 'cancelled'`);
      await client.query('rollback');
    } finally {
      client.release();
    }
    await demandTrue();
  }
  const cost = await db.transaction().execute(async (transaction) => {
    await sql`set local max_parallel_workers_per_gather = 0`.execute(transaction);
    const before = await rowsRead(transaction);
    await readQueueCounts(transaction);
    return (await rowsRead(transaction)) - before;
  });
  expect((await counted()).reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(30_000);
  expect(cost).toBeLessThan(1000);
});

// Guarantee: many workers that finish and defer jobs at the same time neither deadlock nor miscount.
test('the counts under many at once', async () => {
  const { db, pool } = api.context.database;
  await pool.query(`delete from queue.job`);
  await pool.query(
    `insert into queue.job (name, state, policy)
     select name, 'active', 'standard' from unnest(array['delivery-wakes', 'reencrypt-secrets']) name, generate_series(1, 200)`,
  );
  const end = (state: string) =>
    pool.query(
      `update queue.job_common set state = $1 where (name, id) in
         (select name, id from queue.job_common where state = 'active' order by id limit 5 for update skip locked)`,
      [state],
    );
  const states = ['completed', 'failed', 'cancelled'];
  await Promise.all(Array.from({ length: 90 }, (_, index) => end(states[index % 3] ?? '')));
  const told = await readQueueCounts(db);
  const { rows } = await pool.query<{ state: string; count: number }>(
    `select state::text as state, count(*)::int as count from queue.job group by state`,
  );
  for (const { state, count } of rows)
    expect(told.reduce((sum, { counts }) => sum + counts[state as keyof typeof counts], 0)).toBe(count);
});
