// @module-tag slow

import { spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import { freePort } from '#harness/ports.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { keyRecordName, readKeyRecord, recordKeys } from '../key-record.ts';
import { checksumsName, writeChecksums } from '../postgres/backup-checksums.ts';
import { openCluster } from '../postgres/cluster.ts';
import { Secret } from '../secret.ts';
import { keyIdOf } from '../secret-box.ts';
import { fullManifestName } from './backup-manifest.ts';
import { packBackup } from './pack-backup.ts';
import { restoreHome } from './restore-home.ts';
import { findLeftRestore, finishHomeRestore, isRestoreUnfinished } from './restore-journal.ts';
import { clusterFolder } from './take-full-backup.ts';
import { asBackedUp, contentOf, type HomeToBackUp, homeToBackUp, modeOf } from './testing/home-to-back-up.ts';
import { unpackBackup } from './unpack-backup.ts';

let source: HomeToBackUp;
let taken: string;
const olderKey = new Secret('a'.repeat(64));

beforeAll(async () => {
  source = await homeToBackUp();
  await recordKeys(source.home, [olderKey]);
  taken = (await source.backUp()).path;
});
afterAll(() => source[Symbol.asyncDispose]());

// Guarantee: a restore on an empty machine gives back exactly what was backed up, from a copy that was encrypted on its way.
test('a restore into an empty home', async () => {
  const empty = join(source.path, 'empty');
  await mkdir(empty, { mode: 0o711 });
  const packed = join(source.path, 'packed');
  await packBackup(createWriteStream(packed), taken, 'a passphrase', 4);
  const backup = await unpackBackup(packed, 'a passphrase', join(source.path, 'unpacked'));
  const seen = new Set<string>();
  const { proof } = await restoreHome({
    owner: 'castellan',
    home: empty,
    backup,
    onlyWhereMissing: ['license.json'],
    onProgress: ({ step }) => seen.add(step),
  });
  expect([...seen]).toEqual(['check', 'copy', 'test', 'swap']);
  expect(proof?.rows).toMatchObject({ 'public.players': 1000 });
  expect(await contentOf(empty)).toEqual(asBackedUp);
  for (const name of ['.env', keyRecordName]) expect(await modeOf(join(empty, name)), name).toBe('600');
  expect((await readKeyRecord(empty)).keys.map(keyIdOf)).toEqual([keyIdOf(olderKey)]);
});

// Guarantee: a backup that was on a disk without permissions, where all is open, is restored, and its contents are closed again.
test('a backup that is open to others', async () => {
  const open = join(source.path, 'open');
  await cp(taken, open, { recursive: true });
  spawnSync('chmod', ['-R', 'a+rwX', open]);
  const where = join(source.path, 'from-open');
  await mkdir(where, { mode: 0o711 });
  await restoreHome({ owner: 'castellan', home: where, backup: open, onlyWhereMissing: [] });
  for (const name of ['.env', 'license.json', 'postgres/superuser.password'])
    expect(await modeOf(join(where, name)), name).toBe('600');
  expect(await modeOf(join(where, 'postgres', 'data'))).toBe('700');
  expect(await contentOf(where)).toEqual(asBackedUp);
});

// Guarantee: a restore that gets no further for too long ends in words that name the folder, and the data is unchanged.
test('a folder that stops answering', async () => {
  const where = join(source.path, 'silent');
  await mkdir(where, { mode: 0o711 });
  await writeFile(join(where, 'notes'), 'kept');
  const running = restoreHome({
    owner: 'castellan',
    home: where,
    backup: taken,
    onlyWhereMissing: [],
    silenceMs: 3000,
  });
  running.catch(() => undefined);
  // Opening it to write waits for a reader, for ever.
  await eventually(() => expect(spawnSync('mkfifo', [join(where, 'restore.part', '.env')]).status).toBe(0));
  await expect(running).rejects.toThrow(`The folder ${taken} stopped answering: for 3 s nothing`);
  expect(await readdir(where)).toEqual(['notes']);
});

// Guarantee: a data folder whose database is on another disk is refused before anything in it has moved.
test('a database on another disk', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  const where = join(source.path, 'two-disks');
  await mkdir(where, { mode: 0o711 });
  await writeFile(join(where, '.env'), 'SECRET=kept\n');
  await symlink(disk.path, join(where, 'postgres'));
  await expect(
    restoreHome({ owner: 'castellan', home: where, backup: taken, onlyWhereMissing: [] }),
  ).rejects.toThrow(/another disk/);
  expect(await readFile(join(where, '.env'), 'utf8')).toBe('SECRET=kept\n');
  expect((await readdir(where)).toSorted()).toEqual(['.env', 'postgres']);
});

/** A data folder that has changed since the backup: other rows, another `.env`, a newer license. Not running. */
const homeOfLater = async (name: string): Promise<string> => {
  const later = join(source.path, name);
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

// Guarantee: killed at any moment, a data folder is wholly the old one or, once the next start has finished the restore, wholly the
// new one; the replaced files are kept, and the data folder's license, which is newer, stays.
test('a restore that is killed at any rename', { timeout: 400_000, tags: 'kills' }, async () => {
  const model = await homeOfLater('model');
  const program = fileURLToPath(new URL('./testing/killed-restore.ts', import.meta.url));
  const seen = new Set<string>();
  for (let kill = 0; ; kill += killsEverywhere ? 1 : 6) {
    const victim = join(source.path, `victim-${kill}`);
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
    if (wasKilled) expect(await findLeftRestore(victim)).toBe(wasSwitched ? 'finished' : 'removed');
    await finishHomeRestore(victim);
    await finishHomeRestore(victim);
    expect(await findLeftRestore(victim)).toBe(null);
    expect((await readdir(victim)).filter((name) => name.startsWith('restore'))).toEqual([]);
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

/** Puts another file with changed members in its place. */
const replace = async (path: string, change: object): Promise<void> => {
  const text = JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...change });
  await rm(path);
  await writeFile(path, text);
};

/** A copy of the backup with another manifest. */
const changed = async (name: string, change: object): Promise<string> => {
  const copy = join(source.path, name);
  // Its files are links, so what changes is replaced.
  expect(spawnSync('cp', ['-al', taken, copy]).status).toBe(0);
  await replace(join(copy, fullManifestName), change);
  await rm(join(copy, checksumsName));
  await writeChecksums(copy);
  return copy;
};

// Guarantee: a backup that does not fit is refused with a clear message before anything in the data folder is touched, and
// so is any while the database runs.
test('backups that do not fit', async () => {
  const home = join(source.path, 'of-others');
  await mkdir(home, { mode: 0o711 });
  await writeFile(join(home, '.env'), 'SECRET=kept\n');
  const restore = (backup: string, owner: 'castellan' | 'castellan-portal' = 'castellan') =>
    restoreHome({ owner, home, backup, onlyWhereMissing: [] });
  await expect(restore(await changed('newer', { version: '999.0.0' }))).rejects.toThrow(
    /made by version 999/,
  );
  await expect(restore(await changed('format', { format: 2 }))).rejects.toThrow(/newer version/);
  await expect(restore(await changed('system', { system: 'win32-x64' }))).rejects.toThrow(/win32-x64/);
  await expect(restore(taken, 'castellan-portal')).rejects.toThrow(/a backup of castellan,/);
  await expect(restore(join(source.path, 'nowhere'))).rejects.toThrow(/not a whole backup/);
  const outside = await changed('outside', { files: ['.env', '../../outside'] });
  await expect(restore(outside)).rejects.toThrow(/names a file that no backup holds: \.\.\/\.\.\/outside/);
  await expect(restore(await changed('older', { postgres: '12.1' }))).rejects.toThrow(/Postgres 12/);
  await expect(
    restoreHome({ owner: 'castellan', home: source.home, backup: taken, onlyWhereMissing: [] }),
  ).rejects.toThrow(/database runs/);
  expect(await readFile(join(home, '.env'), 'utf8')).toBe('SECRET=kept\n');
  expect(await readdir(home)).toEqual(['.env']);
});

// Guarantee: so is one whose trial shows that it does not hold what it held.
test('backups that are refused', { timeout: 180_000, tags: 'night' }, async () => {
  const later = await homeOfLater('refusing');
  const restore = (backup: string) =>
    restoreHome({ owner: 'castellan', home: later, backup, onlyWhereMissing: [] });
  // As in a backup from before there were checksums.
  const damaged = join(source.path, 'damaged');
  await cp(taken, damaged, { recursive: true });
  const [{ path = '' } = {}] = (await source.inApp("select pg_relation_filepath('players') as path")) as {
    path?: string;
  }[];
  await truncate(join(damaged, 'database', path), 0);
  await expect(restore(damaged)).rejects.toThrow(/has changed since it was made/);
  await rm(join(damaged, checksumsName));
  await replace(join(damaged, fullManifestName), { checksums: undefined });
  await expect(restore(damaged)).rejects.toThrow(/damaged is damaged: .*Choose another backup/);

  const fewer = {
    migrations: ['0001-first'],
    rows: { 'public.players': 1000, 'public.schema_migrations': 1 },
  };
  await expect(restore(await changed('fewer', { proof: fewer }))).rejects.toThrow(
    /does not hold what it held/,
  );
  expect((await readdir(later)).toSorted()).toEqual([
    '.env',
    'encryption-keys.json',
    'license.json',
    'postgres',
  ]);
  expect(await contentOf(later)).toEqual(asLater);
});
