import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ServerMessage, serverMessage } from '#contracts/kernel/live.ts';
import { metricHistoryHttp } from '#contracts/operations/metric-history.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { ask } from '../../kernel/testing/ask.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  serveFeature,
  silentLog,
} from '../../kernel/testing/feature-api.ts';
import { type SqlSession, sqlSession } from '../../kernel/testing/sql.ts';
import { countEvents } from './event-count.ts';
import { bindMetricHistoryRoutes } from './metric-history.routes.ts';
import { createMetricHistory, type MetricHistory } from './metric-history.ts';
import type { MetricSources } from './metric-sampler.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let database: MigratedDatabase;
let sql: SqlSession;
let nowMs: number;
let known: { players: (number | null)[]; databaseMs: number | null; queueDepth: number; events: number };

const sources: MetricSources = {
  players: () => known.players,
  databaseMs: () => known.databaseMs,
  queueDepth: async () => known.queueDepth,
  countEvents: async () => ({ events: known.events, position: '0' }),
};
const open = (others: Partial<Parameters<typeof createMetricHistory>[0]> = {}): MetricHistory =>
  createMetricHistory({ db: database.db, sources, log: silentLog, now: () => nowMs, ...others });

/** Takes a sample every ten seconds. */
const samples = async (figures: MetricHistory, count: number) => {
  for (let sample = 0; sample < count; sample += 1) {
    nowMs += 10_000;
    await figures.sample();
  }
};
const rows = () => sql.query<{ at: Date; players: number | null }>('select * from figures order by at');

beforeEach(async () => {
  database = await migratedDatabase();
  sql = await sqlSession(database.url);
  nowMs = noon;
  known = { players: [2, 3], databaseMs: 1.5, queueDepth: 4, events: 1 };
});
afterEach(async () => {
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

// Guarantee: each completed minute becomes one row of its means and its events; the current one waits.
test('a row a minute', async () => {
  await using figures = open();
  await samples(figures, 3);
  known = { players: [4, null], databaseMs: 2.5, queueDepth: 0, events: 3 };
  await samples(figures, 3);
  expect(await rows()).toEqual([]);
  await samples(figures, 1);
  expect(await rows()).toEqual([
    { at: new Date(noon), players: 4.5, database_ms: 2, queue_depth: 2, events: 12 },
  ]);
});

// Guarantee: while the players on all servers are unknown there is no count, in memory, in the row and in every chart.
test('what is not known is no zero', async () => {
  await using figures = open();
  known = { ...known, players: [null, null], databaseMs: null };
  await samples(figures, 7);
  const nothing = { players: null, databaseMs: null };
  expect((await figures.read('hour')).points.at(-1)).toMatchObject(nothing);
  expect(await rows()).toMatchObject([{ players: null, database_ms: null, queue_depth: 4, events: 6 }]);
  for (const span of ['day', 'month'] as const)
    expect((await figures.read(span)).points.at(-1)).toMatchObject({ ...nothing, queueDepth: 4, events: 6 });
  known.players = [null, 0];
  await samples(figures, 1);
  expect((await figures.read('hour')).points.at(-1)).toMatchObject({ players: 0 });
});

// Guarantee: a longer step shows the means of its minutes and the sum of their events; without any minute it is a gap.
test('day and month', async () => {
  const minute = (ms: number, players: number | null, events: number) =>
    sql.query('insert into figures values ($1, $2, 1, 0, $3)', [new Date(ms), players, events]);
  await minute(noon, 2, 10);
  await minute(noon + minuteMs, null, 5);
  await minute(noon + 4 * minuteMs, 5, 1);
  await minute(noon + 5 * minuteMs, 7, 2);
  nowMs = noon + 10 * minuteMs;
  // Left behind by a wrong clock.
  await minute(nowMs + minuteMs, 1000, 1000);
  await using figures = open();
  const day = await figures.read('day');
  expect(day.points.slice(-4)).toEqual([
    { at: '2026-05-04T11:55:00.000Z', players: null, databaseMs: null, queueDepth: null, events: null },
    { at: '2026-05-04T12:00:00.000Z', players: 3.5, databaseMs: 1, queueDepth: 0, events: 16 },
    { at: '2026-05-04T12:05:00.000Z', players: 7, databaseMs: 1, queueDepth: 0, events: 2 },
    { at: '2026-05-04T12:10:00.000Z', players: null, databaseMs: null, queueDepth: null, events: null },
  ]);
  const month = await figures.read('month');
  expect(month.points.slice(-2)).toMatchObject([
    { at: '2026-05-04T10:00:00.000Z', players: null, events: null },
    { at: '2026-05-04T12:00:00.000Z', players: 4.67, events: 18 },
  ]);
});

// Guarantee: however much data there is, an answer has exactly its number of points, at equal distances, in the contract's shape.
test('answers are bounded', async () => {
  nowMs = noon + 1234;
  await sql.query(
    `insert into figures select at, 1, 1, 1, 1 from generate_series($1::timestamptz, $2, '1 minute') at`,
    [new Date(noon - 40 * dayMs), new Date(noon + dayMs)],
  );
  await using figures = open();
  await figures.prepare();
  await using api = await serveFeature((routes) => bindMetricHistoryRoutes(routes, figures.read, () => null));
  for (const [span, count, stepSeconds] of [
    ['hour', 360, 10],
    ['day', 288, 300],
    ['month', 360, 7200],
  ] as const) {
    const { json } = await ask(api.port, `/api/figures?span=${span}`);
    const answer = metricHistoryHttp.read.response.parse(json);
    expect(answer).toMatchObject({ stepSeconds });
    const times = answer.points.map(({ at }) => Date.parse(at));
    expect(times).toHaveLength(count);
    expect(times.every((at, index) => at === (times[0] ?? 0) + index * stepSeconds * 1000)).toBe(true);
    expect(answer.points.every(({ players }) => players === 1)).toBe(true);
  }
  for (const query of ['', '?span=', '?span=year', '?span=hour&span=day', '?span=%00'])
    expect([query, (await ask(api.port, `/api/figures${query}`)).status]).toEqual([query, 400]);
});

// Guarantee: after a restart the last hour is available per minute, and what follows per step; what was not written is a gap.
test('a restart', async () => {
  await using before = open();
  known.players = [6];
  await samples(before, 13);
  await before[Symbol.asyncDispose]();
  nowMs += 2 * minuteMs;
  await using after = open();
  await after.prepare();
  await after.prepare();
  known.players = [1];
  await samples(after, 1);
  const { points } = await after.read('hour');
  expect(points.slice(-28).map(({ players }) => players)).toEqual([
    ...Array(2).fill(null),
    ...Array(12).fill(6),
    ...Array(13).fill(null),
    1,
  ]);
  expect(points.reduce((sum, { events }) => sum + (events ?? 0), 0)).toBe(13);
});

// Guarantee: a clock that is set back stops nothing; of a minute that comes twice, the later one counts.
test('a clock that is set back', async () => {
  await using figures = open();
  await samples(figures, 13);
  nowMs = noon - 10_000;
  known.players = [50];
  await samples(figures, 14);
  expect((await rows()).map(({ at, players }) => [at.getTime() - noon, players])).toEqual([
    [-minuteMs, 50],
    [0, 50],
    [minuteMs, 50],
    [2 * minuteMs, 5],
  ]);
  nowMs = noon - 400 * dayMs;
  await samples(figures, 1);
  expect((await figures.read('hour')).points.at(-1)).toMatchObject({ players: 50 });
});

// Guarantee: over several batches, everything that no chart shows is deleted, and nothing younger than 32 days.
test('retention', async () => {
  await sql.query(
    `insert into figures (at, events)
     select date_trunc('minute', now()) - make_interval(days => 32) - i * interval '1 minute', 0
     from generate_series(-100, 2200) i`,
  );
  await using figures = open();
  const signal = new AbortController().signal;
  expect(await figures.maintenance.run(AbortSignal.abort())).toBe(0);
  const deleted = await figures.maintenance.run(signal);
  // The minute may change in between.
  expect([2200, 2201, 2202]).toContain(deleted);
  expect(await figures.maintenance.run(signal)).toBeLessThan(2);
  expect([99, 100, 101]).toContain((await rows()).length);
});

// Guarantee: a stalled database does not hold up any sample for long; its events are counted once it continues, each one once.
test('a database that stands still', async () => {
  const said: string[] = [];
  await using figures = open({
    sources: { ...sources, countEvents: (since) => countEvents(database.db, since) },
    log: createLog({ component: 'test', destination: { write: (line) => void said.push(line) } }),
  });
  const counted: number[] = [];
  const take = (message: ServerMessage) => {
    if (message.type === 'figures' && message.point.events !== null) counted.push(message.point.events);
  };
  using _ = figures.topic.subscribe(
    {
      isReady: () => true,
      maySee: () => true,
      send: (message) => take(serverMessage.parse(JSON.parse(message))),
    },
    { since: null, serverId: null },
  );
  const sum = () => counted.reduce((total, events) => total + events, 0);
  await samples(figures, 1);
  for (const version of ['a', 'b', 'c']) await recordEvent(database.db, 'stack.started', { version });
  await sql.query('begin');
  await sql.query('lock table event_logs in access exclusive mode');
  await samples(figures, 3);
  expect(counted).toEqual([]);
  expect((await figures.read('hour')).points.at(-1)).toMatchObject({ players: 5, queueDepth: null });
  await sql.query('commit');
  // Transactions of other tests hold up the feed, too.
  await eventually(async () => {
    await samples(figures, 1);
    expect(sum()).toBe(3);
  }, 30_000);
  await samples(figures, 3);
  expect(sum()).toBe(3);
  expect(said).toEqual([]);
});
