import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase } from '../../kernel/testing/feature-api.ts';
import { grantPoints, insertMember, insertOrder } from '../../kernel/testing/store-rows.ts';
import { correctedTimes, correctTimes } from './correct-times.ts';

let database: MigratedDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());
beforeEach(async () => {
  await correctTimes(database.db);
});

/** What a clock leaves behind that is ahead by so much. */
const jumps = ['1 hour', '1 day', '8 days', '1 year', '70 years'] as const;

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query(text, values)).rows as Row[];

// Guarantee: every statement fits the schema, and a database whose times are right is not changed.
test('nothing lies ahead', async () => {
  const memberId = await insertMember(database.pool);
  await grantPoints(database.pool, memberId, 100);
  await insertOrder(database.pool, memberId, ['pending', 'waiting', 'delivered'], 5);
  await query(
    "update deliveries set next_try_at = now() + interval '10 minutes', expires_at = now() + interval '30 days'",
  );
  expect(await correctTimes(database.db)).toBe(0);
});

// Guarantee: when a clock that was ahead is put right, an open delivery is tried at once, and it expires as long after now as
// it should have after it was bought; one that is done stays as it is.
test.each(jumps)('a delivery bought with the clock %s ahead', async (jump) => {
  const memberId = await insertMember(database.pool);
  await grantPoints(database.pool, memberId, 100);
  const { deliveryIds } = await insertOrder(database.pool, memberId, ['waiting', 'delivered'], 5);
  await query(
    `update deliveries set created_at = now() + $2::interval, next_try_at = now() + $2::interval + interval '10 minutes',
       expires_at = now() + $2::interval + interval '30 days' where id = any ($1::uuid[])`,
    [deliveryIds, jump],
  );
  await correctTimes(database.db);
  await correctTimes(database.db);
  const rows = await query(
    `select next_try_at <= now() + interval '1 hour' as soon,
            expires_at - now() between interval '29 days 23 hours' and interval '30 days' as expires
       from deliveries where id = $1`,
    [deliveryIds[0]],
  );
  expect(rows).toEqual([{ soon: true, expires: true }]);
  const done = 'select created_at > now() as ahead from deliveries where id = $1';
  expect(await query(done, [deliveryIds[1]])).toEqual([{ ahead: true }]);
});

// Guarantee: a session or a key that began while the clock was ahead lasts no longer than others, and stays valid.
test.each(jumps)('a session and a key of a clock %s ahead', async (jump) => {
  await query('delete from admins');
  await query(
    `insert into admins (id, name, name_key, password_hash, role) values ('a', 'A', 'a', 'x', 'owner')`,
  );
  await query(
    `insert into sessions (id, token_hash, admin_id, address, user_agent, created_at, last_used_at)
     values ('s', 'x', 'a', '', '', now() + $1::interval, now() + $1::interval + interval '10 minutes')`,
    [jump],
  );
  await query(
    `insert into api_keys (id, name, secret_hash, creator_id, permissions, created_at, expires_at)
     values ('k', 'K', 'x', 'a', '{}', now() + $1::interval, now() + $1::interval + interval '90 days')`,
    [jump],
  );
  await correctTimes(database.db);
  await correctTimes(database.db);
  expect(
    await query(
      `select sessions.created_at <= now() as begun, sessions.last_used_at <= now() + interval '10 minutes' as used,
              api_keys.expires_at - now() between interval '89 days 23 hours' and interval '90 days' as expires
         from sessions, api_keys`,
    ),
  ).toEqual([{ begun: true, used: true, expires: true }]);
});

// Guarantee: no lease, code or next check of a clock that was ahead outlives it, and one that is right is left alone.
test.each([
  ['8 days', false],
  ['9 days', true],
  ['70 years', true],
])('a next check in %s', async (jump, isCorrected) => {
  await query(
    `insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '') on conflict do nothing`,
  );
  await query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port) values ('g', 'c', 'g', 'g', 'minecraft', 1)
     on conflict do nothing`,
  );
  await query('delete from mod_checks');
  await query(
    `insert into mod_checks (server_id, next_at, leased_until)
     values ('g', now() + $1::interval, now() + interval '10 minutes')`,
    [jump],
  );
  await correctTimes(database.db);
  expect(
    await query('select next_at <= now() as due, leased_until > now() as leased from mod_checks'),
  ).toEqual([{ due: isCorrected, leased: true }]);
});

// Guarantee: every time that may lie ahead is decided on, so that a new one is not forgotten.
test('times that lie ahead', async () => {
  const left = {
    'commands_in_flight.leased_until': 'what is too far ahead is taken over at once (commands/leases.ts)',
    'api_processes.leased_until': 'same',
    'agent_enrolments.expires_at': 'more than a code gets is worth nothing (agents/enrolment/enrolments.ts)',
    'entitlements.ends_at': 'follows from the grants, whose times are corrected',
    'proven_time.until': 'moves with the clock (database/follow-clock.ts)',
    'bans.until': 'set by a person',
    'reward_code_batches.valid_until': 'set by a person',
    'discounts.valid_until': 'set by a person',
    'reward_rule_versions.effective_until':
      'replaced when a person changes the rule (rewards/reward-rules.ts)',
    'server_saves.told_until': 'when a backup was taken; none is told twice (saves/list-events.ts)',
  };
  const rows = await query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp with time zone'
        and column_name ~ '(^|_)(next|expires|until|ends|leased|due|deadline)(_|$)'
        and table_name in (select table_name from information_schema.tables where table_type = 'BASE TABLE')`,
  );
  const decided = [...correctedTimes, ...Object.keys(left)];
  expect(rows.map(({ name }) => name).sort()).toEqual(
    decided.filter((name) => /[._](next|expires|until|ends|leased)(_|$)|until$/.test(name)).sort(),
  );
});
