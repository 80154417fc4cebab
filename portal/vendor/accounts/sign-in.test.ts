import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { client } from '../testing/enrolled-account.ts';

let database: TestDatabase;
let portal: TestPortal;
beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url });
});
afterAll(async () => {
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const area = () => portal.context.vendorArea;
const invite = async (name: string): Promise<string> => {
  const invited = await area().accounts.create(name, 'test');
  return invited.outcome === 'invited' ? invited.initialPassword : expect.fail(invited.reason);
};

// Guarantee: a sign-in with a password that is reset at the same moment leaves no session behind.
test('a reset while somebody signs in', async () => {
  const old = await invite('Reset');
  const { pool } = portal.context;
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('lock table vendor_attempts in exclusive mode');
  const entering = area().signIn.password('Reset', old, client());
  await eventually(async () => {
    const { rows } = await pool.query(
      `select 1 from pg_locks where not granted and relation = 'vendor_attempts'::regclass`,
    );
    expect(rows).toHaveLength(1);
  });
  expect(await area().accounts.reset('Reset', 'test')).toMatchObject({ outcome: 'invited' });
  await holder.query('commit');
  holder.release();
  expect(await entering).toEqual({ outcome: 'wrong' });
  expect((await pool.query('select id from vendor_sessions')).rows).toEqual([]);
});

// Guarantee: an endless supply of made-up names is refused without a trace once all tries are used up.
test('made-up names leave no rows', async () => {
  const { pool } = portal.context;
  const count = async () =>
    (await pool.query('select count(*)::int as rows from vendor_attempts')).rows[0].rows;
  await area().signIn.password('Somebody', 'wrong', client('198.51.100.1'));
  await pool.query(
    `update vendor_attempts set tokens = -1000, counted_at = statement_timestamp() where scope = 'everybody'`,
  );
  const before = await count();
  for (let index = 0; index < 5; index += 1)
    expect(
      await area().signIn.password(`made up ${index}`, 'x', client(`198.51.100.${index + 2}`)),
    ).toMatchObject({
      outcome: 'rate-limited',
    });
  expect(await count()).toBe(before);
});

// Guarantee: no account can have a name that the event log uses for actions without an account.
test.each(['command line', 'Command  Line', 'portal_admin_token'])('%s is no name', async (name) => {
  expect(await area().accounts.create(name, 'test')).toMatchObject({ outcome: 'refused' });
});
