import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase, silentLog } from '../../kernel/testing/feature-api.ts';
import { createHeardLines, deleteOldLines, type HeardLines } from './heard-lines.ts';

let database: MigratedDatabase;
const now = new Date();

beforeAll(async () => {
  database = await migratedDatabase();
  await database.pool.query(
    `insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`,
  );
  await database.pool.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select id, 'c', id, id, 'seven-days-to-die', 1 from unnest(array['a', 'b', 'c', 'd', 'quiet']) as id`,
  );
});
afterAll(() => database[Symbol.asyncDispose]());

const open = (mostLines?: number): HeardLines =>
  createHeardLines({ db: database.db, log: silentLog, ...(mostLines !== undefined && { mostLines }) });

/** All pages, newest first. */
const texts = async (heard: HeardLines, serverId: string, search: string | null = null, limit = 7) => {
  const found: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await heard.page(serverId, { cursor, search, limit });
    if (typeof page === 'string') throw new Error(page);
    found.push(...page.rows.map(({ text }) => text));
    if (page.nextCursor === null) return found;
    cursor = page.nextCursor;
  }
};
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}`);

// Guarantee: what was heard before a restart comes back once each, newest first, and from this server alone.
test('over a restart', async () => {
  const told = numbered(0, 40);
  {
    await using heard = open();
    for (const text of told.slice(0, 25)) heard.add('a', now, text);
    heard.add('b', now, 'of another');
  }
  await using heard = open();
  for (const text of told.slice(25)) heard.add('a', now, text);
  expect(await texts(heard, 'a')).toEqual(told.toReversed());
  expect(await texts(heard, 'a', 'LINE 3')).toEqual(
    told.filter((text) => text.startsWith('line 3')).toReversed(),
  );
  expect(await texts(heard, 'a', '%')).toEqual([]);
  expect(await texts(heard, 'b')).toEqual(['of another']);
});

// Guarantee: however much a game writes, only its newest lines stay, and a quiet server's lines stay next to them.
test('bounded', async () => {
  await using heard = open(50);
  heard.add('d', now, 'quiet');
  for (const text of numbered(0, 300)) {
    heard.add('c', now, text);
    if (text.endsWith('9')) await heard.page('c', { cursor: null, search: null, limit: 1 });
  }
  const left = await texts(heard, 'c');
  expect(left.length).toBeGreaterThanOrEqual(50);
  expect(left.length).toBeLessThan(70);
  expect(left[0]).toBe('line 299');
  expect(await texts(heard, 'd')).toEqual(['quiet']);
});

// Guarantee: old lines are deleted; an invalid place, and a server that never said anything, are told apart from an empty page.
test('ages and places', async () => {
  await using heard = open();
  heard.add('d', new Date(now.getTime() - 8 * 86_400_000), 'of last week');
  heard.add('d', now, `x\0${'y'.repeat(5000)}`);
  await texts(heard, 'd');
  await database.pool.query(
    `insert into console_lines (server_id, at, text)
     select 'd', now() - interval '8 days', 'old' from generate_series(1, 1500)`,
  );
  const stop = new AbortController();
  const stopped = deleteOldLines(database.db, stop.signal);
  stop.abort();
  expect(await stopped).toBeLessThan(1000);
  expect(await deleteOldLines(database.db, new AbortController().signal)).toBeGreaterThan(500);
  const { rowCount } = await database.pool.query(
    `select from console_lines where at < now() - interval '7 days'`,
  );
  expect(rowCount).toBe(0);
  const [newest = ''] = await texts(heard, 'd');
  expect(newest).toMatch(/^x\ufffdy+/);
  expect(newest.length).toBeLessThanOrEqual(4000);
  const page = (serverId: string, cursor: string | null) =>
    heard.page(serverId, { cursor, search: null, limit: 5 });
  expect(await page('quiet', null)).toBe('nothing heard');
  expect(await page('d', '1.2')).toBe('no such place');
  expect(await page('d', 'heard-1; drop')).toBe('no such place');
  expect(await page('d', 'heard-1')).toEqual({ rows: [], nextCursor: null });
});
