import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '#harness/database.ts';
import { createLog } from '../log.ts';
import { type Migrations, migrate } from './migrate.ts';
import { openDatabase } from './pool.ts';

const log = createLog({ component: 'test', level: 'silent' });

const creates = (table: string): Migrations[string] => ({
  up: async (db) => void (await sql`create table ${sql.table(table)} (id int)`.execute(db)),
});
const fails: Migrations[string] = {
  up: async (db) => void (await sql`create table nonsense (id nonsense)`.execute(db)),
};

const open = async (test: Awaited<ReturnType<typeof testDatabase>>) =>
  openDatabase<never>({ url: test.url, applicationName: 'test', log });

const tables = async (db: Awaited<ReturnType<typeof open>>['db']) => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`.execute(
    db,
  );
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('schema_'));
};

// Guarantee: when several processes start together, one migrates, and the others find it done.
test('simultaneous starts migrate once', async () => {
  await using database = await testDatabase();
  const opened = await Promise.all([open(database), open(database), open(database)]);
  const migrations = { '0001_a': creates('a'), '0002_b': creates('b') };
  await Promise.all(opened.map(({ db }) => migrate({ db, migrations, log })));
  await using another = await open(database);
  expect(await tables(another.db)).toEqual(['a', 'b']);
  for (const one of opened) await one[Symbol.asyncDispose]();
});

// Guarantee: a used database is backed up before it changes, and a failing migration leaves it unchanged.
test('beforeChange comes first, and a failure changes nothing', async () => {
  await using database = await testDatabase();
  await using opened = await open(database);
  const calls: (readonly string[])[] = [];
  const beforeChange = async (pending: readonly string[]) => {
    calls.push(pending);
    expect(await tables(opened.db)).toEqual(['a']);
  };
  await migrate({ db: opened.db, migrations: { '0001_a': creates('a') }, log, beforeChange });
  expect(calls).toEqual([]);

  const failing = { '0001_a': creates('a'), '0002_b': creates('b'), '0003_c': fails };
  await expect(migrate({ db: opened.db, migrations: failing, log, beforeChange })).rejects.toThrow(
    /nonsense/,
  );
  expect(calls).toEqual([['0002_b', '0003_c']]);
  expect(await tables(opened.db)).toEqual(['a']);
});

// Guarantee: after an update is undone, the previous version runs on the schema that the newer one expanded, and says so.
test('a newer schema is left alone, a foreign one refused', async () => {
  await using database = await testDatabase();
  await using opened = await open(database);
  const both = { '0001_a': creates('a'), '0002_b': creates('b') };
  const written: string[] = [];
  const loud = createLog({ component: 'test', destination: { write: (line) => void written.push(line) } });
  expect(await migrate({ db: opened.db, migrations: both, log: loud })).toEqual([]);
  expect(await migrate({ db: opened.db, migrations: both, log: loud })).toEqual([]);
  expect(written.join('')).not.toContain('newer version');
  expect(await migrate({ db: opened.db, migrations: { '0001_a': creates('a') }, log: loud })).toEqual([
    '0002_b',
  ]);
  expect(written.at(-1)).toMatch(/"level":"warn".*"0002_b".*newer version/);
  expect(await tables(opened.db)).toEqual(['a', 'b']);
  const other = { '0001_a': creates('a'), '0002_other': creates('other') };
  await expect(migrate({ db: opened.db, migrations: other, log })).rejects.toThrow(/another version/);
});

// Guarantee: a migration may take as long as a large table needs; afterwards statements have their time limit again.
test('no limit of time while migrating', async () => {
  await using database = await testDatabase();
  await using opened = await open(database);
  const limits: (string | undefined)[] = [];
  const limitOf = async <Tables>(db: Kysely<Tables>) =>
    (await sql<{ statement_timeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statement_timeout;
  const reads: Migrations[string] = { up: async (db) => void limits.push(await limitOf(db)) };
  const before = await limitOf(opened.db);
  await migrate({ db: opened.db, migrations: { '0001_reads': reads }, log });
  expect(limits).toEqual(['0']);
  expect(before).toBe('30s');
  expect(await limitOf(opened.db)).toBe(before);
});
