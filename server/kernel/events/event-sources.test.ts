import { afterAll, beforeAll, expect, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { version } from '#runtime/version.ts';
import { apiDatabase } from '../testing/api-database.ts';
import { ask } from '../testing/ask.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { startTestApi, type TestApi, testBotSecret } from '../testing/test-api.ts';
import { openTestCluster } from '../testing/test-cluster.ts';
import { whenInUse } from '../testing/when-in-use.ts';

let database: TestDatabase;
let sql: SqlSession;
let api: TestApi;

beforeAll(async () => {
  database = await apiDatabase();
  sql = await sqlSession(database.url);
  api = await startTestApi({ databaseUrl: database.url });
  await whenInUse(api);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const expectEvents = (kind: string, events: readonly object[], on = sql) =>
  eventually(async () =>
    expect(
      await on.query('select severity, payload from event_logs where kind = $1 order by id', [kind]),
    ).toMatchObject(events),
  );

// Guarantee: the log says when the API was started, and which version.
test('a start', () => expectEvents('stack.started', [{ severity: 'info', payload: { version } }]));

// Guarantee: every change of the license's state is in the log, with the previous state; a check that changes nothing is not.
test('changes of the license', async () => {
  api.license.set('grace');
  api.license.set('grace');
  api.license.set('rejected', 'REVOKED');
  api.license.set('valid');
  await expectEvents('license.changed', [
    { severity: 'warning', payload: { from: 'valid', to: 'grace', code: null } },
    { severity: 'alert', payload: { from: 'grace', to: 'rejected', code: 'REVOKED' } },
    { severity: 'notice', payload: { from: 'rejected', to: 'valid', code: null } },
  ]);
});

// Guarantee: the bot reports often; only what is new in a report is in the log.
test('changes of the bot', async () => {
  const headers = { Authorization: `Bearer ${testBotSecret}`, 'Content-Type': 'application/json' };
  for (const state of ['connecting', 'connecting', 'connected', 'connected']) {
    const body = JSON.stringify({ state, detail: 'as usual' });
    expect((await ask(api.port, botHttp.report.path, { method: 'PUT', headers, body })).status).toBe(200);
  }
  await expectEvents('bot.state-changed', [
    { severity: 'info', payload: { from: null, to: 'connecting', detail: 'as usual' } },
    { severity: 'info', payload: { from: 'connecting', to: 'connected', detail: 'as usual' } },
  ]);
});

// Guarantee: a job that has failed permanently is in the log, in the transaction that failed it; one that is retried is not.
test('jobs that fail', async () => {
  const [job = { id: '' }] = await sql
    .query<{ id: string }>(
      `insert into queue.job (name, state, policy, retry_count) values
       ('delivery-wakes', 'retry', 'standard', 1), ('delivery-wakes', 'failed', 'standard', 2) returning id, state`,
    )
    .then((jobs) => jobs.slice(1));
  await expectEvents('queue.job-failed', [
    { severity: 'warning', payload: { queue: 'delivery-wakes', jobId: job.id, tries: 3 } },
  ]);
  await sql.query('begin');
  await sql.query(
    `insert into queue.job (name, state, policy) values ('delivery-wakes', 'failed', 'standard')`,
  );
  await sql.query('rollback');
  expect(await sql.query(`select from event_logs where kind = 'queue.job-failed'`)).toHaveLength(1);
});

// Guarantee: a time without the database is reported once it is over, with what happened in between, each event at its own time.
test('a database that comes back', async () => {
  await using home = await temporaryFolder('events');
  await using postgres = await openTestCluster(home.path, await freePort());
  const running = await postgres.start();
  await using other = await startTestApi({ databaseUrl: postgres.databaseUrl });
  await whenInUse(other);
  await eventually(async () =>
    expect((await ask(other.port, '/api/health/database')).json).toMatchObject({ status: 'ok' }),
  );
  process.kill(running.pid, 'SIGKILL');
  await running.exited;
  await eventually(async () =>
    expect((await ask(other.port, '/api/health/database')).json).toMatchObject({ status: 'down' }),
  );
  const loadWhenServed = Date.now();
  other.license.set('grace');
  await postgres.start();
  const back = Date.now();
  const again = await eventually(() => sqlSession(postgres.databaseUrl));
  await using _again = again;
  await expectEvents(
    'database.recovered',
    [{ severity: 'warning', payload: { fault: expect.any(String) } }],
    again,
  );
  await expectEvents('license.changed', [{ payload: { to: 'grace' } }], again);
  const [told] = await again.query<{ at: Date }>(`select at from event_logs where kind = 'license.changed'`);
  expect(told?.at.getTime()).toBeGreaterThanOrEqual(loadWhenServed - 1);
  expect(told?.at.getTime()).toBeLessThanOrEqual(back + 1);
});
