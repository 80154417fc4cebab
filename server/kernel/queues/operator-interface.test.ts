import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operatorRole } from '#contracts/kernel/product.ts';
import type { TestDatabase } from '#harness/database.ts';
import { apiDatabase } from '../testing/api-database.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { balanceOf, grantPoints, insertMember, insertOrder } from '../testing/store-rows.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';

let database: TestDatabase;
let api: TestApi;
let owner: SqlSession;
let operator: SqlSession;

beforeAll(async () => {
  database = await apiDatabase();
  owner = await sqlSession(database.url);
  // Roles belong to the whole cluster, which other tests share; creating one at the same moment violates its unique index.
  await owner.query(
    `do $$ begin create role ${operatorRole} login;
      exception when duplicate_object or unique_violation then null; end $$`,
  );
  api = await startTestApi({ databaseUrl: database.url, workers: [] });
  await whenInUse(api);
  operator = await sqlSession(database.url);
  await operator.query(`set role ${operatorRole}`);
});

afterAll(async () => {
  await operator[Symbol.asyncDispose]();
  await owner[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

beforeEach(() => owner.query('delete from queue.job'));

const put = async (state: string): Promise<string> => {
  const [row] = await owner.query<{ id: string }>(
    `insert into queue.job (name, state, data, policy) values ('delivery-wakes', $1, '{"delivery": 7}', 'standard') returning id`,
    [state],
  );
  return row?.id ?? '';
};

// Guarantee: the documented columns, under the documented names, and no others.
test('pgboss.job has exactly the documented columns', async () => {
  const columns = await owner.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'pgboss' order by ordinal_position`,
  );
  expect(columns.map((column) => column.column_name)).toEqual([
    'name',
    'state',
    'data',
    'output',
    'retryCount',
    'startedOn',
    'completedOn',
    'id',
  ]);
});

// Guarantee: an operator cancels a job that waits or has failed; it is then over, with its end time.
test.each(['created', 'retry', 'failed'])('an operator cancels a %s job', async (state) => {
  const id = await put(state);
  const changed = await operator.query(
    `update pgboss.job set state = 'cancelled' where name = 'delivery-wakes' and state = $1 returning id, state, "completedOn"`,
    [state],
  );
  expect(changed).toEqual([{ id, state: 'cancelled', completedOn: expect.any(Date) }]);
  expect(await owner.query('select state::text, completed_on from queue.job')).toEqual([
    { state: 'cancelled', completed_on: expect.any(Date) },
  ]);
});

// Guarantee: a job that runs or is over is not touched, and a statement that tries to changes nothing at all.
test.each(['active', 'completed', 'cancelled'])('a %s job cannot be cancelled', async (state) => {
  await put('failed');
  await put(state);
  await expect(operator.query(`update pgboss.job set state = 'cancelled'`)).rejects.toThrow(
    new RegExp(`is ${state}: only created, retry and failed jobs can be cancelled`),
  );
  const states = await owner.query<{ state: string }>('select state::text from queue.job');
  expect(states.map((row) => row.state).sort()).toEqual(['failed', state].sort());
});

// Guarantee: nothing else of a job can be changed through the view, not even by the owner of everything.
test.each([
  [`update pgboss.job set state = 'created'`, /only its state can be changed, and only to cancelled/],
  [`update pgboss.job set state = 'canceled'`, /only to cancelled/],
  [`update pgboss.job set state = 'cancelled', data = '{}'`, /only its state can be changed/],
  [`update pgboss.job set "retryCount" = 0`, /only its state can be changed/],
  [`delete from pgboss.job`, /takes no delete/],
  [`insert into pgboss.job (name, state) values ('delivery-wakes', 'created')`, /takes no insert/],
])('%s is refused', async (statement, reason) => {
  await put('failed');
  await expect(owner.query(statement)).rejects.toThrow(reason);
  await expect(operator.query(statement)).rejects.toThrow();
  expect(await owner.query('select state::text from queue.job')).toEqual([{ state: 'failed' }]);
});

// Guarantee: what a job represents is cancelled in the same transaction, or neither is.
test('cancelling calls the hook in the same transaction', async () => {
  const id = await put('failed');
  await owner.query('create table if not exists hooked (queue text, job_id uuid, data jsonb)');
  const replaceHook = (body: string) =>
    owner.query(`create or replace function castellan_job_cancelled(queue text, job_id uuid, data jsonb) returns void
                 language plpgsql as $$ begin ${body}; end $$`);
  const cancel = () => operator.query(`update pgboss.job set state = 'cancelled' where id = $1`, [id]);
  await replaceHook(`raise exception 'no such delivery'`);
  await expect(cancel()).rejects.toThrow(/no such delivery/);
  expect(await owner.query('select state::text from queue.job')).toEqual([{ state: 'failed' }]);
  await replaceHook('insert into public.hooked values (queue, job_id, data)');
  await cancel();
  expect(await owner.query('select * from hooked')).toEqual([
    { queue: 'delivery-wakes', job_id: id, data: { delivery: 7 } },
  ]);
  await replaceHook('return');
});

// Guarantee: the operator's statements are audited by a function that takes only the statement; the operator can read the
// log but write it in no other way, and reads nothing that was not granted.
test('the audit function writes the row, and the operator can do no more', async () => {
  await operator.query('select castellan_audit_sql($1)', ['select 1']);
  expect(await operator.query('select actor, action, detail, address from audit_logs')).toEqual([
    { actor: 'operator', action: 'sql.run', detail: { statement: 'select 1' }, address: '127.0.0.1' },
  ]);
  for (const statement of [
    `insert into audit_logs (actor, action) values ('x', 'y')`,
    'delete from audit_logs',
    'select * from queue.job',
    `update queue.job set state = 'completed'`,
    `select castellan_job_cancelled('delivery-wakes', gen_random_uuid(), '{}')`,
  ])
    await expect(operator.query(statement)).rejects.toThrow(/permission denied/);
});

// Guarantee: an ordinary start leaves the interface alone, so that no open transaction of an operator blocks it.
test('a second start does not wait for an operator', async () => {
  await operator.query('begin');
  await operator.query('select * from pgboss.job');
  try {
    await using second = await startTestApi({ databaseUrl: database.url, workers: [] });
    await whenInUse(second);
  } finally {
    await operator.query('rollback');
  }
});

/** Inserts one order with a delivery in each of these states, each worth ten points. */
const order = async (states: readonly string[]) => {
  const { pool } = api.context.database;
  const member = await insertMember(pool);
  await grantPoints(pool, member, 10 * states.length);
  const { deliveryIds } = await insertOrder(pool, member, states, 10);
  return { deliveryIds, points: () => balanceOf(pool, member) };
};

// Guarantee: the queue `delivery` shows the deliveries themselves, each under its own id, in the documented states.
test('pgboss.job shows the table of deliveries', async () => {
  const shown = {
    pending: 'created',
    waiting: 'retry',
    sending: 'active',
    delivered: 'completed',
    unknown: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
  };
  const { deliveryIds } = await order(Object.keys(shown));
  const rows = await operator.query<{ id: string; state: string }>(
    `select id, state from pgboss.job where name = 'delivery' and id = any($1)`,
    [deliveryIds],
  );
  expect(new Map(rows.map(({ id, state }) => [id, state]))).toEqual(
    new Map(Object.values(shown).map((state, index) => [deliveryIds[index], state])),
  );
});

// Guarantee: an operator's cancel refunds once; a second statement finds nothing to cancel.
test('an operator cancels a delivery', async () => {
  const { deliveryIds, points } = await order(['failed', 'waiting']);
  const cancel = `update pgboss.job set state = 'cancelled'
                   where name = 'delivery' and state in ('failed', 'retry') and id = any($1) returning id, "completedOn"`;
  expect(await operator.query(cancel, [deliveryIds])).toHaveLength(2);
  expect(await points()).toBe(20);
  expect(await operator.query(cancel, [deliveryIds])).toEqual([]);
  await expect(
    operator.query(`update pgboss.job set state = 'cancelled' where id = any($1)`, [deliveryIds]),
  ).rejects.toThrow(/is cancelled: only created, retry and failed jobs can be cancelled/);
  expect(await points()).toBe(20);
});

// Guarantee: nothing that may have been sent to the game is cancelled; only the game could remove it.
test('a delivery with an attempt that is not settled', async () => {
  const { deliveryIds, points } = await order(['waiting']);
  const { pool } = api.context.database;
  await pool.query(
    `insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '') on conflict do nothing`,
  );
  await pool.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     values ('s', 'c', 'S', 's', 'minecraft', 25575) on conflict do nothing`,
  );
  await pool.query(
    `insert into delivery_attempts (delivery_id, number, command_id, server_id, way, command)
     values ($1, 1, 'x', 's', 'direct', 'give')`,
    [deliveryIds[0]],
  );
  await expect(
    operator.query(`update pgboss.job set state = 'cancelled' where id = $1`, [deliveryIds[0]]),
  ).rejects.toThrow(/has an attempt that is not settled/);
  expect(await points()).toBe(0);
});

// Guarantee: what a restored database calls waiting may have been sent, and no statement pays it back.
test('a delivery of a restored database', async () => {
  const { deliveryIds, points } = await order(['waiting', 'pending']);
  const { pool } = api.context.database;
  await pool.query('update deliveries set epoch = epoch - 1 where id = any ($1)', [deliveryIds]);
  for (const id of deliveryIds)
    await expect(
      operator.query(`update pgboss.job set state = 'cancelled' where id = $1`, [id]),
    ).rejects.toThrow(/is of a database that was restored/);
  expect(await points()).toBe(0);
});

// Guarantee: a statement that includes something it cannot cancel changes nothing at all.
test('one delivery among many that is under way', async () => {
  const { deliveryIds, points } = await order(['failed', 'sending']);
  await expect(
    operator.query(`update pgboss.job set state = 'cancelled' where id = any($1)`, [deliveryIds]),
  ).rejects.toThrow(/is active: only created, retry and failed/);
  expect(await points()).toBe(0);
});
