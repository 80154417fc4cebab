import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventsHttp } from '#contracts/kernel/events.ts';
import { eventually } from '#harness/eventually.ts';
import { bindEventsRoutes } from '../events/events.routes.ts';
import {
  type FeatureApi,
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
} from '../testing/feature-api.ts';
import { sqlSession } from '../testing/sql.ts';

const rows = 200_000;

let database: MigratedDatabase;
let api: FeatureApi;
let reads = 0;

beforeAll(async () => {
  database = await migratedDatabase();
  await using sql = await sqlSession(database.url);
  await sql.query(
    `insert into event_logs (at, kind, severity, payload)
     select now() - i * interval '1 ms', 'stack.started', 'info', jsonb_build_object('version', repeat('x', 100) || i)
     from generate_series(1, $1::int) i`,
    [rows],
  );
  await sql.query('analyze event_logs');
  database.pool.on('acquire', () => {
    reads += 1;
  });
  api = await serveFeature((routes) => bindEventsRoutes(routes, database.db, 90));
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};
const usedMiB = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

// Guarantee: an export of 200,000 rows is complete and never holds more than a few pages in memory.
test('a long export does not grow the process', { tags: 'night' }, async () => {
  const before = usedMiB();
  const response = await fetch(`http://127.0.0.1:${api.port}${eventsHttp.exportJsonLines.path}`);
  let lines = 0;
  let chunks = 0;
  let most = 0;
  for await (const chunk of response.body ?? []) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    chunks += 1;
    if (chunks % 100 === 0) most = Math.max(most, usedMiB());
  }
  expect(lines).toBe(rows);
  expect(most).toBeGreaterThan(0);
  expect(most - before).toBeLessThan(30);
});

// Guarantee: a client that does not read makes the export wait instead of filling memory; when it disconnects, the export ends.
test('a client that stalls', async () => {
  const begun = reads;
  const socket = connect(api.port, '127.0.0.1');
  socket.pause();
  socket.write(`GET ${eventsHttp.exportJsonLines.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await eventually(() => expect(reads).toBeGreaterThan(begun));
  let last = -1;
  await eventually(async () => {
    const now = reads;
    await delay(100);
    const stalled = now === last && reads === now;
    last = reads;
    expect(stalled).toBe(true);
  });
  // The kernel's socket buffers take some; all rows are 400 reads.
  expect(reads - begun).toBeLessThan(150);
  const stalledAt = reads;
  socket.destroy();
  await eventually(() => expect(database.pool.idleCount).toBe(database.pool.totalCount));
  expect(reads - stalledAt).toBeLessThanOrEqual(2);
});
