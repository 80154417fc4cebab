import {
  chmod,
  chown,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { RunCommand } from './autosave.ts';
import { listBackups, type Pruning, pruneBackups, readManifest } from './backup-folder.ts';
import { backupSaves, type SavesSettings } from './backup-saves.ts';
import { readRestore } from './restore-journal.ts';
import { confirmRestore, restoreSaves } from './restore-saves.ts';
import { inWords } from './saves-error.ts';

const put = async (path: string, content: string | Buffer) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};
const settingsIn = (root: string, more: Partial<SavesSettings> = {}): SavesSettings => ({
  game: 'minecraft',
  serverId: 'server-1',
  stateFolder: join(root, 'state'),
  serverFolder: join(root, 'server'),
  from: null,
  startCommand: [],
  backupFolder: join(root, 'backups'),
  keep: 7,
  days: 30,
  mayPanelSchedule: false,
  ...more,
});
const newServer = async (root: string) => {
  await mkdir(join(root, 'state'), { recursive: true });
  await put(join(root, 'server/server.properties'), 'motd=x\nlevel-name=Welt \\u00fcber uns\n');
  await put(join(root, 'server/Welt über uns/level.dat'), 'level');
  await put(join(root, 'server/Welt über uns/region/r.0.0.mca'), Buffer.alloc(300_000, 7));
  await put(join(root, 'server/Welt über uns/datapacks/玩家/x.json'), '{}');
  await mkdir(join(root, 'server/Welt über uns/empty'));
  await put(join(root, 'server/Welt über uns_nether/level.dat'), 'nether');
  return settingsIn(root);
};
const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const backup = (settings: SavesSettings, run: RunCommand | null = null, at?: Date) =>
  backupSaves({ settings, run, ...quiet, ...(at && { now: () => at }) });
const restore = (settings: SavesSettings, name: string, why: string | null = null) =>
  restoreSaves({ settings, backup: name, whyNotStopped: async () => why, ...quiet });
const answered = (reply: string) =>
  ({ outcome: 'answered', reply, truncated: false, sent: true, durationMs: 1 }) as const;

// Guarantee: a backup restores every file, folder, mode and time; the replaced files are kept until it is confirmed.
test('there and back', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const world = join(settings.serverFolder, 'Welt über uns');
  const old = new Date('2020-01-01T00:00:00Z');
  await utimes(join(world, 'level.dat'), old, old);
  await chmod(join(world, 'region/r.0.0.mca'), 0o640);
  if (process.getuid?.() === 0) await chown(join(world, 'region/r.0.0.mca'), 12_345, 23_456);
  const listed = await backup(settings);
  expect(listed).toMatchObject({ files: 4, notes: [] });
  expect(await listBackups(settings.backupFolder)).toEqual([listed]);

  await writeFile(join(world, 'level.dat'), 'broken');
  await writeFile(join(world, 'new file'), 'not in the backup');
  await expect(restore(settings, listed.name, 'It runs.')).rejects.toThrow('It runs.');
  await restore(settings, listed.name);
  expect(await readFile(join(world, 'level.dat'), 'utf8')).toBe('level');
  expect(await readdir(world)).toEqual(['datapacks', 'empty', 'level.dat', 'region']);
  expect((await stat(join(world, 'level.dat'))).mtime).toEqual(old);
  const region = await stat(join(world, 'region/r.0.0.mca'));
  if (process.platform !== 'win32') expect(region.mode & 0o777).toBe(0o640);
  if (process.getuid?.() === 0) expect([region.uid, region.gid]).toEqual([12_345, 23_456]);
  const { swaps = [] } = (await readRestore(settings.stateFolder)) ?? {};
  expect(await readFile(join(swaps[0]?.before ?? '', 'level.dat'), 'utf8')).toBe('broken');
  await expect(restore(settings, listed.name)).rejects.toThrow('waits for your confirmation');
  expect(await confirmRestore(settings)).toBe(true);
  expect(await confirmRestore(settings)).toBe(false);
  expect((await readdir(settings.serverFolder)).sort()).toEqual([
    'Welt über uns',
    'Welt über uns_nether',
    'server.properties',
  ]);
});

// Guarantee: a lost world comes back, too.
test('a world that is gone', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const listed = await backup(settings);
  await rm(join(settings.serverFolder, 'Welt über uns'), { recursive: true });
  await restore(settings, listed.name);
  expect(await readFile(join(settings.serverFolder, 'Welt über uns/level.dat'), 'utf8')).toBe('level');
});

// Guarantee: a damaged, altered or foreign backup changes nothing of the game's.
test('bad backups', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const { name } = await backup(settings);
  const before = await readdir(settings.serverFolder);
  const stored = join(settings.backupFolder, name);
  const manifest = await readFile(join(stored, 'backup.json'), 'utf8');
  const region = join(stored, '0/region/r.0.0.mca');
  const whole = await readFile(region);
  for (const bytes of [Buffer.alloc(0), whole.subarray(0, 10), Buffer.alloc(whole.length, 1)]) {
    await writeFile(region, bytes);
    await expect(restore(settings, name)).rejects.toThrow(/r\.0\.0\.mca is damaged/);
  }
  await writeFile(region, await readFile(join(stored, '0/level.dat')));
  await expect(restore(settings, name)).rejects.toThrow('is not what was copied');
  for (const [from, to] of [
    ['"level.dat"', '"../../outside"'],
    ['"level.dat"', '"/etc/outside"'],
    ['"level.dat"', '"a\\\\..\\\\b"'],
    ['"minecraft"', '"ark-se"'],
    [
      JSON.stringify(join(settings.serverFolder, 'Welt über uns')),
      JSON.stringify(join(root.path, 'elsewhere')),
    ],
    ['{', ''],
  ] as const) {
    await writeFile(join(stored, 'backup.json'), manifest.replace(from, to));
    await expect(restore(settings, name)).rejects.toThrow(/damaged|another game|keeps no world/);
  }
  for (const strange of ['../state', '', '2026-01-01T00-00-00Z/..', name.replace('20', '19')])
    await expect(restore(settings, strange)).rejects.toThrow('no such backup');
  expect(await readdir(settings.serverFolder)).toEqual(before);
  expect(await readRestore(settings.stateFolder)).toBeNull();
});

// Guarantee: links are not followed, and folders outside the server's are refused unless the machine's owner names them.
test('what may be copied', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  await put(join(root.path, 'outside/secret'), 'secret');
  await symlink(join(root.path, 'outside'), join(settings.serverFolder, 'Welt über uns/link'));
  const listed = await backup(settings);
  expect(listed.notes).toEqual(['Links were left out: link.']);
  expect(JSON.stringify(await readManifest(settings.backupFolder, listed.name))).not.toContain('secret');
  await writeFile(join(settings.serverFolder, 'server.properties'), 'level-name=../outside');
  await expect(backup(settings)).rejects.toThrow("outside the server's folder");
  await expect(backup({ ...settings, from: ['../outside'] })).resolves.toMatchObject({ files: 1 });
  await expect(backup({ ...settings, from: ['../nowhere'] })).rejects.toThrow('is not there');
  const inside = join(root.path, 'outside/backups');
  await expect(backup({ ...settings, from: ['../outside'], backupFolder: inside })).rejects.toThrow(
    'would be inside',
  );
});

// Guarantee: the game is quiet while its files are copied and saves again afterwards, even when the copy fails.
test('the game is asked', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const said: string[] = [];
  const run: RunCommand = async (command) => {
    said.push(command);
    return answered('ok');
  };
  await backup(settings, run);
  expect(said).toEqual(['save-off', 'save-all flush', 'save-on']);
  const stopping = new AbortController();
  const cancelled = backupSaves({
    settings,
    run,
    signal: stopping.signal,
    onProgress: ({ step }) => step.startsWith('Copying') && stopping.abort(),
  });
  await expect(cancelled).rejects.toThrow(/abort/i);
  expect(said.slice(3)).toEqual(['save-off', 'save-all flush', 'save-on']);
  expect((await readdir(settings.backupFolder)).length).toBe(1);
  const away: RunCommand = async () => ({
    ...answered(''),
    outcome: 'connection refused',
    reply: null,
    sent: false,
  });
  expect((await backup(settings, away)).notes[0]).toContain('could not be asked to save');
});

// Guarantee: a file that the game changes while it is copied is copied again, and reported if it keeps changing.
test('files in change', { tags: 'kills' }, async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const file = join(settings.serverFolder, 'Welt über uns/level.dat');
  let count = 0;
  const busy = setInterval(() => {
    count += 1;
    void writeFile(file, `level ${count}`).catch(() => undefined);
  }, 1);
  try {
    for (let tries = 0; tries < runCount({ day: 4, night: 20 }); tries += 1) {
      const { name, notes } = await backup(settings);
      for (const note of notes)
        expect(note).toBe('The game changed files while they were copied: level.dat.');
      const manifest = await readManifest(settings.backupFolder, name);
      expect(manifest?.places[0]?.entries.some(({ path }) => path === 'level.dat')).toBe(true);
    }
  } finally {
    clearInterval(busy);
  }
});

// Guarantee: backups are removed by number and age, the newest never; an unfinished one is not listed and is removed.
test('keeping', async () => {
  await using root = await temporaryFolder('saves');
  const settings = { ...(await newServer(root.path)), keep: 3, days: 2 };
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  for (let number = 1; number <= 5; number += 1) await backup({ ...settings, days: 99 }, null, day(number));
  expect((await listBackups(settings.backupFolder)).map(({ at }) => at)).toEqual(
    [5, 4, 3].map((number) => day(number).toISOString()),
  );
  await mkdir(join(settings.backupFolder, '.partial-2026-01-06T00-00-00Z/0'), { recursive: true });
  await mkdir(join(settings.backupFolder, '2026-01-07T00-00-00Z'));
  const [newest] = await listBackups(settings.backupFolder);
  const late = { now: day(30), spared: newest?.name ?? '' };
  expect(await pruneBackups(settings.backupFolder, settings, late)).toEqual([]);
  await backup(settings, null, day(30));
  await backup(settings, null, day(30));
  expect((await readdir(settings.backupFolder)).filter((name) => name.startsWith('.'))).toEqual([]);
  expect(await listBackups(settings.backupFolder)).toHaveLength(3);
  // The clock was set back: the backup just made stays.
  const made = await backup(settings, null, day(2));
  expect((await listBackups(settings.backupFolder)).map(({ name }) => name)).toContain(made.name);
});

// Guarantee: backups that are dated ahead take no other's place and stay; a clock that was put ahead, by 8 days under the agent or by
// 70 years before it started, deletes none by age; real age still does.
test('keeping, with a clock that is ahead', async () => {
  await using root = await temporaryFolder('saves');
  const settings = { ...(await newServer(root.path)), keep: 6, days: 20 };
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const all = { ...settings, keep: 99, days: 9999 };
  const names = new Map<number, string>();
  for (const number of [1, 9, 17, 25, 33, 40, 25_600]) {
    const { name } = await backup(all, null, day(number));
    names.set(number, name);
  }
  const removed = async (number: number, more: Partial<Pruning> = {}, keeping = settings) => {
    const spared = names.get(40) ?? '';
    const before = await listBackups(settings.backupFolder);
    const gone = await pruneBackups(settings.backupFolder, keeping, { now: day(number), spared, ...more });
    for (const { name, ...content } of before)
      if (gone.includes(name)) {
        await mkdir(join(settings.backupFolder, name));
        await writeFile(
          join(settings.backupFolder, name, 'summary.json'),
          JSON.stringify({ name, ...content }),
        );
      }
    return gone.map((name) => [...names].find(([, known]) => known === name)?.[0]);
  };
  // By number, without the one from the future; then by a clock that is behind, or 70 years ahead.
  expect(await removed(40, {}, { ...settings, keep: 3, days: 99 })).toEqual([17, 9, 1]);
  expect(await removed(-20_000, {}, { ...settings, keep: 3 })).toEqual([]);
  expect(await removed(25_601, {}, { ...settings, keep: 7 })).toEqual([]);
  // By age: the oldest, and none when the clock was set under the agent.
  expect(await removed(40)).toEqual([1]);
  expect(await removed(48, { wasClockSet: true })).toEqual([]);
  // Known as dated ahead, also once that date has passed.
  const seenAhead = { [names.get(33) ?? '']: day(20).toISOString() };
  expect(await removed(40, { seenAhead }, { ...settings, keep: 5, days: 99 })).toEqual([]);
  expect(await removed(40, { seenAhead }, { ...settings, keep: 2, days: 99 })).toEqual([17, 9, 1]);
  // With a single one, that is the one just made; it does not count where it is the older one.
  expect(await removed(40, { seenAhead }, { ...settings, keep: 1, days: 99 })).toEqual([25, 17, 9, 1, 33]);
  const spared = names.get(25) ?? '';
  expect(await removed(40, { seenAhead, spared }, { ...settings, keep: 1, days: 99 })).toEqual([
    40, 17, 9, 1,
  ]);
  // All that a clock saw that was behind: none goes before `keep` others are dated later.
  const behind = Object.fromEntries(
    [1, 9, 17].map((number) => [names.get(number) ?? '', day(1).toISOString()]),
  );
  expect(await removed(40, { seenAhead: behind }, { ...settings, days: 99 })).toEqual([]);
  expect(await removed(40, { seenAhead: behind }, { ...settings, keep: 3, days: 99 })).toEqual([17, 9, 1]);
});

// Guarantee: on a disk without room nothing is started, and nothing half-made stays; the message gives the reason.
test('no room', async (context) => {
  using disk = smallDisk(12);
  if (!disk) return context.skip('needs to mount a disk');
  await using root = await temporaryFolder('saves');
  const settings = { ...(await newServer(root.path)), backupFolder: join(disk.path, 'backups') };
  await backup(settings);
  await disk.fill();
  await expect(backup(settings)).rejects.toThrow(/A backup of the saves needs .* are free/);
  expect(await readdir(settings.backupFolder)).toHaveLength(1);
  expect(inWords(Object.assign(new Error(), { code: 'ENOSPC' }))).toContain('The disk is full');
});

// Guarantee: a backup of worlds that the running game does not write says so.
test('a world that does not change', async () => {
  await using root = await temporaryFolder('saves');
  const settings = await newServer(root.path);
  const run: RunCommand = async (command) =>
    answered(command === 'save-off' ? 'Automatic saving is now disabled' : 'Saved the game');
  const later = new Date(Date.now() + 3 * 86_400_000);
  expect((await backup(settings, run)).notes).toEqual([]);
  const { notes } = await backup(settings, run, later);
  expect(notes).toEqual([expect.stringContaining('no file of these worlds has changed since')]);
  // For a game that is stopped, and for a folder that the owner named, this is expected.
  expect((await backup(settings, null, new Date(later.getTime() + 1000))).notes).toEqual([]);
  const named = { ...settings, from: ['Welt über uns'] };
  expect((await backup(named, run, new Date(later.getTime() + 2000))).notes).toEqual([]);
});
