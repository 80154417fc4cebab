import { PgBoss } from 'pg-boss';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { QueuesHealth } from '#contracts/operations/health.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { apiDatabase } from '../testing/api-database.ts';
import { ask } from '../testing/ask.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { startTestApi, type TestApi, type TestApiOptions } from '../testing/test-api.ts';
import { testLicense } from '../testing/test-license.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { queueSchema } from './queues.ts';
import type { WorkerDeclaration } from './workers.ts';

let database: TestDatabase;
let sql: SqlSession;

beforeEach(async () => {
  database = await apiDatabase();
  sql = await sqlSession(database.url);
});

afterEach(async () => {
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const start = async (options: Omit<TestApiOptions, 'databaseUrl'> = {}): Promise<TestApi> => {
  const api = await startTestApi({ databaseUrl: database.url, ...options });
  await whenInUse(api);
  return api;
};

const deliveries = async (api: TestApi): Promise<QueuesHealth['queues'][number] | undefined> => {
  const answer = await ask(api.port, '/api/health/queues');
  return (answer.json as unknown as QueuesHealth).queues.find(({ name }) => name === 'delivery-wakes');
};

const putDelivery = (state = 'created', extra: Record<string, unknown> = {}) => {
  const columns = ['name', 'state', 'policy', ...Object.keys(extra)];
  const values = ['delivery-wakes', state, 'standard', ...Object.values(extra)];
  return sql.query(
    `insert into queue.job (${columns}) values (${columns.map((_, index) => `$${index + 1}`)})`,
    values,
  );
};

/** pg-boss's own check for expired jobs, which normally runs once a minute. */
const superviseNow = async () => {
  await sql.query('update queue.queue set monitor_on = null');
  const boss = new PgBoss({
    connectionString: database.url.reveal(),
    schema: queueSchema,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.supervise('delivery-wakes');
  await boss.stop();
};

const deliveryWorker = (handle: WorkerDeclaration['handle']): WorkerDeclaration => ({
  queue: 'delivery-wakes',
  batchSize: 1,
  handle,
});

// Guarantee: jobs that a killed process left running restart as soon as the API runs, not when they expire or after a delay;
// this costs them no try, not even the last one, and does not count as a failure.
test('orphans are recovered at start', async () => {
  await (await start({ workers: [] }))[Symbol.asyncDispose]();
  const slow = { retry_delay: 3600, retry_delay_max: 3600, retry_backoff: true };
  await putDelivery('active', { ...slow, retry_limit: 5, retry_count: 0, started_on: new Date() });
  await putDelivery('active', { ...slow, retry_limit: 2, retry_count: 2, started_on: new Date() });
  await using api = await start({ workers: [deliveryWorker(async () => undefined)] });
  await eventually(async () =>
    expect(await deliveries(api)).toMatchObject({
      counts: { active: 0, retry: 0, failed: 0, completed: 2 },
      failuresTotal: 0,
    }),
  );
  const tries = await sql.query(
    `select retry_count from queue.job where name = 'delivery-wakes' order by retry_count`,
  );
  expect(tries).toEqual([{ retry_count: 0 }, { retry_count: 2 }]);
});

// Guarantee: after a clock that was 70 years ahead is put right, jobs do not wait until then, and pg-boss supervises its queues.
test('a clock that was ahead', async () => {
  await (await start({ workers: [] }))[Symbol.asyncDispose]();
  const ahead = new Date(Date.now() + 70 * 365 * 86_400_000);
  await putDelivery('retry', { start_after: ahead, retry_count: 1, retry_limit: 5 });
  await sql.query('update queue.queue set maintain_on = $1, monitor_on = $1, monitor_claim_on = $1', [ahead]);
  await sql.query('update queue.version set bam_on = $1, monitor_backoff_on = $1', [ahead]);
  await using api = await start({ workers: [deliveryWorker(async () => undefined)] });
  await eventually(async () =>
    expect(await deliveries(api)).toMatchObject({ counts: { retry: 0, completed: 1 } }),
  );
  const left = await sql.query(
    `select from queue.queue, queue.version
      where greatest(maintain_on, monitor_on, monitor_claim_on, bam_on, monitor_backoff_on) > now() + interval '1 day'`,
  );
  expect(left).toEqual([]);
});

// Guarantee: a process that starts beside a living one leaves its jobs alone, and takes those whose heartbeat has stopped.
test('the jobs of a living process', async () => {
  await using _living = await start({ workers: [] });
  const beat = (secondsAgo: number) => ({
    heartbeat_seconds: 30,
    started_on: new Date(),
    heartbeat_on: new Date(Date.now() - secondsAgo * 1000),
  });
  await putDelivery('active', beat(1));
  await putDelivery('active', beat(31));
  await using _other = await start({ workers: [] });
  const jobs = await sql.query("select state from queue.job where name = 'delivery-wakes' order by state");
  expect(jobs.map(({ state }) => state)).toEqual(['retry', 'active']);
});

// Guarantee: an orphan whose work already waits for another try gives way to it, and the queues still start.
test('an orphan beside its like', async () => {
  await (await start({ workers: [] }))[Symbol.asyncDispose]();
  await sql.query(
    `insert into queue.job (name, state, policy, started_on)
      values ('maintenance', 'retry', 'stately', now()), ('maintenance', 'active', 'stately', now())`,
  );
  await using _api = await start({ workers: [] });
  const states = await sql.query(
    `select state::text from queue.job where name = 'maintenance' and started_on is not null order by 1`,
  );
  expect(states).toEqual([{ state: 'failed' }, { state: 'retry' }]);
});

// Guarantee: every failed try is counted, whatever detects it, and the count outlives the jobs.
test('failures accumulate across tries, expiry and deletion', async () => {
  await using api = await start({
    workers: [
      deliveryWorker(async () => {
        throw new Error('the server is away');
      }),
    ],
  });
  await putDelivery('created', { retry_limit: 2, retry_delay: 0 });
  await eventually(async () =>
    expect(await deliveries(api)).toMatchObject({ counts: { failed: 1 }, failuresTotal: 3 }),
  );
  const [job] = await sql.query<{ retryCount: number }>(
    `select "retryCount" from pgboss.job where name = 'delivery-wakes'`,
  );
  expect(job?.retryCount).toBe(2);

  await putDelivery('active', { retry_limit: 0, started_on: new Date(0), expire_seconds: 1 });
  await superviseNow();
  await sql.query('delete from queue.job');
  await eventually(async () =>
    expect(await deliveries(api)).toMatchObject({ counts: { failed: 0 }, failuresTotal: 4 }),
  );
});

// Guarantee: while the license is rejected no job begins, the current one ends, and afterwards work continues.
test('workers pause with the license and resume with it', async () => {
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  await using api = await start({
    workers: [
      deliveryWorker(async ([job]) => {
        begun.push(job?.id ?? '');
        await gate.promise;
      }),
    ],
  });
  await putDelivery();
  await eventually(() => expect(begun).toHaveLength(1));

  api.license.set('rejected', 'REVOKED');
  gate.resolve();
  await api.context.workers.settled();
  expect(api.context.workers.running).toBe(false);
  expect(await sql.query(`select state::text from queue.job where name = 'delivery-wakes'`)).toEqual([
    { state: 'completed' },
  ]);
  await putDelivery();

  api.license.set('valid');
  expect(begun).toHaveLength(1);
  await eventually(() => expect(begun).toHaveLength(2));
  expect(api.context.workers.running).toBe(true);
});

// Guarantee: a start without a license starts the queues, but takes no job before there is one.
test('workers wait for the first license', async () => {
  const begun: string[] = [];
  await using api = await start({
    license: testLicense('unlicensed'),
    workers: [deliveryWorker(async () => void begun.push('x'))],
  });
  await putDelivery();
  await api.context.workers.settled();
  expect(api.context.workers.running).toBe(false);
  api.license.set('valid');
  await eventually(() => expect(begun).toHaveLength(1));
});

// Guarantee: a job put into a notifying queue begins immediately, and all connections together keep to the limit.
test('jobs are notified within the connection limit', async () => {
  const url = new URL(database.url.reveal());
  url.searchParams.set('connection_limit', '3');
  const begun: string[] = [];
  await using api = await startTestApi({
    databaseUrl: new Secret(url.toString()),
    workers: [deliveryWorker(async ([job]) => void begun.push(job?.id ?? ''))],
  });
  await whenInUse(api);
  await eventually(() => expect(api.context.workers.running).toBe(true));
  await Promise.all(Array.from({ length: 20 }, () => ask(api.port, '/api/health/queues')));
  // An abandoned one is counted until its process has ended; a surplus one would stay.
  await eventually(async () => {
    const [counted] = await sql.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
        where datname = current_database() and application_name like 'castellan-api%'`,
    );
    expect(counted?.open).toBeLessThanOrEqual(3);
    expect(
      await sql.query(`select 1 from pg_stat_activity
        where datname = current_database() and application_name = 'castellan-api-listen' and query ilike 'listen%'`),
    ).toHaveLength(1);
  });
});

// Guarantee: an audit row older than the retention is deleted, a younger one stays.
test('maintenance runs once a day and deletes old audit rows', async () => {
  await (await start({ workers: [] }))[Symbol.asyncDispose]();
  await sql.query(`insert into audit_logs (actor, action, at) values
    ('a', 'old', now() - interval '31 days'), ('a', 'young', now() - interval '29 days')`);
  await sql.query(`delete from queue.job where name = 'maintenance'`);
  await using _api = await start();
  await eventually(async () =>
    expect(await sql.query('select action from audit_logs')).toEqual([{ action: 'young' }]),
  );
  expect(await sql.query(`select 1 from queue.job where name = 'maintenance'`)).toHaveLength(1);
});

// Guarantee: a shorter retention deletes at the next start, not the next day, and is not requested twice.
test('a changed retention takes effect at once', async () => {
  await (await start({ auditRetentionDays: 30 }))[Symbol.asyncDispose]();
  await sql.query(`insert into audit_logs (actor, action, at) values
    ('a', 'old', now() - interval '11 days'), ('a', 'young', now() - interval '9 days')`);
  for (const _start of [1, 2]) {
    await using _api = await start({ auditRetentionDays: 10 });
    await eventually(async () =>
      expect(await sql.query('select action from audit_logs')).toEqual([{ action: 'young' }]),
    );
  }
  expect(await sql.query(`select 1 from queue.job where name = 'maintenance'`)).toHaveLength(2);
});

// Guarantee: pg-boss changes its tables only after a backup: raising its version turns this test red, and requires a
// migration (see database/migrations.ts) and the new number here.
test('the version of the tables that pg-boss keeps', async () => {
  await using _api = await start({ workers: [] });
  expect(await sql.query('select version from queue.version')).toEqual([{ version: 43 }]);
});
