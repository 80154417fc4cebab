// @module-tag slow

import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { deadDrive } from '#harness/dead-drive.ts';
import { freePort } from '#harness/ports.ts';
import { readLastAttempt } from '#runtime/backup/keep-backups.ts';
import { packBackup } from '#runtime/backup/pack-backup.ts';
import { writeListedBackup } from '#runtime/backup/testing/listed-backup.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import { openCluster } from '#runtime/postgres/cluster.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
import { holdHome } from '../control/held-home.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { type HeadlessHome, headlessHome } from '../testing/headless-home.ts';

let home: HeadlessHome;
beforeEach(async () => {
  home = await headlessHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const sql = async (...statements: string[]): Promise<unknown[]> => {
  const { databaseUrl } = await readStackConfig(home.path);
  const client = new pg.Client({ connectionString: splitConnectionLimit(databaseUrl.reveal()).url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

/** Like the file that a first start leaves. */
const writeWholeEnv = async () => {
  await home.writeEnv();
  await ensureEnv(home.path, { url: 'http://127.0.0.1:1', publicKey: 'A'.repeat(43) });
};

const backupIn = (stdout: string): string => /Backup taken: (.+)/.exec(stdout)?.[1] ?? '';

// Guarantee: a running stack is backed up without a pause, a stopped one, too; a restore refuses while it runs unless it
// may stop it, brings back the backup, keeps what was there, and the stack starts on it.
test('castellan backup and castellan restore', { timeout: 240_000 }, async () => {
  await home.writeEnv();
  home.launch();
  await home.whenRuns();
  await sql(
    'create table schema_migrations (name text)',
    'create table players (name text)',
    "insert into players values ('of the backup')",
  );
  const to = join(home.folder, 'another disk');
  const taken = await home.run('backup', '--to', to);
  expect(taken).toMatchObject({ exitCode: 0, stderr: '' });
  const backup = backupIn(taken.stdout);
  expect((await readdir(backup)).toSorted()).toEqual(
    ['.env', 'backup.json', 'checksums.json', 'database', 'superuser.password'].toSorted(),
  );
  expect((await stat(join(backup, '.env'))).mode & 0o777).toBe(0o600);
  expect(taken.stdout).not.toContain('a-password-of-the-api');
  expect(await readLastAttempt(home.path)).toMatchObject({ outcome: 'taken', path: backup });
  const env = await readFile(join(home.path, '.env'), 'utf8');

  await sql("insert into players values ('of later')");
  const refused = await home.run('restore', backup);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr).toContain('castellan restore --stop');

  const restored = await home.run('restore', '--stop', backup);
  expect(restored).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await readFile(join(home.path, '.env'), 'utf8')).toBe(env);

  const still = await home.run('backup');
  expect(still).toMatchObject({ exitCode: 0, stderr: '' });
  expect(backupIn(still.stdout)).toContain(join(home.path, 'backups'));

  home.launch();
  await home.whenRuns();
  expect(await sql('select name from players')).toEqual([{ name: 'of the backup' }]);
  expect((await readdir(home.path)).filter((name) => name.startsWith('re'))).toMatchObject([
    expect.stringMatching(/^replaced-/),
  ]);
});

// Guarantee: a database that runs without a supervisor, like the service of Postgres beside a stopped API, is backed up
// without being stopped.
test('a database that runs alone', { timeout: 60_000, tags: 'night' }, async () => {
  await writeWholeEnv();
  await using resources = new AsyncDisposableStack();
  const cluster = await openCluster({ folder: join(home.path, 'postgres'), port: await freePort() });
  resources.defer(() => cluster.stop());
  await cluster.start();
  const server = await cluster.connect();
  await server.query('create database castellan');
  const client = await cluster.connect('castellan');
  await client.query('create table schema_migrations (name text)');
  expect(await home.run('backup')).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await client.query('select 1 as answer')).rows).toEqual([{ answer: 1 }]);
  await Promise.all([client.end(), server.end()]);
});

// Guarantee: where another program holds the data folder with a stopped stack, the command says so and what to do.
test('a home that is held with a stopped stack', async () => {
  await writeWholeEnv();
  await mkdir(join(home.path, 'postgres', 'data'), { recursive: true });
  await writeFile(join(home.path, 'postgres', 'data', 'PG_VERSION'), '18\n');
  await using held = await holdHome(home.path, 'desktop');
  const since = new Date().toISOString();
  const postgres = { name: 'postgres', state: 'stopped', reason: null, pid: null, port: null, since };
  held.serve((_request, response) => {
    const status = {
      state: 'stopped',
      home: home.path,
      pid: 1,
      heldBy: 'desktop',
      apiUrl: 'http://127.0.0.1',
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ...status, components: [{ ...postgres, restarts: 0, lastLines: [] }] }));
  });
  const refused = await home.run('backup');
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toMatch(/is not running \(stopped\), and desktop is using the folder/);
});

// Guarantee: a share that does not answer is named; no command waits for it.
test.each(['backup', 'restore'])('castellan %s and a dead share', { tags: 'mount' }, async (command) => {
  await writeWholeEnv();
  using drive = deadDrive();
  const folder = join(drive.path, 'backups');
  const { exitCode, stderr } = await home.run(
    ...(command === 'backup' ? [command, '--to'] : [command]),
    folder,
  );
  expect([exitCode, stderr]).toEqual([
    1,
    `The folder ${folder} does not answer. Is its network drive connected?\n`,
  ]);
});

// Guarantee: where there is nothing to back up or to restore, a sentence says so, and nothing is made.
test('nothing there', async () => {
  expect((await home.run('backup')).stderr).toMatch(/castellan start/);
  await home.writeEnv();
  expect((await home.run('restore', join(home.folder, 'nowhere'))).stderr).toMatch(/not a whole backup/);
  expect(await readdir(home.path)).not.toContain('replaced');
});

// Guarantee: an encrypted backup is taken by its passphrase from stdin; a wrong one and a cut file are refused in a sentence, with
// nothing left of them and nothing replaced.
test('an encrypted backup', async () => {
  await writeWholeEnv();
  const env = await readFile(join(home.path, '.env'), 'utf8');
  const elsewhere = join(home.folder, 'elsewhere');
  const name = await writeListedBackup(elsewhere);
  const file = join(home.folder, 'castellan-backup.tar.age');
  await packBackup(createWriteStream(file), join(elsewhere, 'backups', name), 'its passphrase', 4);
  const restored = (passphrase: string) => home.runWith(`${passphrase}\n`, 'restore', file);
  expect((await restored('another one')).stderr).toContain('The passphrase is wrong');
  // Decrypted and unpacked, it is a backup like any other: this one lacks its database.
  const whole = await restored('its passphrase');
  expect(whole.stdout).toContain('Decrypting the backup');
  expect(whole.stderr).not.toMatch(/passphrase|cut off/);
  expect(whole.exitCode).not.toBe(0);
  await truncate(file, (await stat(file)).size - 10);
  expect((await restored('its passphrase')).stderr).toContain('is cut off or was changed');
  expect((await readdir(home.path)).filter((left) => left.startsWith('re'))).toEqual([]);
  expect(await readFile(join(home.path, '.env'), 'utf8')).toBe(env);
});
