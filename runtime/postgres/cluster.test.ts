// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { postgresAccount } from './account.ts';
import { takeBackup } from './backup.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { restoreBackup } from './restore.ts';

let temporary: TemporaryFolder;
let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  temporary = await temporaryFolder('cluster');
  folder = temporary.path;
  // An empty data folder is no database, as an initdb that wrote elsewhere left it.
  await mkdir(join(folder, 'data'));
  cluster = await openCluster({ folder, port: await freePort() });
});

afterAll(async () => {
  await cluster.stop();
  await temporary[Symbol.asyncDispose]();
});

const backups = () => join(folder, 'backups');

const query = async (text: string) => {
  const client = await cluster.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

// Guarantee: a killed postmaster is noticed, and the next start recovers what was committed.
test('the cluster starts, survives a kill and stops in order', async () => {
  const first = await cluster.start();
  await query('create table kept as select 42 as answer');
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const second = await cluster.start();
  expect(await query('select answer from kept')).toEqual([{ answer: 42 }]);
  expect(
    await query(
      "select pg_encoding_to_char(encoding) as e, datlocale as l from pg_database where datname = 'postgres'",
    ),
  ).toEqual([{ e: 'UTF8', l: 'C.UTF-8' }]);
  await cluster.stop();
  await second.exited;
  expect(await readdir(cluster.dataFolder)).not.toContain('postmaster.pid');
});

// Guarantee: a backup taken under load restores to a state that was committed while it was taken.
test('an online physical backup restores', async () => {
  await cluster.start();
  await query('create table rows (n int primary key)');
  const writer = await cluster.connect();
  let writing = true;
  const written = (async () => {
    let n = 0;
    while (writing) await writer.query('insert into rows values ($1)', [n++]);
    return n;
  })();
  const client = await cluster.connect();
  const backup = await takeBackup(client, cluster.dataFolder, backups(), 'test');
  writing = false;
  const total = await written;
  await Promise.all([client.end(), writer.end()]);
  await query('drop table rows');

  await expect(restoreBackup(backup, cluster.dataFolder)).rejects.toThrow(/Stop the stack/);
  await cluster.stop();
  const replaced = await restoreBackup(backup, cluster.dataFolder);
  expect(await readdir(folder)).not.toContain('data.restore');
  await cluster.start();
  const [{ count, max }] = (await query('select count(*)::int, max(n) from rows')) as [
    { count: number; max: number },
  ];
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThanOrEqual(total);
  expect(max).toBe(count - 1);
  expect(replaced).toMatch(/replaced/);
  await expect(restoreBackup(join(folder, 'nowhere'), cluster.dataFolder)).rejects.toThrow();
});

// Guarantee: a postmaster.pid left by a power cut is not trusted. The process that has its pid now is left alone, and the start
// continues, even if the power went before the pid was written.
test.runIf(process.platform === 'linux')('a stale postmaster.pid is seen through', async () => {
  await cluster.stop();
  const account = postgresAccount();
  const identity = account ? { uid: account.uid, gid: account.gid } : {};
  const bystander = spawn('sleep', ['600'], { stdio: 'ignore', cwd: '/', ...identity });
  const gone = once(bystander, 'exit');
  const lock = join(cluster.dataFolder, 'postmaster.pid');
  try {
    for (const text of [`${bystander.pid}\n${cluster.dataFolder}\n1700000000\n${cluster.port}\n\n`, '']) {
      await writeFile(lock, text, { mode: 0o600 });
      if (account) await chown(lock, account.uid, account.gid);
      await cluster.stop();
      await cluster.start();
      expect([bystander.exitCode, bystander.signalCode]).toEqual([null, null]);
      expect(await query('select 1 as one')).toEqual([{ one: 1 }]);
      await cluster.stop();
    }
  } finally {
    bystander.kill('SIGKILL');
    await gone;
  }
});

// Guarantee: after a kill, which leaves postmaster.pid behind, a backup can be restored without a start first.
test('a backup restores after a kill', { tags: 'night' }, async () => {
  const running = await cluster.start();
  await query('create table before as select 1 as one');
  const client = await cluster.connect();
  const backup = await takeBackup(client, cluster.dataFolder, backups(), 'test');
  await client.end();
  process.kill(running.pid, 'SIGKILL');
  await running.exited;
  expect(await readdir(cluster.dataFolder)).toContain('postmaster.pid');
  await restoreBackup(backup, cluster.dataFolder);
  await cluster.start();
  expect(await query('select one from before')).toEqual([{ one: 1 }]);
});

// Guarantee: a restore that is killed between its two renames is finished by the next start; leftovers of a killed restore are
// never ignored in favour of a new, empty database.
test('a restore that was cut short', async () => {
  await cluster.start();
  await query('create table precious as select 1 as one');
  await cluster.stop();
  const { dataFolder, port, superuserPassword } = cluster;
  const passwordFile = join(folder, 'superuser.password');

  await rename(dataFolder, `${dataFolder}.restore`);
  cluster = await openCluster({ folder, port });
  await cluster.start();
  expect(await query('select one from precious')).toEqual([{ one: 1 }]);
  await cluster.stop();

  for (const left of ['data.replaced-1', 'data.restore.part']) {
    await rename(dataFolder, join(folder, left));
    await expect(openCluster({ folder, port })).rejects.toThrow(left);
    expect(await readFile(passwordFile, 'utf8')).toBe(superuserPassword.reveal());
    await rename(join(folder, left), dataFolder);
  }
});

/** Simulates heavy writing: by the end of the copy the WAL has advanced by several segments, and a checkpoint was made. */
const writingMuch = (client: ClientBase): ClientBase => {
  const ask = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const query = async (...args: unknown[]) => {
    if (String(args[0]).includes('pg_backup_stop'))
      for (let segment = 0; segment < 6; segment += 1) {
        await ask('create table filler (n int)');
        await ask('drop table filler');
        await ask('select pg_switch_wal()');
        await ask('checkpoint');
      }
    return ask(...args);
  };
  return Object.assign(Object.create(client) as ClientBase, { query });
};

// Guarantee: a backup fails if the server reused WAL that belongs to it, and leaves nothing under its name or half-made; our
// settings make the server keep enough WAL to prevent this.
test('a backup without its WAL does not pass for whole', async () => {
  await cluster.start();
  await query("alter system set wal_keep_size = '0'");
  await query("alter system set max_wal_size = '32MB'");
  await query("alter system set min_wal_size = '32MB'");
  await query('select pg_reload_conf()');
  await mkdir(backups(), { recursive: true });
  const before = await readdir(backups());
  const client = await cluster.connect();
  const failing = takeBackup(writingMuch(client), cluster.dataFolder, backups(), 'test');
  failing.catch(() => undefined);
  const halves = async () => (await readdir(backups())).filter((name) => name.endsWith('.part'));
  await expect.poll(async () => (await halves()).length).toBe(1);
  const [half = ''] = await halves();
  await expect(failing).rejects.toThrow(/reused \d+ of \d+ log segments/);
  await client.end();
  expect(await readdir(backups())).toEqual(before);

  await query('alter system reset wal_keep_size');
  await query('select pg_reload_conf()');
  await query('create table kept_whole as select 1 as one');
  // What a killed backup leaves behind.
  await mkdir(join(backups(), half, 'base'), { recursive: true });
  const next = await cluster.connect();
  const backup = await takeBackup(writingMuch(next), cluster.dataFolder, backups(), 'test');
  await next.end();
  expect(await halves()).toEqual([]);
  await cluster.stop();
  await restoreBackup(backup, cluster.dataFolder);
  await cluster.start();
  expect(await query('select one from kept_whole')).toEqual([{ one: 1 }]);
});

// Guarantee: a start killed while it writes postgresql.conf leaves the old file or the new one, and one that Postgres may read.
test.runIf(process.getuid?.() === 0)('postgresql.conf belongs to the account of Postgres', async () => {
  await cluster.stop();
  const file = join(cluster.dataFolder, 'postgresql.conf');
  const text = await readFile(file, 'utf8');
  await rm(file);
  await writeFile(file, text.replace(/^include = .*$/m, ''), { mode: 0o600 });
  for (const _start of [1, 2]) {
    await cluster.start();
    await cluster.stop();
    expect((await stat(file)).uid).toBe(postgresAccount()?.uid);
    await chown(file, 0, 0);
  }
});
