import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import type { AgentConfig } from '../configuration/config.ts';
import { readAgentConfig } from '../configuration/config.ts';
import { listBackups } from './backup-folder.ts';
import { backupSaves, holdBackups, type SavesSettings } from './backup-saves.ts';
import { whyNotStopped } from './proven-stopped.ts';
import { readRestore } from './restore-journal.ts';
import { restoreSaves } from './restore-saves.ts';
import { savesSettings, settleRestore } from './server-saves.ts';
import { undoRestore } from './undo-restore.ts';

const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const backup = (settings: SavesSettings, at = new Date()) =>
  backupSaves({ settings, run: null, ...quiet, now: () => at });
const restore = (
  settings: SavesSettings,
  name: string,
  whyNot: () => Promise<string | null> = async () => null,
) => restoreSaves({ settings, backup: name, whyNotStopped: whyNot, ...quiet });

/** A Minecraft server with two worlds, as an agent's config.json names it. */
const newServer = async (root: string, saves: object = {}) => {
  const folder = join(root, 'server');
  for (const world of ['world', 'world_nether']) {
    await mkdir(join(folder, world, 'region'), { recursive: true });
    await writeFile(join(folder, world, 'level.dat'), 'MONDAY');
  }
  const path = join(root, 'config.json');
  await writeFile(
    path,
    JSON.stringify({
      apiUrl: 'http://127.0.0.1:1',
      serverId: 'server-1',
      secret: 'x'.repeat(43),
      game: 'minecraft',
      console: null,
      server: { folder, allow: { files: true } },
      saves,
    }),
  );
  const config = await readAgentConfig(path);
  const settings = savesSettings(config);
  if (!settings) throw new Error('no settings');
  await mkdir(settings.stateFolder, { recursive: true });
  return { config, settings, folder };
};
const levelOf = (folder: string, world = 'world') => readFile(join(folder, world, 'level.dat'), 'utf8');

/** The state after a restore that was killed between the two renames of its first world. */
const cutOff = async ({ stateFolder }: AgentConfig, folder: string, worlds: readonly string[]) => {
  const swaps = worlds.map((world) => ({
    place: join(folder, world),
    fresh: join(folder, `.${world}.new`),
    before: join(folder, `.${world}.before`),
  }));
  for (const { fresh } of swaps) {
    await mkdir(fresh);
    await writeFile(join(fresh, 'level.dat'), 'RESTORED');
  }
  const [first] = swaps;
  if (first) await rename(first.place, first.before);
  const journal = { stage: 'swapping', backup: '2026-01-01T00-00-00Z', at: new Date().toISOString(), swaps };
  await writeFile(join(stateFolder, 'restore.json'), JSON.stringify(journal));
};

// Guarantee: if a world cannot be swapped, all of them are as before, and nothing later carries the restore out.
test('a rename that fails', { tags: 'mount' }, async () => {
  await using root = await temporaryFolder('restore');
  const { config, settings, folder } = await newServer(root.path);
  const { name } = await backup(settings);
  await writeFile(join(folder, 'world/level.dat'), 'FRIDAY');
  await writeFile(join(folder, 'world_nether/level.dat'), 'FRIDAY');
  // A mount point cannot be renamed, like a folder with open files on Windows.
  const mounted = join(folder, 'world_nether');
  const held = mountOver(mounted);
  await writeFile(join(mounted, 'level.dat'), 'FRIDAY');
  try {
    await expect(restore(settings, name)).rejects.toThrow('nothing was changed');
    expect(await readRestore(settings.stateFolder)).toBeNull();
    expect(await levelOf(folder)).toBe('FRIDAY');
    expect((await readdir(folder)).sort()).toEqual(['world', 'world_nether']);
  } finally {
    await held[Symbol.asyncDispose]();
  }
  expect(await settleRestore(config)).toBeNull();
  expect(await levelOf(folder)).toBe('FRIDAY');
  await restore(settings, name);
  expect(await levelOf(folder)).toBe('MONDAY');
});

const mountOver = (path: string): AsyncDisposable => {
  execFileSync('mount', ['-t', 'tmpfs', 'none', path]);
  return { [Symbol.asyncDispose]: () => unmount(path) };
};
const unmount = async (path: string): Promise<void> =>
  void (await once(spawn('umount', [path], { stdio: 'ignore' }), 'exit'));

// Guarantee: if a restored world cannot be put back, all of them stay restored, and nothing later puts them back.
test('an undo that fails', { tags: 'mount' }, async () => {
  await using root = await temporaryFolder('restore');
  const { config, settings, folder } = await newServer(root.path);
  const { name } = await backup(settings);
  for (const world of ['world', 'world_nether']) await writeFile(join(folder, world, 'level.dat'), 'FRIDAY');
  await restore(settings, name);
  const undo = () => undoRestore({ settings, backup: name, whyNotStopped: async () => null });
  const held = mountOver(join(folder, 'world_nether'));
  try {
    await expect(undo()).rejects.toThrow('nothing was changed');
    expect((await readRestore(settings.stateFolder))?.stage).toBe('swapped');
    expect(await levelOf(folder)).toBe('MONDAY');
  } finally {
    await held[Symbol.asyncDispose]();
  }
  expect(await settleRestore(config)).toBeNull();
  expect([await levelOf(folder), await levelOf(folder, 'world_nether')]).toEqual(['MONDAY', 'MONDAY']);
  await undo();
  expect([await levelOf(folder), await levelOf(folder, 'world_nether')]).toEqual(['FRIDAY', 'FRIDAY']);
});

// Guarantee: a game that was started while the worlds were unpacked keeps its world.
test('a game that starts meanwhile', async () => {
  await using root = await temporaryFolder('restore');
  const { settings, folder } = await newServer(root.path);
  const { name } = await backup(settings);
  await writeFile(join(folder, 'world/level.dat'), 'FRIDAY');
  const seen: (string | undefined)[] = [];
  const runs = async () => {
    seen.push((await readRestore(settings.stateFolder))?.stage);
    return seen.length === 1 ? null : 'It runs.';
  };
  await expect(restore(settings, name, runs)).rejects.toThrow('It runs.');
  // Code that starts games checks this stage first: one of the two sees the other.
  expect(seen).toEqual([undefined, 'swapping']);
  expect(await levelOf(folder)).toBe('FRIDAY');
  expect(await readRestore(settings.stateFolder)).toBeNull();
  expect((await readdir(folder)).sort()).toEqual(['world', 'world_nether']);
});

// Guarantee: an agent that starts during another process's restore leaves the restore alone, and starts no game.
test('an agent that starts during a restore', async () => {
  await using root = await temporaryFolder('restore');
  const { config, settings, folder } = await newServer(root.path);
  const { name } = await backup(settings);
  const said: (string | null)[] = [];
  await restore(settings, name, async () => {
    said.push(await settleRestore(config));
    return null;
  });
  expect(said[0]).toBeNull();
  expect(said[1]).toMatch(/being replaced/);
  expect(await levelOf(folder)).toBe('MONDAY');
  expect((await readRestore(settings.stateFolder))?.stage).toBe('swapped');
  expect(await settleRestore(config)).toBeNull();
});

// Guarantee: an interrupted restore is finished if that harms no one; else it is reported, and no game is started.
test('a restore that was cut off while something works in the folder', async () => {
  await using root = await temporaryFolder('restore');
  const { config, folder } = await newServer(root.path);
  const shell = spawn('sleep', ['60'], { cwd: folder, stdio: 'ignore' });
  await once(shell, 'spawn');
  try {
    // The world is away: nothing can have it open.
    await cutOff(config, folder, ['world']);
    expect(await settleRestore(config)).toBeNull();
    expect(await levelOf(folder)).toBe('RESTORED');
    await rm(join(config.stateFolder, 'restore.json'));
    await rm(join(folder, '.world.before'), { recursive: true });
    await cutOff(config, folder, ['world', 'world_nether']);
    expect(await settleRestore(config)).toContain(String(shell.pid));
    expect(await levelOf(folder, 'world_nether')).toBe('MONDAY');
  } finally {
    shell.kill();
    await once(shell, 'exit');
  }
  expect(await settleRestore(config)).toBeNull();
  expect(await levelOf(folder, 'world_nether')).toBe('RESTORED');
});

// Guarantee: a folder that another process holds is not settled, and this is reported.
test('held backups', async () => {
  await using root = await temporaryFolder('restore');
  const { config, settings, folder } = await newServer(root.path);
  await cutOff(config, folder, ['world']);
  {
    await using _ = await holdBackups(settings.backupFolder);
    expect(await settleRestore(config)).toMatch(/running/);
  }
  expect(await settleRestore(config)).toBeNull();
});

// Guarantee: every name that Linux allows is restored; names that no list can contain are reported.
test('names', async (context) => {
  if (process.platform === 'win32') return context.skip('Windows knows no such names');
  await using root = await temporaryFolder('restore');
  const { settings, folder } = await newServer(root.path);
  const names = ['plugins\\foo.yml', 'a:b', 'C:x', '…', '\u202e', ' ', 'café', 'cafe\u0301', 'a\nb'];
  for (const name of names) await writeFile(join(folder, 'world', name), name);
  const latin = Buffer.concat([Buffer.from(join(folder, 'world/')), Buffer.from([0xe4, 0x2e, 0x64])]);
  await writeFile(latin, 'x');
  await writeFile(join(folder, 'world/session.lock'), '☃');
  const { name, notes } = await backup(settings);
  expect(notes).toEqual([expect.stringMatching(/not UTF-8.* missing: \ufffd\.d/)]);
  await restore(settings, name);
  expect((await readdir(join(folder, 'world'))).sort()).toEqual([...names, 'level.dat', 'region'].sort());
});

// Guarantee: a list that others can write creates no file of root's, and no setuid program.
test('rights from a list', async () => {
  await using root = await temporaryFolder('restore');
  const { settings, folder } = await newServer(root.path);
  const { name } = await backup(settings);
  const list = join(settings.backupFolder, name, 'backup.json');
  const manifest = JSON.parse(await readFile(list, 'utf8'));
  for (const entry of manifest.places[0].entries) if (entry.path === 'level.dat') entry.mode = 0o6755;
  await writeFile(list, JSON.stringify(manifest));
  await restore(settings, name);
  expect((await stat(join(folder, 'world/level.dat'))).mode & 0o7777).toBe(0o755);
});

// Guarantee: a clock that is far ahead costs no backup by its age: beyond such a gap no age is believed.
test('a clock that is ahead', async () => {
  await using root = await temporaryFolder('restore');
  const { settings } = await newServer(root.path);
  for (let day = 1; day <= 5; day += 1) await backup(settings, new Date(Date.UTC(2026, 0, day)));
  await backup(settings, new Date(Date.UTC(2027, 0, 1)));
  const left = (await listBackups(settings.backupFolder)).map(({ at }) => at.slice(0, 10));
  expect(left).toEqual(['2027-01-01', '2026-01-05', '2026-01-04', '2026-01-03', '2026-01-02', '2026-01-01']);
});

// Guarantee: a game is recognized by its working folder, even if that is named through a link.
test('a folder that is a link', async (context) => {
  if (process.platform !== 'linux') return context.skip('Linux names the folders of processes');
  await using root = await temporaryFolder('restore');
  await mkdir(join(root.path, 'real'));
  await symlink(join(root.path, 'real'), join(root.path, 'link'));
  const game = spawn('sleep', ['60'], { cwd: join(root.path, 'real'), stdio: 'ignore' });
  await once(game, 'spawn');
  try {
    expect(await whyNotStopped({ folder: join(root.path, 'link'), console: null })).toContain(`${game.pid}`);
  } finally {
    game.kill();
    await once(game, 'exit');
  }
  expect(await whyNotStopped({ folder: join(root.path, 'link'), console: null })).toBeNull();
});

// Guarantee: worlds that are named through a link are backed up and restored.
test('worlds through a link', async () => {
  await using root = await temporaryFolder('restore');
  await mkdir(join(root.path, 'disk/world'), { recursive: true });
  await writeFile(join(root.path, 'disk/world/level.dat'), 'MONDAY');
  await symlink(join(root.path, 'disk/world'), join(root.path, 'linked'));
  const { settings } = await newServer(root.path, { from: ['linked'] });
  const { name } = await backup(settings);
  await writeFile(join(root.path, 'disk/world/level.dat'), 'FRIDAY');
  await restore(settings, name);
  expect(await levelOf(join(root.path, 'disk'))).toBe('MONDAY');
});

// Guarantee: a completed backup is reported as made, even if old ones cannot be deleted.
test('old backups that cannot be deleted', { tags: 'mount' }, async () => {
  await using root = await temporaryFolder('restore');
  const { settings } = await newServer(root.path, { keep: 1 });
  const first = await backup(settings, new Date(Date.UTC(2026, 0, 1)));
  mountOver(join(settings.backupFolder, first.name, '0'));
  try {
    const second = await backup(settings, new Date(Date.UTC(2026, 0, 2)));
    expect(second.notes).toEqual([expect.stringMatching(/could not be deleted/)]);
    expect((await listBackups(settings.backupFolder)).map(({ name }) => name)).toEqual([second.name]);
  } finally {
    // By now it has another name.
    for (const name of await readdir(settings.backupFolder))
      await unmount(join(settings.backupFolder, name, '0'));
  }
});
