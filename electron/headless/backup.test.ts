import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readLastAttempt } from '#runtime/backup/keep-backups.ts';
import { splitConnectionLimit } from '#runtime/database/pool.ts';
import { readStackConfig } from '#runtime/stack-config.ts';
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

const backupIn = (stdout: string): string => /Backup taken: (.+)/.exec(stdout)?.[1] ?? '';

// Guarantee: a stack that runs is backed up without a pause, one that stands still, too; a restore refuses while it runs unless it
// may stop it, brings back what was, keeps what was there, and the stack starts on it.
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
    ['.env', 'backup.json', 'database', 'superuser.password'].toSorted(),
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

// Guarantee: where there is nothing to back up or to restore, a sentence says so, and nothing is made.
test('nothing there', async () => {
  expect((await home.run('backup')).stderr).toMatch(/castellan start/);
  await home.writeEnv();
  expect((await home.run('restore', join(home.folder, 'nowhere'))).stderr).toMatch(/not a whole backup/);
  expect(await readdir(home.path)).not.toContain('replaced');
});
