import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { backupSaves, type SavesSettings } from './backup-saves.ts';
import { finishRestore } from './finish-restore.ts';
import { readRestore, readUndone, writeRestore } from './restore-journal.ts';
import { confirmRestore, restoreSaves } from './restore-saves.ts';
import { undoRestore } from './undo-restore.ts';

const quiet = { signal: new AbortController().signal, onProgress: () => undefined };
const stopped = async () => null;

const begin = async (root: string) => {
  const settings: SavesSettings = {
    game: 'minecraft',
    serverId: 'server-1',
    stateFolder: join(root, 'state'),
    serverFolder: join(root, 'der Server мир'),
    from: null,
    startCommand: [],
    backupFolder: join(root, 'backups'),
    keep: 5,
    days: 30,
    mayPanelSchedule: false,
  };
  await mkdir(settings.stateFolder);
  const at = (path: string) => join(settings.serverFolder, path);
  const put = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  };
  await put('world/level.dat', 'backed up');
  await put('world_nether/level.dat', 'backed up');
  const { name } = await backupSaves({ settings, run: null, ...quiet });
  await put('world/level.dat', 'of before');
  await put('world_nether/level.dat', 'of before');
  return {
    settings,
    name,
    put,
    at,
    restore: () => restoreSaves({ settings, backup: name, whyNotStopped: stopped, ...quiet }),
    undo: (backup: string | null = name, why: string | null = null) =>
      undoRestore({ settings, backup, whyNotStopped: async () => why }),
    level: (place = 'world') => readFile(at(`${place}/level.dat`), 'utf8').catch(() => null),
    folders: async () => (await readdir(settings.serverFolder)).sort(),
  };
};

// Guarantee: an undo puts back the worlds from before a restore, and what the game wrote since is kept until the next decision, once.
test('there, back, and there again', async () => {
  await using root = await temporaryFolder('undo');
  const server = await begin(root.path);
  const { settings } = server;
  await expect(server.undo()).rejects.toThrow('No restore can be undone');
  await server.restore();
  await server.put('world/level.dat', 'played on');
  await expect(server.undo(server.name, 'It runs.')).rejects.toThrow('It runs.');
  await expect(server.undo('2020-01-01T00-00-00Z')).rejects.toThrow('Another backup');
  expect(await server.level()).toBe('played on');
  const kept = await server.undo();
  expect([await server.level(), await server.level('world_nether')]).toEqual(['of before', 'of before']);
  expect(await readFile(join(kept[0] ?? '', 'level.dat'), 'utf8')).toBe('played on');
  expect(kept).toHaveLength(2);
  expect(await readRestore(settings.stateFolder)).toBeNull();
  await expect(server.undo()).rejects.toThrow('No restore can be undone');
  // The next one replaces it.
  await server.restore();
  await server.put('world/level.dat', 'played again');
  const [second = ''] = await server.undo();
  expect(await readFile(join(second, 'level.dat'), 'utf8')).toBe('played again');
  expect((await readUndone(settings.stateFolder))?.folders).toHaveLength(2);
  expect(await server.folders()).toHaveLength(4);
  expect(await confirmRestore(settings)).toBe(true);
  expect(await server.folders()).toEqual(['world', 'world_nether']);
  expect(await readUndone(settings.stateFolder)).toBeNull();
});

// Guarantee: a world that did not exist before the restore is gone again, and kept aside.
test('a world that was lost before', async () => {
  await using root = await temporaryFolder('undo');
  const server = await begin(root.path);
  await rm(server.at('world_nether'), { recursive: true });
  await server.restore();
  expect(await server.level('world_nether')).toBe('backed up');
  const kept = await server.undo();
  expect([await server.level(), await server.level('world_nether')]).toEqual(['of before', null]);
  expect(kept).toHaveLength(2);
});

// Guarantee: an undo that was interrupted anywhere is finished, even if that happens twice, and a world that the game created in
// between is kept.
test('cut off', async () => {
  await using root = await temporaryFolder('undo');
  const server = await begin(root.path);
  const { stateFolder } = server.settings;
  await server.restore();
  const restored = await readRestore(stateFolder);
  await server.undo();
  // As if the agent had died before it could report it.
  if (!restored) throw new Error('no journal');
  const undone = (await readUndone(stateFolder))?.folders ?? [];
  const swaps = restored.swaps.map((swap, index) => ({
    ...swap,
    undone: undone[index] ?? '',
    hadBefore: true,
  }));
  await writeRestore(stateFolder, { ...restored, stage: 'undoing', swaps });
  await finishRestore(stateFolder);
  expect(await server.level()).toBe('of before');
  expect((await readUndone(stateFolder))?.folders).toEqual(undone);
  for (const folder of undone) expect(await readFile(join(folder, 'level.dat'), 'utf8')).toBe('backed up');
});
