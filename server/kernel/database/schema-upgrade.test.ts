// @module-tag slow

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { type TestDatabase, testDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { restoreBackup } from '#runtime/postgres/restore.ts';
import { ask } from '../testing/ask.ts';
import { sqlSession } from '../testing/sql.ts';
import { startTestApi } from '../testing/test-api.ts';
import { openTestCluster, type TestCluster } from '../testing/test-cluster.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { migrations } from './migrations.ts';

let home: TemporaryFolder;
let postgres: TestCluster;

beforeAll(async () => {
  home = await temporaryFolder('upgrade');
  postgres = await openTestCluster(home.path, await freePort());
  await postgres.start();
});

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const start = (more: typeof migrations = {}) =>
  startTestApi({
    databaseUrl: postgres.databaseUrl,
    home: home.path,
    migrations: { ...migrations, ...more },
  });

const backups = async (): Promise<string[]> => {
  const entries = await readdir(join(home.path, 'backups'), { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
};

/** What a killed backup leaves behind in a version that did not mark incomplete ones. */
const killed = '2026-01-02T03-30-00-abcdef.part';

/** A backup goes to the disk; shorter than the minute after which a failed preparation is retried. */
const backupDeadlineMs = 30_000;

const migration = (statement: string) => ({
  up: async (db: Kysely<unknown>) => void (await sql.raw(statement).execute(db)),
});

// Guarantee: an empty database needs no backup, and neither does a start with nothing to migrate.
test('a first start and an ordinary one take no backup', async () => {
  for (const _start of [1, 2]) {
    await using api = await start();
    await whenInUse(api);
  }
  expect(await backups()).toEqual([]);
});

// Guarantee: a migration that fails leaves the schema and the data unchanged; health says what is wrong, and one backup
// was taken first, however often it is retried.
test('a failing migration changes nothing', async () => {
  await using session = await sqlSession(postgres.databaseUrl);
  await session.query(`insert into audit_logs (actor, action) values ('owner', 'kept')`);
  const failing = {
    '9001-fine': migration('alter table audit_logs add column extra text'),
    '9002-fails': migration('alter table no_such_table add column extra text'),
  };
  await mkdir(join(home.path, 'backups', killed), { recursive: true });
  await using api = await start(failing);
  await eventually(
    () => expect(api.context.obstacle()).toMatch(/could not be prepared: .*no_such_table/),
    backupDeadlineMs,
  );
  expect((await ask(api.port, '/api/health')).json).toMatchObject({
    status: 'down',
    components: { database: { status: 'down', detail: expect.stringContaining('no_such_table') } },
  });
  expect(await session.query('select name from schema_migrations order by name')).toEqual(
    Object.keys(migrations).map((name) => ({ name })),
  );
  const [row] = await session.query('select * from audit_logs');
  expect(row).toMatchObject({ action: 'kept' });
  expect(row).not.toHaveProperty('extra');
  const taken = await backups();
  expect(taken).toHaveLength(1);
  expect(taken).not.toContain(killed);

  // Another start fails on the same data, which already has its backup.
  await using again = await start(failing);
  await eventually(() => expect(again.context.obstacle()).toMatch(/no_such_table/));
  expect(await backups()).toEqual(taken);
});

// Guarantee: a pending migration on a database in use takes a backup first, by the API's own unprivileged role, and
// that backup restores to the state before the migration.
test('a migration is preceded by a backup that restores', async () => {
  const before = await backups();
  {
    await using api = await start({ '9001-more': migration('alter table audit_logs add column extra text') });
    await eventually(() => expect(api.context.obstacle()).toBeNull(), backupDeadlineMs);
  }
  const [taken = ''] = (await backups()).filter((name) => !before.includes(name));
  const columns = async () => {
    await using session = await sqlSession(postgres.databaseUrl);
    const rows = await session.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'audit_logs'`,
    );
    return rows.map(({ name }) => name);
  };
  expect(await columns()).toContain('extra');
  await postgres.cluster.stop();
  await restoreBackup(join(home.path, 'backups', taken), postgres.cluster.dataFolder);
  await postgres.start();
  expect(await columns()).not.toContain('extra');

  // What was written since then is not in that backup, so the same migration gets its own.
  await using api = await start({ '9001-more': migration('alter table audit_logs add column extra text') });
  await eventually(() => expect(api.context.obstacle()).toBeNull(), backupDeadlineMs);
  expect(await backups()).toHaveLength(before.length + 2);
});

// Guarantee: after a way back the previous version works on the newer schema, and its health says so.
test('an older program on a newer schema', async () => {
  await using database: TestDatabase = await testDatabase();
  const same = { databaseUrl: database.url, home: home.path };
  {
    await using newer = await startTestApi(same);
    await whenInUse(newer);
    await using session = await sqlSession(database.url);
    await session.query(`insert into schema_migrations (name, timestamp) values ('9999-later', now()::text)`);
  }
  await using older = await startTestApi(same);
  await whenInUse(older);
  const detail = healthReasons['database-newer']('9999-later');
  expect((await ask(older.port, '/api/health')).json).toMatchObject({
    status: 'degraded',
    components: { database: { status: 'degraded', detail }, queues: { status: 'ok' } },
  });
  expect((await ask(older.port, '/api/health/database')).json).toMatchObject({ status: 'degraded', detail });
});

// Guarantee: the database is used only when the next upgrade is sure to get its backup.
test('a note of an upgrade that cannot be taken back', async () => {
  const note = join(home.path, 'backups', 'upgrade-under-way.json');
  await mkdir(join(note, 'in-its-place'), { recursive: true });
  await using api = await start();
  await eventually(() =>
    expect(api.context.obstacle()).toMatch(/could not be prepared: .*upgrade-under-way/),
  );
  await rm(note, { recursive: true });
});

// Guarantee: if the data folder holds another cluster than the connected one, its files do not count as our backup; the
// migration runs, with a warning.
test('the files of another cluster are no backup', async () => {
  const before = await backups();
  await using database: TestDatabase = await testDatabase();
  {
    await using first = await startTestApi({ databaseUrl: database.url, home: home.path });
    await whenInUse(first);
  }
  await using api = await startTestApi({
    databaseUrl: database.url,
    home: home.path,
    migrations: { ...migrations, '9001-more': migration('select 1') },
  });
  await whenInUse(api);
  expect(await backups()).toEqual(before);
});
