// @module-tag slow

import { spawnSync } from 'node:child_process';
import { appendFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { operatorRole } from '#contracts/kernel/product.ts';
import { sentencesWithin } from '#contracts/kernel/reasons.ts';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { initializeCluster } from '#harness/initialized-cluster.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { freePort } from '#harness/ports.ts';
import { isAlive } from '#harness/script.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { createRedactor } from '#runtime/redact.ts';
import { Secret } from '#runtime/secret.ts';
import { createComponentLog } from '../logs/component-log.ts';
import type { ComponentHost } from '../supervisor/component.ts';
import { createSupervisor, type Supervisor, supervisionLimits } from '../supervisor/supervisor.ts';
import type { DatabaseTarget } from './database-url.ts';
import { readOperatorPassword } from './operator-role.ts';
import { postgresHost } from './postgres-host.ts';

/** Few, since each is a start of Postgres. */
const deathsOfLoop = 2;

let home: TemporaryFolder;
let supervisor: Supervisor;
let target: DatabaseTarget;
let lines: string[];
let changes: ComponentStatus[];
let wards: Map<string, number>;
let host: ComponentHost;

beforeEach(async () => {
  home = await temporaryFolder('stack');
  await initializeCluster(join(home.path, 'postgres'));
  lines = [];
  changes = [];
  wards = new Map();
  target = {
    port: await freePort(),
    role: 'api "role"',
    password: new Secret("it's a pass"),
    database: 'the-data',
  };
  const file = {
    write: (line: string) => void lines.push(line),
    ready: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
  host = postgresHost({
    folder: join(home.path, 'postgres'),
    target: () => target,
    guardian: {
      pid: () => null,
      watch: ({ name, pid }) => void wards.set(name, pid),
      forget: (name) => void wards.delete(name),
      [Symbol.dispose]: () => undefined,
    },
    log: createComponentLog('postgres', file, createRedactor()),
    roomPollMs: 100,
  });
  supervisor = createSupervisor({
    components: [{ name: 'postgres', port: () => target.port, host }],
    onChange: (component) => changes.push(component),
    limits: {
      restart: { ...supervisionLimits.restart, firstDelayMs: 20, deaths: deathsOfLoop },
      probe: { ...supervisionLimits.probe, intervalMs: 100, timeoutMs: 500 },
    },
  });
});
afterEach(async () => {
  await supervisor.stop();
  await home[Symbol.asyncDispose]();
});

const status = (): ComponentStatus => {
  const [postgres] = supervisor.components();
  if (!postgres) throw new Error('no component');
  return postgres;
};

const withClient = async <T>(
  user: string,
  password: Secret,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const { port, database } = target;
  const client = new Client({ host: '127.0.0.1', port, user, password: password.reveal(), database });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
const asApi = <T>(work: (client: Client) => Promise<T>) => withClient(target.role, target.password, work);

// Guarantee: a stop that comes before Postgres is started keeps it from starting.
test('a start that is called off early', async () => {
  await expect(host.start(AbortSignal.abort(), () => undefined)).rejects.toThrow(/abort/);
  expect(wards.size).toBe(0);
  expect(lines.filter((line) => line.includes('starting PostgreSQL'))).toEqual([]);
});

// Guarantee: a Postgres whose connections take longer than a probe waits is healthy, and is not restarted.
test('slow connections', async () => {
  await supervisor.start();
  await supervisor.stop();
  await appendFile(join(home.path, 'postgres/data/postgresql.conf'), 'post_auth_delay = 1\n');
  await supervisor.start();
  expect(status()).toMatchObject({ state: 'running', restarts: 0 });
});

// Guarantee: a database whose disk is away is no crash: what is missing and what to do are shown as such, and the database starts
// by itself once the disk is back.
test('a database whose disk comes back', async () => {
  await supervisor.start();
  await supervisor.stop();
  const data = join(home.path, 'postgres/data');
  await rename(data, join(home.path, 'away'));
  await supervisor.start();
  const { state, reason } = status();
  expect([state, sentencesWithin(reason ?? '')?.map((sentence) => sentence.reason.code)]).toEqual([
    'failed',
    ['database-gone', 'database-connect', 'database-restore', 'database-anew'],
  ]);
  await rename(join(home.path, 'away'), data);
  await eventually(() => expect(status().state).toBe('running'), 30_000);
});

// Guarantee: the API's role owns its database and nothing else; the operator reads what it was granted, and nothing
// that a later migration adds.
test('roles and their rights', async () => {
  await supervisor.start();
  expect(status()).toMatchObject({ state: 'running', port: target.port });
  await asApi(async (client) => {
    await client.query('create schema inner_room; create table inner_room.kept as select 42 as answer');
    await client.query('create table sessions as select 43 as token');
    await client.query(
      `grant usage on schema inner_room to ${operatorRole}; grant select on inner_room.kept to ${operatorRole}`,
    );
    await client.query("select pg_backup_start('test', true)");
    await client.query('select pg_backup_stop(false)');
    const { rows } = await client.query(
      'select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as mighty from pg_roles where rolname = current_user',
    );
    expect(rows).toEqual([{ mighty: false }]);
    await expect(client.query('create database another')).rejects.toThrow(/permission denied/);
  });
  await withClient(operatorRole, await readOperatorPassword(home.path), async (client) => {
    expect((await client.query('select * from inner_room.kept')).rows).toEqual([{ answer: 42 }]);
    await expect(client.query('select * from sessions')).rejects.toThrow(/permission denied/);
    await expect(client.query('delete from inner_room.kept')).rejects.toThrow(/permission denied/);
    await expect(client.query('create table public.mine ()')).rejects.toThrow(/permission denied/);
    await expect(client.query("select pg_read_file('postgresql.conf')")).rejects.toThrow(/permission denied/);
  });
});

// Guarantee: a restart keeps the data and applies a password that was changed in `.env`.
test('provisioning again', async () => {
  await supervisor.start();
  await asApi((client) => client.query('create table kept as select 1'));
  target = { ...target, password: new Secret('another-pass') };
  await supervisor.restart('postgres');
  expect((await asApi((client) => client.query('select * from kept'))).rowCount).toBe(1);
});

// Guarantee: a killed postmaster is noticed and started again, and nothing that was committed is lost.
test('a killed postmaster comes back', async () => {
  await supervisor.start();
  await asApi((client) => client.query('create table kept as select 1'));
  const { pid } = status();
  process.kill(pid ?? 0, 'SIGKILL');
  await eventually(() => expect(status()).toMatchObject({ state: 'running', restarts: 1 }), 20_000);
  expect((await asApi((client) => client.query('select * from kept'))).rowCount).toBe(1);
});

// Guarantee: a halted postmaster is detected, stopped in order (never by force) and started again.
test('a hung postmaster is replaced', async () => {
  await supervisor.start();
  const { pid } = status();
  process.kill(pid ?? 0, 'SIGSTOP');
  await eventually(() => expect(status()).toMatchObject({ state: 'running', restarts: 1 }), 30_000);
  expect(isAlive(pid ?? 0)).toBe(false);
  expect(lines.join('\n')).toContain('received fast shutdown request');
  expect(lines.join('\n')).not.toContain('was not properly shut down');
});

// Guarantee: a Postgres that panics because its WAL has no room says that the disk is full, and runs again by itself when there is
// room, with everything that was committed.
test('a full disk under the WAL', { tags: 'mount' }, async () => {
  using disk = smallDisk(120);
  if (disk === null) throw new Error('no disk');
  await supervisor.start();
  await asApi((client) => client.query('create table kept as select 1 as n'));
  await supervisor.stop();
  const wal = join(home.path, 'postgres', 'data', 'pg_wal');
  expect(spawnSync('cp', ['-a', wal, join(disk.path, 'wal')]).status).toBe(0);
  await rm(wal, { recursive: true });
  await symlink(join(disk.path, 'wal'), wal);
  await supervisor.start();
  await disk.fill();
  const write = asApi((client) =>
    client
      .query('insert into kept select 2 from generate_series(1, 2e6)')
      .then(() => client.query('checkpoint')),
  );
  await expect(write).rejects.toThrow();
  await eventually(() => expect(status().reason).toMatch(/is full\. Make room on it/), 20_000);
  expect(lines.join('\n')).toContain('PANIC');
  expect(status().reason).not.toMatch(/backup/i);
  // More tries than a crash loop has deaths: none of them counts, so nothing waits for minutes.
  const tries = () => changes.filter(({ state }) => state === 'failed').length;
  await eventually(() => expect(tries()).toBeGreaterThan(deathsOfLoop), 30_000);
  expect(changes.findLast(({ state }) => state === 'failed')?.reason).toMatch(/is full\. Make room on it/);
  await disk.clear();
  await eventually(() => expect(status()).toMatchObject({ state: 'running' }), 60_000);
  expect((await asApi((client) => client.query('select * from kept'))).rows).toEqual([{ n: 1 }]);
});

// Guarantee: a stop at any moment of a first start ends it, and the next start works.
const stopsMs = killsEverywhere ? [5, 150, 500, 650, 800] : [150, 650];
test.each(stopsMs)('a stop %i ms into a start', { tags: 'kills' }, async (delayMs) => {
  await rm(join(home.path, 'postgres'), { recursive: true });
  const started = supervisor.start();
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  await supervisor.stop();
  await started;
  expect(status()).toMatchObject({ state: 'stopped', pid: null });
  await supervisor.start();
  expect(status().state).toBe('running');
});

// Guarantee: a failed start leaves no process ID with the guardian, which may belong to another process when it is used.
test('a failed start is forgotten', async () => {
  await supervisor.start();
  expect(wards.get('postgres')).toBe(status().pid);
  await supervisor.stop();
  expect([...wards]).toEqual([]);
  await appendFile(join(home.path, 'postgres/data/postgresql.conf'), 'no_such_setting = 1\n');
  await supervisor.start();
  expect(status()).toMatchObject({ state: 'failed', reason: expect.stringContaining('no_such_setting') });
  expect([...wards]).toEqual([]);
});
