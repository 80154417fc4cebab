import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { canMount, smallDisk } from '#harness/small-disk.ts';
import { type TemporaryFolder, temporaryFolder } from '#harness/temporary-folder.ts';
import { DiskFullError } from '../disk-space.ts';
import { backupsFolder, takeBackup } from '../postgres/backup.ts';
import { type Cluster, openCluster } from '../postgres/cluster.ts';
import type { Postmaster } from '../postgres/postmaster.ts';
import { Secret } from '../secret.ts';
import { fullManifestName, listBackups, readFullManifest } from './backup-manifest.ts';
import { backUpHome, readLastAttempt } from './keep-backups.ts';
import { finishHomeRestore, isRestoreUnfinished, restoreHome } from './restore-home.ts';
import { clusterFolder } from './take-full-backup.ts';

let temporary: TemporaryFolder;
let home: string;
let cluster: Cluster;
let postmaster: Postmaster;

beforeAll(async () => {
  temporary = await temporaryFolder('backup');
  home = join(temporary.path, 'home');
  await mkdir(home, { mode: 0o711 });
  await writeFile(join(home, '.env'), 'SECRET=of the backup\n', { mode: 0o644 });
  await writeFile(join(home, 'license.json'), '{"of":"the backup"}', { mode: 0o600 });
  cluster = await openCluster({
    folder: clusterFolder(home),
    port: await freePort(),
    settings: { fsync: 'off' },
  });
  postmaster = await cluster.start();
  const server = await cluster.connect();
  await server.query('create database app');
  await server.end();
  await inApp(
    'create table schema_migrations (name text)',
    "insert into schema_migrations values ('0001-first'), ('0002-second')",
    'create table players (n int primary key)',
    'insert into players select generate_series(1, 1000)',
  );
});

afterAll(async () => {
  await cluster.stop();
  await temporary[Symbol.asyncDispose]();
});

const inApp = async (...statements: string[]): Promise<unknown[]> => {
  const client = await cluster.connect('app');
  try {
    let rows: unknown[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
};

const backUp = (more: { folder?: string; answerDeadlineMs?: number; signal?: AbortSignal } = {}) =>
  backUpHome({
    owner: 'castellan',
    home,
    files: ['.env', 'license.json', 'not-there.json'],
    databaseUrl: databaseUrl(),
    folder: backupsFolder(home),
    kind: 'manual',
    cause: { kind: 'other', text: 'test' },
    ...more,
  });

const databaseUrl = () =>
  new Secret(
    `postgresql://postgres:${encodeURIComponent(cluster.superuserPassword.reveal())}@127.0.0.1:${cluster.port}/app`,
  );

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

/** What a restored home holds: the players of its database, and its files. */
const contentOf = async (where: string) => {
  const restored = await openCluster({
    folder: clusterFolder(where),
    port: await freePort(),
    settings: { fsync: 'off' },
  });
  await restored.start();
  const client = await restored.connect('app');
  const { rows } = await client.query('select count(*)::int as players, max(n) as newest from players');
  await client.end();
  await restored.stop();
  const text = (name: string) => readFile(join(where, name), 'utf8').catch(() => null);
  return { ...rows[0], env: await text('.env'), license: await text('license.json') };
};

const asBackedUp = {
  players: 1000,
  newest: 1000,
  env: 'SECRET=of the backup\n',
  license: '{"of":"the backup"}',
};

let taken: string;

// Guarantee: a backup of a running home holds its database, proven by a cluster that was started from it, and the files
// without which nothing could be restored; only its owner may read it, and nothing is left of the trial.
test('a backup is proven and private', async () => {
  const { path, proof } = await backUp();
  taken = path;
  expect(proof).toEqual({
    migrations: ['0001-first', '0002-second'],
    rows: { 'public.schema_migrations': 2, 'public.players': 1000 },
  });
  expect(await readFullManifest(path)).toMatchObject({
    proof,
    files: ['.env', 'license.json'],
    database: 'app',
  });
  expect((await readdir(path)).toSorted()).toEqual(
    ['.env', 'backup.json', 'database', 'license.json', 'superuser.password'].toSorted(),
  );
  for (const name of ['.env', 'license.json', 'backup.json', 'superuser.password'])
    expect(await modeOf(join(path, name)), name).toBe('600');
  expect(await modeOf(path)).toBe('700');
  expect(await modeOf(join(path, 'database'))).toBe('700');
  expect(await readdir(clusterFolder(home))).not.toContain('verifying');
  expect(await listBackups(backupsFolder(home))).toMatchObject([
    { kind: 'manual', reason: 'test', cause: { kind: 'other', text: 'test' } },
  ]);
  expect(await readLastAttempt(home)).toMatchObject({ outcome: 'taken', path });
});

// Guarantee: while one backup is taken no other one begins, which would take it for a half that was left behind.
test('one backup at a time', async () => {
  const first = backUp();
  const second = backUp();
  const results = await Promise.allSettled([first, second]);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(String(refused[0]?.reason)).toMatch(/Another backup/);
  expect(await listBackups(backupsFolder(home))).toHaveLength(2);
});

/** As a full backup of the night lies there; enough of it to be listed. */
const writeNightly = async (folder: string, name: string, takenAt: string) => {
  const manifest = JSON.parse(await readFile(join(taken, fullManifestName), 'utf8'));
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(
    join(folder, name, fullManifestName),
    JSON.stringify({ ...manifest, takenAt, kind: 'nightly' }),
  );
};

// Guarantee: in a folder that others use, too, a backup removes nothing but what an earlier one of this same home left half-made;
// no download, no other home's half, no nightly backup that was brought there to be kept.
test('a folder that belongs to others, too', async () => {
  const folder = join(temporary.path, 'shared');
  const ours: string[] = [];
  const running = backUp({ folder });
  running.catch(() => undefined);
  while (ours.length === 0)
    ours.push(...(await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.part')));
  const first = (await running).path;
  const others = [
    'film.mkv.part',
    '2026-01-02T03-30-00-abcdef.part',
    '2026-01-02T03-30-00-abcdef.0123456789ab.part',
  ];
  for (const name of [...ours, ...others]) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'content'), 'kept');
  }
  await writeNightly(folder, 'early', '2026-01-02T03:30:00.000Z');
  await writeNightly(folder, 'late', '2026-01-02T04:30:00.000Z');
  const { path } = await backUp({ folder });
  expect((await readdir(folder)).toSorted()).toEqual(
    [...others, 'early', 'late', basename(first), basename(path)].toSorted(),
  );
});

// Guarantee: in the home's own folder nothing stays that a killed backup left, also one of an earlier version, or a clean-up.
test('halves in the folder of the home', async () => {
  const half = join(backupsFolder(home), '2026-01-02T03-30-00-abcdef.part');
  await mkdir(half);
  await rm((await backUp()).path, { recursive: true });
  expect(existsSync(half)).toBe(false);
});

// Guarantee: a Postgres that is frozen while a backup runs keeps nothing for ever: the backup fails by its deadline, its half
// is removed, the failure is on record, and the next one works.
test('a frozen Postgres', async () => {
  const before = await readdir(backupsFolder(home));
  const running = backUp({ answerDeadlineMs: 700 });
  running.catch(() => undefined);
  // So that what hangs is the backup itself and not its connecting.
  const isBegun = async () => (await readdir(backupsFolder(home))).some((name) => name.endsWith('.part'));
  while (!(await isBegun()));
  const all = [postmaster.pid, ...childrenOf(postmaster.pid)];
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  try {
    await expect(running).rejects.toThrow(/has not answered for 0.7 s/);
    expect((await readdir(backupsFolder(home))).toSorted()).toEqual(before.toSorted());
    expect(await readLastAttempt(home)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('has not answered'),
    });
  } finally {
    for (const pid of all.toReversed()) process.kill(pid, 'SIGCONT');
  }
  await rm((await backUp()).path, { recursive: true });
});

// Guarantee: a disk without room is told before anything is written; one that fills in the middle leaves no half, is called full,
// and when there is room again the next backup works.
test.runIf(canMount())('a disk that fills', async () => {
  using disk = smallDisk(400);
  if (disk === null) throw new Error('no disk');
  const folder = join(disk.path, 'backups');
  const client = await cluster.connect('app');
  const filling = Object.assign(Object.create(client) as typeof client, {
    async query(...args: [string]) {
      if (String(args[0]).includes('pg_backup_start')) await disk.fill();
      return client.query(...args);
    },
  });
  await expect(takeBackup(filling, cluster.dataFolder, folder, 'test')).rejects.toThrow(/is full/);
  await expect(takeBackup(filling, cluster.dataFolder, folder, 'test')).rejects.toThrow(
    /are free. Make room/,
  );
  await client.end();
  expect(await readdir(folder)).toEqual([]);
  await expect(backUp({ folder })).rejects.toThrow(DiskFullError);
  expect(await readLastAttempt(home)).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('Make room'),
  });
  await disk.clear();
  const { path } = await backUp({ folder });
  expect(await listBackups(folder)).toHaveLength(1);
  await rm(path, { recursive: true });
});

const childrenOf = (pid: number): number[] => {
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number);
};

// Guarantee: what is restored on a machine that has nothing is what was backed up.
test('a restore into an empty home', async () => {
  const empty = join(temporary.path, 'empty');
  await mkdir(empty, { mode: 0o711 });
  const { proof } = await restoreHome({
    owner: 'castellan',
    home: empty,
    backup: taken,
    onlyWhereMissing: ['license.json'],
  });
  expect(proof?.rows).toMatchObject({ 'public.players': 1000 });
  expect(await contentOf(empty)).toEqual(asBackedUp);
  expect(await modeOf(join(empty, '.env'))).toBe('600');
});

// Guarantee: a backup that lay on a disk without permissions, where all is open, is restored, and what it holds is closed again.
test('a backup that is open to others', async () => {
  const open = join(temporary.path, 'open');
  await cp(taken, open, { recursive: true });
  spawnSync('chmod', ['-R', 'a+rwX', open]);
  const where = join(temporary.path, 'from-open');
  await mkdir(where, { mode: 0o711 });
  await restoreHome({ owner: 'castellan', home: where, backup: open, onlyWhereMissing: [] });
  for (const name of ['.env', 'license.json', 'postgres/superuser.password'])
    expect(await modeOf(join(where, name)), name).toBe('600');
  expect(await modeOf(join(where, 'postgres', 'data'))).toBe('700');
  expect(await contentOf(where)).toEqual(asBackedUp);
});

// Guarantee: a home whose database lies on another disk is refused before anything in it has changed places.
test.runIf(canMount())('a database on another disk', async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  const where = join(temporary.path, 'two-disks');
  await mkdir(where, { mode: 0o711 });
  await writeFile(join(where, '.env'), 'SECRET=kept\n');
  await symlink(disk.path, join(where, 'postgres'));
  await expect(
    restoreHome({ owner: 'castellan', home: where, backup: taken, onlyWhereMissing: [] }),
  ).rejects.toThrow(/another disk/);
  expect(await readFile(join(where, '.env'), 'utf8')).toBe('SECRET=kept\n');
  expect((await readdir(where)).toSorted()).toEqual(['.env', 'postgres']);
});

/** A home that went on after the backup: other rows, another `.env`, a newer license. Not running. */
const homeOfLater = async (name: string): Promise<string> => {
  const later = join(temporary.path, name);
  await mkdir(later, { mode: 0o711 });
  await restoreHome({ owner: 'castellan', home: later, backup: taken, onlyWhereMissing: [] });
  const port = await freePort();
  const other = await openCluster({ folder: clusterFolder(later), port, settings: { fsync: 'off' } });
  await other.start();
  const client = await other.connect('app');
  await client.query('insert into players values (5000)');
  await client.end();
  await other.stop();
  await writeFile(join(later, '.env'), 'SECRET=of later\n', { mode: 0o600 });
  await writeFile(join(later, 'license.json'), '{"of":"later"}', { mode: 0o600 });
  for (const left of (await readdir(later)).filter((each) => each.startsWith('replaced-')))
    await rm(join(later, left), { recursive: true });
  return later;
};

const asLater = { players: 1001, newest: 5000, env: 'SECRET=of later\n', license: '{"of":"later"}' };

// Guarantee: killed at any moment, a home is wholly the old one or, after the next start has ended the restore, wholly the new
// one; what was there is kept, and the license of the home, which is newer, stays.
test('a restore that is killed at any rename', { timeout: 400_000 }, async () => {
  const model = await homeOfLater('model');
  const program = fileURLToPath(new URL('./testing/killed-restore.ts', import.meta.url));
  const seen = new Set<string>();
  for (let kill = 0; ; kill += 1) {
    const victim = join(temporary.path, `victim-${kill}`);
    await cp(model, victim, { recursive: true, preserveTimestamps: true });
    await chmod(victim, 0o711);
    spawnSync('chown', [
      '-R',
      '--reference',
      join(model, 'postgres', 'data'),
      join(victim, 'postgres', 'data'),
    ]);
    const child = spawnSync(process.execPath, [program, victim, taken, String(kill)], { encoding: 'utf8' });
    const wasKilled = child.signal === 'SIGKILL';
    if (!wasKilled) expect(child.stderr).toBe('');
    const wasSwitched = isRestoreUnfinished(victim);
    await finishHomeRestore(victim);
    await finishHomeRestore(victim);
    const isNew = wasSwitched || !wasKilled;
    seen.add(isNew ? 'new' : 'old');
    expect(await contentOf(victim), `killed before rename ${kill}`).toEqual(
      isNew ? { ...asBackedUp, license: asLater.license } : asLater,
    );
    const [replaced] = (await readdir(victim)).filter((name) => name.startsWith('replaced-'));
    if (isNew) {
      expect(await readFile(join(victim, replaced ?? '', '.env'), 'utf8')).toBe(asLater.env);
      expect(await readdir(join(victim, replaced ?? '', 'postgres'))).toContain('data');
    }
    await rm(victim, { recursive: true });
    if (!wasKilled) break;
  }
  expect(seen).toEqual(new Set(['old', 'new']));
});

// Guarantee: what does not fit is refused in words, before anything in the home is touched.
test('backups that are refused', { timeout: 180_000 }, async () => {
  const later = await homeOfLater('refusing');
  const restore = (backup: string, owner: 'castellan' | 'castellan-portal' = 'castellan') =>
    restoreHome({ owner, home: later, backup, onlyWhereMissing: [] });
  const changed = async (name: string, change: object) => {
    const copy = join(temporary.path, name);
    await cp(taken, copy, { recursive: true });
    const path = join(copy, fullManifestName);
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...change }));
    return copy;
  };
  await expect(restore(await changed('newer', { version: '999.0.0' }))).rejects.toThrow(
    /made by version 999/,
  );
  await expect(restore(await changed('format', { format: 2 }))).rejects.toThrow(/newer version/);
  await expect(restore(await changed('system', { system: 'win32-x64' }))).rejects.toThrow(/win32-x64/);
  await expect(restore(taken, 'castellan-portal')).rejects.toThrow(/a backup of castellan,/);
  await expect(restore(join(temporary.path, 'nowhere'))).rejects.toThrow(/not a whole backup/);

  const outside = await changed('outside', { files: ['.env', '../../outside'] });
  await expect(restore(outside)).rejects.toThrow(/names a file that no backup holds: \.\.\/\.\.\/outside/);

  const older = await changed('older', {});
  const inner = join(older, 'database', 'castellan-backup.json');
  await writeFile(inner, JSON.stringify({ ...JSON.parse(await readFile(inner, 'utf8')), postgres: '12.1' }));
  await expect(restore(older)).rejects.toThrow(/Postgres 12/);

  const damaged = await changed('damaged', {});
  const [{ path = '' } = {}] = (await inApp("select pg_relation_filepath('players') as path")) as {
    path?: string;
  }[];
  await truncate(join(damaged, 'database', path), 0);
  await expect(restore(damaged)).rejects.toThrow();

  await expect(
    restoreHome({ owner: 'castellan', home, backup: taken, onlyWhereMissing: [] }),
  ).rejects.toThrow(/database runs/);
  expect((await readdir(later)).toSorted()).toEqual(['.env', 'license.json', 'postgres']);
  expect(await contentOf(later)).toEqual(asLater);
});

// Guarantee: a database whose WAL lies on another disk behind a link is backed up as any other.
test('WAL behind a link', async () => {
  await cluster.stop();
  const wal = join(cluster.dataFolder, 'pg_wal');
  const elsewhere = join(clusterFolder(home), 'wal-elsewhere');
  await rename(wal, elsewhere);
  await symlink(elsewhere, wal);
  await cluster.start();
  const { path } = await backUp();
  expect((await lstat(join(path, 'database', 'pg_wal'))).isDirectory()).toBe(true);
});
