import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type MetricSeries,
  type MetricSpan,
  metricHistoryHttp,
} from '#contracts/operations/metric-history.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { silentLog } from '../../kernel/testing/feature-api.ts';
import { openLiveClient } from '../../kernel/testing/live-client.ts';
import { startTestApi, type TestApi, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { openTestCluster, type TestCluster } from '../../kernel/testing/test-cluster.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { createMetricHistory } from './metric-history.ts';

// Its own cluster, because the test stops it, and so that its feed waits for no other test.
let folder: TemporaryFolder;
let postgres: TestCluster;
let api: TestApi;
const said: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder('figures');
  postgres = await openTestCluster(folder.path, await freePort());
  await postgres.start();
  api = await startTestApi({
    databaseUrl: postgres.databaseUrl,
    home: folder.path,
    workers: [],
    log: createLog({ component: 'api', destination: { write: (line) => void said.push(line) } }),
  });
  await whenInUse(api);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const read = (span: MetricSpan, as = testDesktopCredential) =>
  ask(api.port, `${metricHistoryHttp.read.path}?span=${span}`, {
    headers: { Authorization: `Bearer ${as}` },
  });
const pointsOf = ({ json }: Awaited<ReturnType<typeof read>>): MetricSeries['points'] =>
  metricHistoryHttp.read.response.parse(json).points;

// Guarantee: samples are taken without being asked for.
test('samples come by themselves', async () => {
  using client = await openLiveClient(api.port, testDesktopCredential);
  client.send({ type: 'subscribe', topic: 'figures' });
  await eventually(() => expect(client.messages.some(({ type }) => type === 'figures')).toBe(true), 25_000);
});

// Guarantee: what the stack knows about itself becomes the newest point, on the live stream and in the hour.
test('the figures of the stack', async () => {
  // No worker runs here, so the first day's maintenance waits.
  const { operations, servers, people, database } = api.context;
  const { metricHistory } = operations;
  using client = await openLiveClient(api.port, testDesktopCredential);
  client.send({ type: 'subscribe', topic: 'figures' });
  await client.next('subscribed');
  const serverId = await newServer(api.port);
  await newServer(api.port);
  await eventually(() => expect(servers.directory.get(serverId)).not.toBeNull());
  await metricHistory.sample();
  for (const version of ['a', 'b']) await recordEvent(database.db, 'stack.started', { version });
  const listed = (name: string) => ({ handle: name, name, platformId: null });
  await eventually(async () => {
    people.presence.report(serverId, 'direct', [listed('Ann'), listed('Ben')]);
    await metricHistory.sample();
    const { point } = await client.next('figures');
    expect(point).toMatchObject({ players: 2, databaseMs: expect.any(Number), queueDepth: 1 });
    expect(pointsOf(await read('hour')).map(({ at }) => at)).toContain(point.at);
    // Whatever began before them holds up their count.
    const counted = client.messages.map((message) =>
      message.type === 'figures' ? (message.point.events ?? 0) : 0,
    );
    expect(counted.reduce((sum, events) => sum + events, 0)).toBeGreaterThanOrEqual(2);
  });
});

// Guarantee: only those who may see the stack get figures, over HTTP and on the live stream.
test('permission', async () => {
  const without = await person(api.port, { role: await customRole(api.port, ['events.read']) });
  expect((await read('hour', without.token)).json).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  using refused = await openLiveClient(api.port, without.token);
  refused.send({ type: 'subscribe', topic: 'figures' });
  expect(await refused.next('ended')).toMatchObject({ topic: 'figures', code: 'FORBIDDEN' });
  await api.context.operations.metricHistory.sample();
  expect(refused.messages.some(({ type }) => type === 'figures')).toBe(false);

  const viewer = await person(api.port, { role: 'viewer' });
  expect((await read('day', viewer.token)).status).toBe(200);
  using allowed = await openLiveClient(api.port, viewer.token);
  allowed.send({ type: 'subscribe', topic: 'figures' });
  await allowed.next('figures');
  expect((await call(api.port, metricHistoryHttp.read, { as: 'nobody' })).status).toBe(401);
});

// Guarantee: without its database the API keeps sampling what it knows itself, does not report the failure each time, and
// still serves the last hour; afterwards all figures return.
test('a database that goes away', async () => {
  const { metricHistory } = api.context.operations;
  await postgres.cluster.stop();
  said.length = 0;
  using client = await openLiveClient(api.port, testDesktopCredential);
  client.send({ type: 'subscribe', topic: 'figures' });
  await client.next('figures');
  for (let sample = 0; sample < 5; sample += 1) {
    await metricHistory.sample();
    expect((await client.next('figures')).point).toMatchObject({ queueDepth: null, events: null });
  }
  expect(pointsOf(await read('hour'))).toHaveLength(360);
  expect(said.filter((line) => line.includes('metrics'))).toEqual([]);
  expect((await read('month')).json).toMatchObject({ status: 503, code: 'DATABASE_UNAVAILABLE' });
  await postgres.start();
  await eventually(async () => {
    await metricHistory.sample();
    expect((await client.next('figures')).point).toMatchObject({ queueDepth: 1, events: expect.any(Number) });
  }, 20_000);
  await eventually(async () => expect(pointsOf(await read('day'))).toHaveLength(288), 20_000);
});

// Guarantee: minutes that the database did not store are a gap in it; later ones are not.
test('minutes without a database', async () => {
  const { db, pool } = api.context.database;
  let nowMs = Date.parse('2026-05-04T12:00:00Z');
  await using metricHistory = createMetricHistory({
    db,
    sources: {
      players: () => [1],
      databaseMs: () => null,
      queueDepth: async () => 0,
      countEvents: async () => ({ events: 0, position: '0' }),
    },
    log: silentLog,
    now: () => nowMs,
  });
  const minutes = async (count: number) => {
    for (let sample = 0; sample < count * 6; sample += 1) {
      nowMs += 10_000;
      await metricHistory.sample();
    }
  };
  await minutes(2);
  await postgres.cluster.stop();
  await minutes(2);
  await postgres.start();
  await eventually(() => pool.query('select 1'));
  await minutes(2);
  const { rows } = await pool.query<{ at: Date }>(
    "select at from figures where at < '2026-05-05' order by at",
  );
  expect(rows.map(({ at }) => at.toISOString().slice(11, 16))).toEqual(['12:00', '12:03', '12:04']);
  const { points } = await metricHistory.read('hour');
  expect(points.slice(-36).every(({ players }) => players === 1)).toBe(true);
});
