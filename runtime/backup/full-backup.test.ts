// @module-tag slow

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { familyOfPostmaster } from '#harness/frozen-family.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { DiskFullError } from '../disk-space.ts';
import { keyRecordName, readKeyRecord, recordKeys, removeRecordedKeys } from '../key-record.ts';
import { backupsFolder, makeBackup, takeBackup } from '../postgres/backup.ts';
import { Secret } from '../secret.ts';
import { keyIdOf } from '../secret-box.ts';
import { databaseFolder, fullManifestName, listBackups, readFullManifest } from './backup-manifest.ts';
import { readLastAttempt } from './keep-backups.ts';
import { clusterFolder } from './take-full-backup.ts';
import { type HomeToBackUp, homeToBackUp, modeOf } from './testing/home-to-back-up.ts';

let source: HomeToBackUp;

beforeAll(async () => {
  source = await homeToBackUp();
});
afterAll(() => source[Symbol.asyncDispose]());

let taken: string;

// Guarantee: a backup of a running data folder holds its database, proven by a cluster that was started from it, and the files
// without which nothing could be restored; only its owner may read it, and the trial leaves nothing behind.
test('a backup is proven and private', async () => {
  const { path, proof } = await source.backUp();
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
    ['.env', 'backup.json', 'checksums.json', 'database', 'license.json', 'superuser.password'].toSorted(),
  );
  for (const name of ['.env', 'license.json', 'backup.json', 'checksums.json', 'superuser.password'])
    expect(await modeOf(join(path, name)), name).toBe('600');
  expect(await modeOf(path)).toBe('700');
  expect(await modeOf(join(path, 'database'))).toBe('700');
  expect(await readdir(clusterFolder(source.home))).not.toContain('verifying');
  expect(await listBackups(backupsFolder(source.home))).toMatchObject([
    { kind: 'manual', reason: 'test', cause: { kind: 'other', text: 'test' } },
  ]);
  expect(await readLastAttempt(source.home)).toMatchObject({ outcome: 'taken', path });
});

// Guarantee: while one backup is being taken, no other one starts, which would mistake it for an abandoned half.
test('one backup at a time', async () => {
  const first = source.backUp();
  const second = source.backUp();
  const results = await Promise.allSettled([first, second]);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(1);
  expect(String(refused[0]?.reason)).toMatch(/Another backup/);
  expect(await listBackups(backupsFolder(source.home))).toHaveLength(2);
});

/** Looks like a nightly full backup in the folder; enough of it to be listed. */
const writeNightly = async (folder: string, name: string, takenAt: string) => {
  const manifest = JSON.parse(await readFile(join(taken, fullManifestName), 'utf8'));
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(
    join(folder, name, fullManifestName),
    JSON.stringify({ ...manifest, takenAt, kind: 'nightly' }),
  );
};

// Guarantee: in a folder that others use too, a backup removes only what an earlier one of this same data folder left half-made; no
// download, no other data folder's half, no nightly backup that was brought there to be kept.
test('a folder that belongs to others, too', async () => {
  const folder = join(source.path, 'shared');
  const ours: string[] = [];
  const running = source.backUp({ folder });
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
  const { path } = await source.backUp({ folder });
  expect((await readdir(folder)).toSorted()).toEqual(
    [...others, 'early', 'late', basename(first), basename(path)].toSorted(),
  );
});

// Guarantee: nothing that a killed backup or clean-up left, even one of an earlier version, stays in the data folder's own backups folder.
test('halves in the folder of the home', async () => {
  const half = join(backupsFolder(source.home), '2026-01-02T03-30-00-abcdef.part');
  await mkdir(half);
  await rm((await source.backUp()).path, { recursive: true });
  expect(existsSync(half)).toBe(false);
});

// Guarantee: a backup that was killed when only its list of checksums was missing is none, and the next one removes it.
test('a kill before the checksums are written', async () => {
  const folder = join(source.path, 'killed');
  await mkdir(folder);
  const program = fileURLToPath(new URL('./testing/killed-backup.ts', import.meta.url));
  const { dataFolder } = source.cluster;
  const args = [program, source.databaseUrl.reveal(), dataFolder, folder, taken];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({
    signal: 'SIGKILL',
    stderr: '',
  });
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.part$/)]);
  expect(await listBackups(folder)).toEqual([]);
  const { path } = await source.backUp({ folder });
  expect(await readdir(folder)).toEqual([basename(path)]);
});

// Guarantee: a Postgres that is frozen while a backup runs blocks nothing for ever: the backup fails by its deadline, its half is
// removed, the failure is on record, and the next one works.
test('a frozen Postgres', async () => {
  const before = await readdir(backupsFolder(source.home));
  const running = source.backUp({ answerDeadlineMs: 700 });
  running.catch(() => undefined);
  // So that the backup itself hangs and not its connecting.
  const isBegun = async () =>
    (await readdir(backupsFolder(source.home))).some((name) => name.endsWith('.part'));
  while (!(await isBegun()));
  const all = await familyOfPostmaster(source.postmaster.pid);
  for (const pid of all) process.kill(pid, 'SIGSTOP');
  try {
    await expect(running).rejects.toThrow(/has not answered for 0.7 s/);
    expect((await readdir(backupsFolder(source.home))).toSorted()).toEqual(before.toSorted());
    expect(await readLastAttempt(source.home)).toMatchObject({
      outcome: 'failed',
      detail: expect.stringContaining('has not answered'),
    });
  } finally {
    for (const pid of all.toReversed()) process.kill(pid, 'SIGCONT');
  }
  // Its connection is closed a moment later, and the lock with it.
  const next = await eventually(() => source.backUp());
  await rm(next.path, { recursive: true });
});

// Guarantee: a folder that stops answering in the middle of a backup ends it in words that name the folder; what is half-made there is
// no backup, the lock is free, and the next backup removes it and works.
test('a folder that stops answering', async () => {
  const folder = join(source.path, 'silent');
  await mkdir(folder);
  const running = source.backUp({ folder, silenceMs: 3000 });
  running.catch(() => undefined);
  await eventually(async () => {
    const [half = ''] = await readdir(folder);
    expect(half).toMatch(/\.part$/);
    // Opening it to write waits for a reader, for ever, as a file on a network drive that is gone waits for the drive.
    expect(spawnSync('mkfifo', [join(folder, half, 'superuser.password')]).status).toBe(0);
  });
  await expect(running).rejects.toThrow(`The folder ${folder} stopped answering: for 3 s nothing`);
  expect(await readLastAttempt(source.home)).toMatchObject({ outcome: 'failed', path: null });
  expect(await readdir(folder)).toEqual([expect.stringMatching(/\.part$/)]);
  expect(await listBackups(folder)).toEqual([]);
  const { path } = await source.backUp({ folder });
  expect(await readdir(folder)).toEqual([basename(path)]);
});

// Guarantee: a disk without room is reported before anything is written; one that fills in the middle leaves no half and is
// reported as full, and once there is room again the next backup works.
test('a disk that fills', { tags: ['mount', 'night'] }, async () => {
  using disk = smallDisk(400);
  if (disk === null) throw new Error('no disk');
  const folder = join(disk.path, 'backups');
  const client = await source.cluster.connect('app');
  const filling = Object.assign(Object.create(client) as typeof client, {
    async query(...args: [string]) {
      if (String(args[0]).includes('pg_backup_start')) await disk.fill();
      return client.query(...args);
    },
  });
  await expect(takeBackup(filling, source.cluster.dataFolder, folder, 'test')).rejects.toThrow(/is full/);
  await expect(takeBackup(filling, source.cluster.dataFolder, folder, 'test')).rejects.toThrow(
    /are free. Make room/,
  );
  await disk.clear();
  const whenFull = makeBackup(client, source.cluster.dataFolder, folder, () => disk.fill());
  await expect(whenFull).rejects.toThrow(/is full/);
  await client.end();
  expect(await readdir(folder)).toEqual([]);
  await expect(source.backUp({ folder })).rejects.toThrow(DiskFullError);
  expect(await readLastAttempt(source.home)).toMatchObject({
    outcome: 'failed',
    detail: expect.stringContaining('Make room'),
  });
  await disk.clear();
  const { path } = await source.backUp({ folder });
  expect(await listBackups(folder)).toHaveLength(1);
  await rm(path, { recursive: true });
});

// Guarantee: a database whose WAL is on another disk behind a link is backed up like any other.
test('WAL behind a link', { tags: 'night' }, async () => {
  await source.cluster.stop();
  const wal = join(source.cluster.dataFolder, 'pg_wal');
  const elsewhere = join(clusterFolder(source.home), 'wal-elsewhere');
  await rename(wal, elsewhere);
  await symlink(elsewhere, wal);
  await source.cluster.start();
  const { path } = await source.backUp();
  expect((await lstat(join(path, 'database', 'pg_wal'))).isDirectory()).toBe(true);
});

// Guarantee: a backup has every key that its copy of the database may need: also those from before the copy that nothing needs any
// more by its end.
test('keys that change while a backup is taken', async () => {
  const { home } = source;
  const [before, meanwhile] = [new Secret('a'.repeat(64)), new Secret('b'.repeat(64))];
  await recordKeys(home, [before]);
  const folder = join(source.path, 'keys');
  await mkdir(folder);
  const running = source.backUp({ folder });
  running.catch(() => undefined);
  await eventually(async () => {
    const [half = ''] = (await readdir(folder)).filter((name) => name.endsWith('.part'));
    expect(existsSync(join(folder, half, databaseFolder))).toBe(true);
  });
  await recordKeys(home, [meanwhile]);
  await removeRecordedKeys(home, [keyIdOf(before)]);
  const { path } = await running;
  expect((await readFullManifest(path)).files).toEqual(['.env', keyRecordName, 'license.json']);
  expect(await modeOf(join(path, keyRecordName))).toBe('600');
  expect((await readKeyRecord(path)).keys.map(keyIdOf)).toContain(keyIdOf(before));
  await rm(join(home, keyRecordName));
});
