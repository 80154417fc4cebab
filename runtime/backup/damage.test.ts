// @module-tag slow

import { cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killsEverywhere } from '#harness/kill-count.ts';
import { backupsFolder } from '../postgres/backup.ts';
import { DamagedDatabaseError } from '../postgres/damaged-database.ts';
import { Secret } from '../secret.ts';
import { listBackups } from './backup-manifest.ts';
import { readLastAttempt } from './keep-backups.ts';
import { restoreHome } from './restore-home.ts';
import { clusterFolder } from './take-full-backup.ts';
import { flipByte } from './testing/flip-byte.ts';
import { type HomeToBackUp, homeToBackUp } from './testing/home-to-back-up.ts';

let source: HomeToBackUp;
let taken: string;

beforeAll(async () => {
  source = await homeToBackUp();
  await source.inApp(
    'create table notes (id int primary key, tag text, text text)',
    'alter table notes alter text set storage external',
    `insert into notes select n, 'tag ' || n, repeat('note ' || n, 900) from generate_series(1, 200) n`,
    'create index notes_tag on notes (tag)',
    'vacuum (freeze, analyze) notes',
  );
  taken = (await source.backUp()).path;
}, 240_000);
afterAll(() => source[Symbol.asyncDispose]());

const restore = (backup: string, home: string) =>
  restoreHome({ owner: 'castellan', home, backup, onlyWhereMissing: [] });

// Guarantee: a backup in which a byte has changed, a file is missing or one was added is refused, with the file's name, before
// anything in the data folder is replaced; so is one whose list of checksums has changed, is missing or is of a newer version.
test('a changed backup', { timeout: 400_000 }, async () => {
  const changed = join(source.path, 'changed');
  await cp(taken, changed, { recursive: true });
  const home = join(source.path, 'untouched');
  await mkdir(home, { mode: 0o711 });
  const refusal = async () => {
    const error = await restore(changed, home).then(() => null, String);
    expect(await readdir(home)).toEqual([]);
    return error;
  };
  const files = ['.env', 'license.json', 'backup.json', 'superuser.password', 'database/pg_xact/0000'];
  for (const name of [...files, 'database/global/pg_control', 'checksums.json']) {
    const undo = await flipByte(join(changed, name), 3, 1);
    expect(await refusal(), name).toContain(`is damaged: ${name} has changed`);
    await undo();
  }
  const list = join(changed, 'checksums.json');
  const kept = await readFile(list, 'utf8');
  await writeFile(list, JSON.stringify({ ...JSON.parse(kept), format: 2 }));
  expect(await refusal()).toMatch(/made by a newer version/);
  await rm(list);
  expect(await refusal()).toMatch(/checksums\.json is missing/);
  await writeFile(list, kept);

  await writeFile(join(changed, 'database', 'recovery.signal'), '');
  expect(await refusal()).toMatch(/no part of it: database\/recovery\.signal/);
  await rm(join(changed, 'database', 'recovery.signal'));
  await rm(join(changed, 'license.json'));
  expect(await refusal()).toMatch(/license\.json is missing/);
});

// Guarantee: a backup from before there were checksums is restored, and the answer says that it has none.
test('a backup without checksums', { timeout: 400_000 }, async () => {
  const old = join(source.path, 'old');
  await cp(taken, old, { recursive: true });
  await rm(join(old, 'checksums.json'));
  for (const name of ['backup.json', 'database/castellan-backup.json']) {
    const { checksums, ...manifest } = JSON.parse(await readFile(join(old, name), 'utf8'));
    expect(checksums).toBe(true);
    await writeFile(join(old, name), JSON.stringify(manifest));
  }
  const home = join(source.path, 'from-old');
  await mkdir(home, { mode: 0o711 });
  expect(await restore(old, home)).toMatchObject({
    wasCompared: false,
    proof: { rows: { 'public.notes': 200 } },
  });
});

const pathOf = async (relation: string): Promise<string> => {
  const rows = await source.inApp(`select pg_relation_filepath('${relation}') as path`);
  return (rows as { path: string }[])[0]?.path ?? '';
};

// Guarantee: a byte that has changed in the live database is found by the next backup, in a table although counting its rows needs only
// an index, in a value that is stored apart, in an index, in a system catalog, in the commit log; the good backups stay.
test('a live database that is damaged', { timeout: 400_000, tags: 'kills' }, async () => {
  const [{ toast, xid } = {}] = (await source.inApp(
    `insert into schema_migrations values ('0003-third')`,
    'select count(*) from schema_migrations',
    'checkpoint',
    `select reltoastrelid::regclass as toast, (select xmin from schema_migrations where name = '0003-third') as xid
     from pg_class where relname = 'notes'`,
  )) as { toast?: string; xid?: string }[];
  const places = [
    { path: await pathOf('notes'), offset: 8000, why: /Page 0|invalid page in block 0/ },
    { path: await pathOf(toast ?? ''), offset: 3 * 8192 + 4000, why: /block 3/ },
    { path: await pathOf('notes_tag'), offset: 8192 + 8000, why: /block 1/ },
    {
      path: await pathOf('pg_rewrite'),
      offset: 8000,
      why: new RegExp(`relation "${await pathOf('pg_rewrite')}"`),
    },
    { path: 'pg_xact/0000', offset: Math.floor(Number(xid) / 4), why: new RegExp(`transaction ${xid}`) },
  ];
  const before = await listBackups(backupsFolder(source.home));
  // Each costs two starts of Postgres and a backup: by day the first and the last.
  const looked = places.filter((_, index) => killsEverywhere || index % 4 === 0);
  for (const { path, offset, why } of looked) {
    await source.cluster.stop();
    const bit = path.startsWith('pg_xact') ? 1 << ((Number(xid) % 4) * 2) : 1;
    const undo = await flipByte(join(clusterFolder(source.home), 'data', path), offset, bit);
    await source.cluster.start();
    const error = await source.backUp().then(() => 'a backup', String);
    expect(error, path).toMatch(/files of the database are damaged/);
    expect(error, path).toMatch(why);
    await source.cluster.stop();
    await undo();
    await source.cluster.start();
  }
  expect(await listBackups(backupsFolder(source.home))).toEqual(before);
  await source.backUp();
});

// Guarantee: a table whose file has lost its end is found, although each row that is left can be read; the damage is on record until a
// backup succeeds.
test('a table that ends too early', { timeout: 400_000 }, async () => {
  await source.inApp(
    'create table lines (id int primary key, text text)',
    `insert into lines select n, 'line ' || n from generate_series(1, 2000) n`,
    'vacuum (freeze, analyze) lines',
  );
  const file = join(clusterFolder(source.home), 'data', await pathOf('lines'));
  await source.cluster.stop();
  const whole = await readFile(file);
  await truncate(file, whole.length - 8192);
  await source.cluster.start();
  expect(await source.backUp().then(() => 'a backup', String)).toMatch(
    /The file of public\.lines in .* ends too early, after \d+ of the 2000 rows/,
  );
  const detail = expect.stringContaining('ends too early');
  expect(await readLastAttempt(source.home)).toMatchObject({
    outcome: 'failed',
    path: null,
    detail,
    damage: { detail },
  });
  await source.cluster.stop();
  await writeFile(file, whole);
  await source.cluster.start();
  await source.backUp();
  expect(await readLastAttempt(source.home)).toMatchObject({ outcome: 'taken', damage: null });
});

// Guarantee: a backup that fails for another reason than damage sounds no alarm.
test.for(['postgres://postgres:wrong@127.0.0.1', 'postgres://nobody:wrong@127.0.0.1'])(
  'no damage: %s',
  async (url) => {
    const databaseUrl = new Secret(`${url}:${source.cluster.port}/missing`);
    const error: unknown = await source.backUp({ databaseUrl }).catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(DamagedDatabaseError);
  },
);
