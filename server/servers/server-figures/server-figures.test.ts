import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../kernel/access/actor.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import {
  type MigratedDatabase,
  migratedDatabase,
  silentLog,
  testOwner,
} from '../../kernel/testing/feature-api.ts';
import { type SqlSession, sqlSession } from '../../kernel/testing/sql.ts';
import type { ServerSample } from './figure-rows.ts';
import { createServerFigures, type ServerFigures } from './server-figures.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const noon = Date.parse('2026-05-04T12:00:00Z');

let database: MigratedDatabase;
let sql: SqlSession;
let nowMs: number;
let known: Record<string, Omit<ServerSample, 'serverId'>>;
let inUse: string[];

const open = (): ServerFigures =>
  createServerFigures({
    db: database.db,
    servers: { all: () => inUse.map((id) => ({ id })) },
    sampleOf: (id) => known[id] ?? { players: null, answerMs: null },
    obstacle: () => null,
    log: silentLog,
    now: () => nowMs,
  });
const players = (count: number | null) => ({ players: count, answerMs: null });
const sampleAt = async (figures: ServerFigures, atMs: number) => {
  nowMs = atMs;
  await figures.sample();
};
const series = async (figures: ServerFigures, span: 'hour' | 'day' | 'month', id = 'quarry') => {
  const read = await figures.read(id, span, testOwner);
  if (isRefusal(read)) throw new Error(read.refused);
  return read.points;
};

beforeEach(async () => {
  database = await migratedDatabase();
  sql = await sqlSession(database.url);
  nowMs = noon;
  inUse = ['quarry', 'arena'];
  known = {};
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'C', 'c', '')`);
  for (const id of inUse)
    await sql.query(
      `insert into game_servers (id, cluster_id, name, name_key, game, port)
       values ($1, 'c', $1, $1, 'minecraft', 1)`,
      [id],
    );
});
afterEach(async () => {
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

// Guarantee: unknown values are a gap in every chart, never a zero; an empty server is a zero.
test('gaps', async () => {
  await using figures = open();
  known = { quarry: players(0) };
  await sampleAt(figures, noon);
  known = { quarry: players(null) };
  await sampleAt(figures, noon + minuteMs);
  known = { quarry: { players: 4, answerMs: 12 } };
  await sampleAt(figures, noon + 2 * minuteMs);
  expect((await series(figures, 'hour')).slice(-4).map((point) => [point.players, point.answerMs])).toEqual([
    [null, null],
    [0, null],
    [null, null],
    [4, 12],
  ]);
  // A longer step is the mean of what is known.
  expect((await series(figures, 'day')).at(-1)).toMatchObject({ players: 2, answerMs: 12 });
  expect((await series(figures, 'month')).at(-1)).toMatchObject({ players: 2, answerMs: 12 });
  expect((await series(figures, 'month', 'arena')).every((point) => point.players === null)).toBe(true);
});

// Guarantee: samples survive a restart, and a step in progress continues afterwards.
test('a restart', async () => {
  known = { quarry: players(2) };
  {
    await using figures = open();
    await sampleAt(figures, noon);
  }
  await using again = open();
  known = { quarry: players(6) };
  await sampleAt(again, noon + minuteMs);
  expect((await series(again, 'day')).at(-1)?.players).toBe(4);
  expect(await series(again, 'hour')).toHaveLength(60);
});

// Guarantee: what no chart shows any more is deleted, so that the table stays as large as its charts.
test('bounded', async () => {
  await using figures = open();
  known = { quarry: players(1) };
  for (let hour = 0; hour < 50; hour += 1) await sampleAt(figures, noon + hour * hourMs);
  const rows = await sql.query<{ step_seconds: number; count: number }>(
    'select step_seconds, count(*)::integer as count from server_figures group by 1 order by 1',
  );
  expect(rows).toEqual([
    { step_seconds: 60, count: 2 },
    { step_seconds: 300, count: 25 },
    { step_seconds: 7200, count: 25 },
  ]);
});

// Guarantee: one answer has the day of every server that the caller may see, and of no other.
test('the day of all servers', async () => {
  await using figures = open();
  known = { quarry: players(3), arena: players(5) };
  await sampleAt(figures, noon - hourMs);
  await sampleAt(figures, noon);
  const { stepSeconds, rows } = await figures.day(testOwner);
  expect(stepSeconds).toBe(1800);
  expect(rows.map(({ serverId, players: course }) => [serverId, course.length, course.slice(-3)])).toEqual([
    ['quarry', 48, [3, null, 3]],
    ['arena', 48, [5, null, 5]],
  ]);
  const moderator: Actor = {
    ...testOwner,
    permissions: new Set(),
    serverPermissions: new Map([['arena', new Set(['servers.read'])]]),
  };
  expect((await figures.day(moderator)).rows.map(({ serverId }) => serverId)).toEqual(['arena']);
  expect(await figures.read('quarry', 'day', moderator)).toEqual({ refused: 'FORBIDDEN' });
});

// Guarantee: a server that the database does not know, or that is gone, keeps no other from being written.
test('servers that come and go', async () => {
  await using figures = open();
  inUse = ['nowhere', 'quarry'];
  known = { nowhere: players(9), quarry: players(1) };
  await sampleAt(figures, noon);
  expect((await series(figures, 'hour')).at(-1)?.players).toBe(1);
  expect(await figures.read('nowhere', 'hour', testOwner)).toEqual({ refused: 'NOT_FOUND' });
});
