import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { initializeCluster } from '#harness/initialized-cluster.ts';
import { freePort } from '#harness/ports.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import { readPortalConfig } from '../config.ts';
import { announcePortal } from '../home/running-portal.ts';
import { reachDatabase } from './reach-database.ts';

const guardianEntry = join(import.meta.dirname, '../../runtime/guardian/main.ts');

let folder: TemporaryFolder;
let resources: AsyncDisposableStack;
let port: string;
let lines: string[];
let lost: unknown[];

beforeEach(async () => {
  folder = await temporaryFolder('portal-reach');
  resources = new AsyncDisposableStack();
  port = String(await freePort());
  lines = [];
  lost = [];
});
afterEach(async () => {
  await resources.disposeAsync();
  await folder[Symbol.asyncDispose]();
});

const reach = async (purpose: 'serve' | 'command', owned = resources, home = folder.path) =>
  reachDatabase({
    config: await readPortalConfig({ PORTAL_HOME: home, PORTAL_POSTGRES_PORT: port }),
    purpose,
    guardianEntry,
    log: createLog({ component: 'test', destination: { write: (line) => void lines.push(line) } }),
    resources: owned,
    onLost: (error) => lost.push(error),
  });

const answers = async (databaseUrl: Secret): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl.reveal() });
  await client.connect();
  await client.query('select 1');
  await client.end();
};

// Guarantee: a killed portal blocks no command, neither by its announcement, whichever process has its process id now,
// nor by half a file. The announcement of a running portal is believed.
test('announcements of the dead', async () => {
  const announcement = join(folder.path, 'portal.json');
  for (const text of [JSON.stringify({ port: 1, pid: process.pid, postgresPort: 1 }), '', '{"port":']) {
    await writeFile(announcement, text);
    await using own = new AsyncDisposableStack();
    await answers((await reach('command', own)).databaseUrl);
  }

  const { databaseUrl, postgresPort } = await reach('serve');
  const announced = { port: 1, pid: process.pid, postgresPort };
  resources.use(await announcePortal(folder.path, announced));
  await using own = new AsyncDisposableStack();
  const found = await reach('command', own);
  expect(found.databaseUrl.reveal()).toBe(databaseUrl.reveal());
  await answers(found.databaseUrl);
});

// Guarantee: a Postgres that cannot start because the disk is full is waited for, however long, and is back when there is room; it
// does not end the portal.
test('Postgres dies, and the disk is full', { tags: ['mount', 'slow'] }, async () => {
  using disk = smallDisk(300);
  if (disk === null) throw new Error('no disk');
  await using own = new AsyncDisposableStack();
  await initializeCluster(join(disk.path, 'postgres'));
  await writeFile(join(disk.path, '.env'), `PORTAL_MASTER_KEY=${'ab'.repeat(32)}\n`);
  const { databaseUrl } = await reach('serve', own, disk.path);
  const lock = join(disk.path, 'postgres', 'data', 'postmaster.pid');
  const [pid] = (await readFile(lock, 'utf8')).split('\n');
  await disk.fill();
  process.kill(Number(pid), 'SIGKILL');
  await eventually(() => expect(lines.join('')).toContain('the disk is full; waiting'), 20_000);
  await disk.clear();
  await eventually(() => answers(databaseUrl), 20_000);
  expect(lost).toEqual([]);
});

// Guarantee: a failed start of Postgres counts as one of its allowed deaths, and does not end the portal.
test('Postgres dies, and its next start fails', async () => {
  const { databaseUrl } = await reach('serve');
  const data = join(folder.path, 'postgres', 'data');
  const settings = join(data, 'postgresql.conf');
  const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  await rename(settings, `${settings}.away`);
  process.kill(Number(pid), 'SIGKILL');
  await eventually(() => expect(lines.join('')).toContain('could not start Postgres'));
  await rename(`${settings}.away`, settings);
  await eventually(() => answers(databaseUrl), 20_000);
  expect(lost).toEqual([]);
});
