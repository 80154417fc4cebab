import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { createBringUp } from './bring-up.ts';

const log = createLog({ component: 'test', level: 'silent' });

// Guarantee: a database that dies while the API prepares it is prepared again seconds after it is back; "shared memory"
// is the error of a statement whose Postgres is already gone.
test.each([
  ['58P01', 'could not open shared memory segment "/PostgreSQL.3273219712": No such file or directory'],
  ['57P03', 'the database system is in recovery mode'],
  ['58P01', 'could not open file "base/5/1259": No such file or directory'],
] as const)('an end with %s while the database is prepared: %s', async (code, message) => {
  await using database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url.reveal(), max: 1 });
  try {
    let prepared = 0;
    const before = performance.now();
    await using bringUp = createBringUp(log);
    bringUp.begin({
      reach: async () => void (await pool.query('select 1')),
      prepare: async () => {
        prepared += 1;
        if (prepared > 2) return;
        await pool.query(
          `do $$ begin raise exception using errcode = '${code}', message = '${message}'; end $$`,
        );
      },
    });
    await eventually(() => expect(bringUp.obstacle()).toBeNull(), 10_000);
    expect(prepared).toBe(3);
    expect(performance.now() - before).toBeLessThan(5000);
  } finally {
    await pool.end();
  }
});

// Guarantee: if the database went away under a failure, the API waits for it as for an unavailable one; it does not for
// a failure of our own.
test.each([
  ['gone', 3],
  ['there', 1],
] as const)('an unknown failure while the database is %s', async (standing, tries) => {
  let reached = 0;
  let prepared = 0;
  await using bringUp = createBringUp(log);
  bringUp.begin({
    reach: async () => {
      reached += 1;
      // Called before each attempt and after each failure.
      if (standing === 'gone' && reached % 2 === 0) throw new Error('connect ECONNREFUSED');
    },
    prepare: async () => {
      prepared += 1;
      throw new Error('a file of the backup is missing');
    },
  });
  await eventually(() => expect(prepared).toBeGreaterThanOrEqual(tries), 10_000);
  if (standing === 'there') expect(bringUp.obstacle()).toContain('could not be prepared');
});
