import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { restoreBackup, takeBackup } from './backup.ts';
import { type Cluster, openCluster } from './cluster.ts';

let temporary: TemporaryFolder;
let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  temporary = await temporaryFolder('cluster');
  folder = temporary.path;
  cluster = await openCluster({ folder, port: await freePort() });
});

afterAll(async () => {
  await cluster.stop();
  await temporary[Symbol.asyncDispose]();
});

const query = async (text: string) => {
  const client = await cluster.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

// Guarantee: a postmaster that is killed is noticed, and the next start recovers what was committed.
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
  const backup = await takeBackup(client, cluster.dataFolder, join(folder, 'backups'), 'test');
  writing = false;
  const total = await written;
  await Promise.all([client.end(), writer.end()]);
  await query('drop table rows');

  await expect(restoreBackup(backup, cluster.dataFolder)).rejects.toThrow(/Stop the stack/);
  await cluster.stop();
  const replaced = await restoreBackup(backup, cluster.dataFolder);
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
