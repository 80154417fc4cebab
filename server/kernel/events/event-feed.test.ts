import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { type Database, openDatabase } from '#runtime/database/pool.ts';
import { migrations } from '../database/migrations.ts';
import { createSchemaUpgrade } from '../database/schema-upgrade.ts';
import type { Tables } from '../database/tables.ts';
import { silentLog } from '../testing/feature-api.ts';
import { openTestCluster, type TestCluster } from '../testing/test-cluster.ts';
import {
  canResume,
  decodeFeedCursor,
  encodeFeedCursor,
  type FeedPosition,
  readFeed,
  readFeedHorizon,
} from './event-feed.ts';
import { recordEvent } from './record-event.ts';

// A separate cluster: the feed waits for every transaction that began before, including those of other tests and autovacuum.
let folder: TemporaryFolder;
let postgres: TestCluster;
let database: Database<Tables>;
let db: Kysely<Tables>;

beforeAll(async () => {
  folder = await temporaryFolder('feed');
  postgres = await openTestCluster(folder.path, await freePort(), { fsync: 'off', autovacuum: 'off' });
  await postgres.start();
  database = openDatabase<Tables>({ url: postgres.databaseUrl, applicationName: 'test', log: silentLog });
  db = database.db;
  const folders = { data: '/nonexistent', backups: '/nonexistent' };
  await createSchemaUpgrade({ pool: database.pool, migrations, folders, log: silentLog })();
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const write = (trx: Kysely<Tables>, version: string) => recordEvent(trx, 'stack.started', { version });

const readFrom = async (position: FeedPosition) => {
  const slice = await readFeed(db, position, await readFeedHorizon(db), 100);
  return { ...slice, versions: slice.events.map(({ payload }) => payload.version) };
};

// Guarantee: an event of a transaction that began earlier and commits later is not skipped.
test('a late commit is waited for', async () => {
  const start = await readFeedHorizon(db);
  const early = await db.startTransaction().execute();
  await write(early, 'early');
  await write(db, 'late');
  const before = await readFrom(start);
  expect(before.versions).toEqual([]);
  await early.commit().execute();
  const after = await readFrom(before.end);
  expect(after.versions.toSorted()).toEqual(['early', 'late']);
  expect((await readFrom(after.end)).versions).toEqual([]);
});

// Guarantee: a reader who follows the feed while many write, commit late and roll back sees each event exactly once.
test('events pour in', async () => {
  let position = await readFeedHorizon(db);
  const committed: string[] = [];
  let writing = 6;
  const writer = async (name: number) => {
    for (let index = 0; index < 60; index += 1) {
      const version = `${name}-${index}`;
      const trx = await db.startTransaction().execute();
      await write(trx, version);
      await delay(Math.random() * 8);
      if (index % 7 === 0) await trx.rollback().execute();
      else {
        await trx.commit().execute();
        committed.push(version);
      }
    }
    writing -= 1;
  };
  const seen: unknown[] = [];
  const reader = async () => {
    for (;;) {
      const done = writing === 0;
      const horizon = await readFeedHorizon(db);
      const { events, end, isCut } = await readFeed(db, position, horizon, 7);
      seen.push(...events.map(({ payload }) => payload.version));
      position = decodeFeedCursor(encodeFeedCursor(end)) ?? end;
      if (done && !isCut) return;
    }
  };
  await Promise.all([...Array.from({ length: 6 }, (_, name) => writer(name)), reader()]);
  expect(seen.length).toBe(committed.length);
  expect(new Set(seen)).toEqual(new Set(committed));
});

// Guarantee: a client that has missed too much, or comes from a future that a restored backup has undone, is told to start again.
test('what can be resumed', async () => {
  const start = await readFeedHorizon(db);
  for (const version of ['1', '2', '3']) await write(db, version);
  const horizon = await readFeedHorizon(db);
  expect(await canResume(db, start, horizon, 3)).toBe(true);
  expect(await canResume(db, start, horizon, 2)).toBe(false);
  const future = { writtenIn: horizon.writtenIn + 1000n, id: 0n };
  expect(await canResume(db, future, horizon, 3)).toBe(false);
});

// Guarantee: a foreign cursor is recognized, and not passed to the database.
test('cursors', () => {
  expect(decodeFeedCursor('12-34')).toEqual({ writtenIn: 12n, id: 34n });
  for (const text of ['', '12', '-1-2', `1-${'9'.repeat(19)}`, "1-1' or 1=1"])
    expect(decodeFeedCursor(text)).toBeNull();
});
