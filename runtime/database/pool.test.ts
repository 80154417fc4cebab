import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './pool.ts';

// Guarantee: no connection outlives its database, whether Kysely or only the pool has used it.
test('all connections end', async () => {
  await using own = await testDatabase();
  const options = {
    url: own.url,
    applicationName: 'test',
    log: createLog({ component: 'test', level: 'silent' }),
  };
  const byPool = openDatabase(options);
  await byPool.pool.query('select 1');
  await byPool[Symbol.asyncDispose]();
  expect(byPool.pool.totalCount).toBe(0);
  const byKysely = openDatabase(options);
  await byKysely.db.introspection.getSchemas();
  await byKysely[Symbol.asyncDispose]();
  expect(byKysely.pool.totalCount).toBe(0);
  await byKysely[Symbol.asyncDispose]();
});
