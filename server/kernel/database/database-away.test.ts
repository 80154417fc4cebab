import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DatabaseHealth,
  databaseHealth,
  type StackHealth,
  stackHealth,
} from '#contracts/operations/health.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { ask } from '../testing/ask.ts';
import { call } from '../testing/call.ts';
import { sqlSession } from '../testing/sql.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../testing/test-api.ts';
import { openTestCluster, type TestCluster } from '../testing/test-cluster.ts';

let home: TemporaryFolder;
let postgres: TestCluster;
let api: TestApi;

beforeAll(async () => {
  home = await temporaryFolder('away');
  postgres = await openTestCluster(home.path, await freePort());
  api = await startTestApi({ databaseUrl: postgres.databaseUrl, home: home.path });
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const health = async (): Promise<StackHealth> => stackHealth.parse((await ask(api.port, '/api/health')).json);
const readings = async (): Promise<DatabaseHealth> =>
  databaseHealth.parse((await ask(api.port, '/api/health/database')).json);

const expectAway = async (words: RegExp) => {
  const { status, components } = await health();
  expect(status).toBe('down');
  expect(components.database.status).toBe('down');
  expect(components.database.detail).toMatch(words);
  expect(components.queues.status).toBe('down');
  expect(await readings()).toMatchObject({ status: 'down', latencyMs: null });
  expect((await ask(api.port, '/api/health/queues')).json).toMatchObject({
    status: 503,
    code: 'DATABASE_UNAVAILABLE',
  });
  // What can be reported without the database still is.
  const { text } = await ask(api.port, '/metrics');
  expect(text).toContain('castellan_database_up 0');
  expect(text).not.toMatch(/^castellan_entitlement_\w+[ {]/m);
};

const expectBack = () =>
  eventually(async () => {
    expect((await health()).components).toMatchObject({
      database: { status: 'ok' },
      queues: { status: 'ok' },
    });
    expect((await ask(api.port, '/api/health/queues')).status).toBe(200);
  }, 20_000);

// Guarantee: the API starts without its database, says so, and uses it when it comes.
test('a database that is away at the start', async () => {
  await expectAway(/cannot be reached/);
  await postgres.start();
  await expectBack();
});

// Guarantee: a database that is killed while in use is reported as unavailable, and is used again when it is back.
test('a database that is killed', async () => {
  const running = await postgres.start();
  await expectBack();
  process.kill(running.pid, 'SIGKILL');
  await running.exited;
  await eventually(() => expectAway(/cannot be reached|was cut|does not answer|starting/));
  await postgres.start();
  await expectBack();
});

// Guarantee: a database that hangs does not make health hang; it is used again when it continues.
// Requests that hold all connections let go of them after 30 s.
test('a database that hangs', { timeout: 300_000 }, async () => {
  const running = await postgres.start();
  await expectBack();
  await using session = await sqlSession(postgres.databaseUrl);
  // The process that accepts new connections first: a connection opened in between would continue.
  process.kill(running.pid, 'SIGSTOP');
  const stopped = new Set([running.pid]);
  const stopBackends = async () => {
    const backends = await session.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'castellan-api%'`,
    );
    for (const { pid } of backends) if (!stopped.has(pid)) process.kill(pid, 'SIGSTOP');
    for (const { pid } of backends) stopped.add(pid);
  };
  try {
    await eventually(async () => {
      // A connection that was being opened says its name a little later.
      await stopBackends();
      await expectAway(/does not answer/);
    }, 60_000);
    // Even when everyone's requests hold all its connections.
    const waiting = Promise.allSettled(Array.from({ length: 30 }, () => ask(api.port, '/api/health/queues')));
    await eventually(() => expectAway(/does not answer/), 60_000);
    await waiting;
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(api.port, '/api/health')));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
  }
  await expectBack();
});

// Guarantee: a database that can only be read is reported as down, since nothing can be saved, and what wants to save is told to come
// again; it is used again by itself.
test('a database that can only be read', async () => {
  await postgres.start();
  await expectBack();
  const set = async (statement: string) => {
    const client = await postgres.cluster.connect();
    await client.query(statement);
    await client.query('select pg_reload_conf()');
    await client.end();
  };
  await set('alter system set default_transaction_read_only = on');
  await eventually(async () => {
    const { status, components } = await health();
    expect([status, components.database]).toEqual([
      'down',
      { status: 'down', detail: healthReasons['database-read-only'] },
    ]);
  });
  const refused = await call(api.port, clustersHttp.create, {
    as: testDesktopCredential,
    body: { name: 'North', description: '' },
  });
  expect(refused.json).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' });
  await set('alter system reset default_transaction_read_only');
  await expectBack();
});
