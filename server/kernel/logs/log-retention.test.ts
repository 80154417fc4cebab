import { afterEach, beforeEach, expect, test } from 'vitest';
import { type MigratedDatabase, migratedDatabase } from '../testing/feature-api.ts';
import { type SqlSession, sqlSession } from '../testing/sql.ts';
import { deleteExpired } from './log-retention.ts';
import { logTables, readLogsUsage } from './log-usage.ts';

let database: MigratedDatabase;
let sql: SqlSession;

beforeEach(async () => {
  database = await migratedDatabase();
  sql = await sqlSession(database.url);
});

afterEach(async () => {
  await sql[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const forever = new AbortController().signal;

const fillEvents = (count: number, from: string, to: string) =>
  sql.query(
    `insert into event_logs (at, kind, severity, payload)
     select now() - $2::interval + ($2::interval - $3::interval) * (i::float8 / $1), 'stack.started', 'info', '{}'
     from generate_series(0, $1::int - 1) i`,
    [count, from, to],
  );
const countEvents = async (): Promise<number> =>
  Number((await sql.query<{ count: string }>('select count(*) from event_logs'))[0]?.count);

// Guarantee: over many batches, everything older than the retention is deleted, and nothing younger.
test('only what has expired is deleted', async () => {
  await fillEvents(3500, '20 days', '7 days 1 minute');
  await fillEvents(500, '6 days 23 hours 59 minutes', '0 days');
  // Many rows share a time across the edge of a batch.
  await sql.query(
    `update event_logs set at = now() - interval '8 days' where at < now() - interval '8 days'`,
  );
  const options = { db: database.db, table: 'event_logs', retentionDays: 7, signal: forever } as const;
  expect(await deleteExpired(options)).toBe(3500);
  expect(await countEvents()).toBe(500);
  expect(await deleteExpired(options)).toBe(0);
});

// Guarantee: the audit log expires too, though nothing else may delete from it.
test('the audit log', async () => {
  await sql.query(`insert into audit_logs (actor, action, at) values
    ('a', 'old', now() - interval '31 days'), ('a', 'young', now() - interval '29 days')`);
  expect(
    await deleteExpired({ db: database.db, table: 'audit_logs', retentionDays: 30, signal: forever }),
  ).toBe(1);
  expect(await sql.query('select action from audit_logs')).toEqual([{ action: 'young' }]);
});

// Guarantee: when told to stop, it ends after the current batch and leaves the rest for the next time.
test('it yields', async () => {
  await fillEvents(2500, '20 days', '10 days');
  const stop = new AbortController();
  const options = { db: database.db, table: 'event_logs', retentionDays: 7, signal: stop.signal } as const;
  const work = deleteExpired(options);
  stop.abort();
  expect(await work).toBe(1000);
  expect(await countEvents()).toBe(1500);
  expect(await deleteExpired({ ...options, signal: forever })).toBe(1500);
});

// Guarantee: an open transaction that writes to the log neither holds up the deletion nor is held up by it.
test('writers are not in the way', async () => {
  await fillEvents(1500, '20 days', '10 days');
  await sql.query('begin');
  await fillEvents(1, '1 day', '0 days');
  const deleted = await deleteExpired({
    db: database.db,
    table: 'event_logs',
    retentionDays: 7,
    signal: forever,
  });
  expect(deleted).toBe(1500);
  await sql.query('commit');
  expect(await countEvents()).toBe(1);
});

// Guarantee: the reported size is that of the tables with their indexes; row counts are estimates, the oldest row is exact.
test('usage', async () => {
  await fillEvents(5000, '80 days', '0 days');
  await sql.query('analyze event_logs');
  const { logs } = await readLogsUsage(database.db, { audit: 365, events: 90 });
  const [{ bytes, oldest } = { bytes: '', oldest: new Date() }] = await sql.query<{
    bytes: string;
    oldest: Date;
  }>(`select pg_total_relation_size('event_logs') as bytes, min(at) as oldest from event_logs`);
  expect(logs.map(({ name }) => name)).toEqual(Object.keys(logTables));
  expect(logs[1]).toEqual({
    name: 'events',
    bytes: Number(bytes),
    rowsEstimate: 5000,
    oldestAt: oldest.toISOString(),
    retentionDays: 90,
  });
  expect(logs[0]).toMatchObject({ name: 'audit', rowsEstimate: 0, oldestAt: null, retentionDays: 365 });
});
