import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase } from '../testing/feature-api.ts';
import { retryDeadlocks } from './retry-deadlocks.ts';
import type { Tables } from './tables.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
  await database.pool.query('create table counters (id integer primary key, count integer not null)');
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await database.pool.query('truncate counters');
  await database.pool.query('insert into counters values (1, 0), (2, 0)');
});

const countUp = (trx: Kysely<Tables>, id: number) =>
  sql`update counters set count = count + 1 where id = ${id}`.execute(trx);
const counts = async () =>
  (await database.pool.query('select count from counters order by id')).rows.map(({ count }) => count);
const fail = (trx: Kysely<Tables>, code: string) =>
  sql.raw(`do $$ begin raise exception 'by the test' using errcode = '${code}'; end $$`).execute(trx);

// Guarantee: two transactions that wait for each other both succeed, and each takes effect once.
test('a real deadlock is retried', async () => {
  const tries = [0, 0];
  const { promise: bothHoldOne, resolve } = Promise.withResolvers<void>();
  let holding = 0;
  const meet = async () => {
    holding += 1;
    if (holding === 2) resolve();
    await bothHoldOne;
  };
  const both = [
    [1, 2],
    [2, 1],
  ].map(([first = 0, second = 0], index) =>
    retryDeadlocks(database.db, async (trx) => {
      tries[index] = (tries[index] ?? 0) + 1;
      await countUp(trx, first);
      if (tries[index] === 1) await meet();
      await countUp(trx, second);
      return index;
    }),
  );
  expect(await Promise.all(both)).toEqual([0, 1]);
  expect(tries.toSorted()).toEqual([1, 2]);
  expect(await counts()).toEqual([2, 2]);
});

// Guarantee: a conflict is retried three times, then the caller gets it; a failed try leaves nothing.
test.each(['40P01', '40001'])('%s is retried three times', async (code) => {
  let tries = 0;
  const work = (failures: number) => async (trx: Kysely<Tables>) => {
    tries += 1;
    await countUp(trx, 1);
    if (tries <= failures) await fail(trx, code);
    return 'done';
  };
  expect(await retryDeadlocks(database.db, work(3))).toBe('done');
  expect(tries).toBe(4);
  expect(await counts()).toEqual([1, 0]);
  tries = 0;
  await expect(retryDeadlocks(database.db, work(4))).rejects.toMatchObject({ code });
  expect(tries).toBe(4);
  expect(await counts()).toEqual([1, 0]);
});

// Guarantee: any other error reaches the caller immediately.
test.each([
  ['an error of the database', (trx: Kysely<Tables>) => fail(trx, '23505')],
  ['an error of the work', () => Promise.reject(new Error('by the test'))],
])('%s is not retried', async (_name, failing) => {
  let tries = 0;
  const work = retryDeadlocks(database.db, async (trx) => {
    tries += 1;
    await countUp(trx, 1);
    await failing(trx);
  });
  await expect(work).rejects.toThrow('by the test');
  expect(tries).toBe(1);
  expect(await counts()).toEqual([0, 0]);
});
