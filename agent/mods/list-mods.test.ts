import { copyFile, mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { runCount } from '#harness/kill-count.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { serverFolder } from '../saves/save-places.ts';
import { readChange, writeChange } from './change-journal.ts';
import { ownWorker } from './folder/folder-worker.ts';
import { listMods } from './list-mods.ts';
import { openModdedServer } from './testing/modded-server.ts';

const opened = async () => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const server = await openModdedServer(folder.path);
  const mods = gameOf('minecraft').mods;
  const list = async (changes: Partial<Parameters<typeof listMods>[0]> = {}) =>
    listMods({
      gameId: 'minecraft',
      mods,
      stateFolder: server.stateFolder,
      root: server.root,
      args: [],
      worker: ownWorker,
      facts: await mods.facts(serverFolder(server.root), []),
      isAllowed: true,
      whyRunning: async () => null,
      rehearsalObstacle: null,
      isChanging: () => false,
      signal: new AbortController().signal,
      ...changes,
    });
  return { server, list };
};

// Guarantee: the list has our mods with the changes made to them by hand, and other files with hashes and metadata.
test('ours and others', async () => {
  const { server, list } = await opened();
  const [one, two] = [await server.library.jar('One', '1'), await server.library.jar('Two', '1')];
  await server.change({ put: [one, two] });
  await writeFile(join(server.root, 'mods/Two-1.jar'), 'by hand');
  const three = await server.library.jar('Three', '3');
  await copyFile(
    join(server.library.folder, three.file?.hashes.sha512 ?? ''),
    join(server.root, 'mods/three.jar'),
  );
  await mkdir(join(server.root, 'mods/.data'));
  const found = await list();
  expect(found).toMatchObject({
    revision: 1,
    loader: 'fabric',
    obstacle: null,
    pending: null,
    foundCount: 1,
    foundIds: [],
    installed: [
      { key: 'modrinth:One', changedFiles: [], fileCount: 1, metadata: { id: 'one', version: '1' } },
      { key: 'modrinth:Two', changedFiles: ['mods/Two-1.jar'], metadata: null },
    ],
    found: [{ path: 'mods/three.jar', sha512: three.file?.hashes.sha512, metadata: { id: 'three' } }],
  });
  expect(found.found[0]?.fingerprint).toBeGreaterThan(0);
  expect(found.freeBytes).toBeGreaterThan(0);
});

// Guarantee: a file is read once while size, time and inode stay the same.
test('read once', async () => {
  const { server, list } = await opened();
  await server.change({ put: [await server.library.jar('One', '1')] });
  await list();
  const cache = join(server.stateFolder, 'mods/hashes.json');
  const text = await readFile(cache, 'utf8');
  await writeFile(cache, text.replace(/"sha512":"[0-9a-f]{128}"/, `"sha512":"${'0'.repeat(128)}"`));
  expect((await list()).installed[0]?.changedFiles).toEqual(['mods/One-1.jar']);
  await utimes(join(server.root, 'mods/One-1.jar'), new Date(), new Date());
  expect((await list()).installed[0]?.changedFiles).toEqual([]);
  await writeFile(cache, 'damaged');
  expect((await list()).installed[0]?.changedFiles).toEqual([]);
});

// Guarantee: anything that would block a change is reported by its code.
test('obstacles', async () => {
  const { list } = await opened();
  expect(await list({ isAllowed: false })).toMatchObject({ obstacle: 'MODS_NOT_ALLOWED' });
  expect(await list({ whyRunning: async () => 'It runs.' })).toMatchObject({
    obstacle: 'MODS_GAME_RUNNING',
    obstacleDetail: 'It runs.',
  });
  const none = { loader: null, loaderVersion: null, gameVersion: null };
  expect(await list({ facts: none })).toMatchObject({ obstacle: 'MODS_NO_LOADER', forms: [] });
  expect(await list({ mods: gameOf('ark-asa').mods, facts: none })).toMatchObject({
    obstacle: 'MODS_NO_MARK',
  });
  expect(
    await list({ mods: gameOf('ark-asa').mods, facts: none, args: ['x', '-mods={mods}'] }),
  ).toMatchObject({
    obstacle: null,
    forms: ['id'],
  });
});

// Guarantee: a list is answered even during a swap of files, and says so, even when that began after the question.
test('a list during a change', { tags: 'kills' }, async () => {
  const { server, list } = await opened();
  const items = await Promise.all(Array.from({ length: 12 }, (_, at) => server.library.jar(`Mod${at}`, '1')));
  await server.change({ put: items });
  const places = items.map(({ file }) => join(server.root, 'mods', file?.name ?? ''));
  let isOver = false;
  const moving = Promise.all(
    places.map(async (place) => {
      while (!isOver) {
        await rename(place, `${place}.away`);
        await rename(`${place}.away`, place);
        await utimes(place, new Date(), new Date());
      }
    }),
  );
  onTestFinished(() => {
    isOver = true;
    return moving.then(() => undefined);
  });
  for (let at = 0; at < runCount({ day: 8, night: 40 }); at += 1)
    expect((await list()).installed).toHaveLength(12);
  isOver = true;
  await moving;
  const journal = await readChange(server.stateFolder);
  if (!journal) throw new Error('there was a change');
  await writeChange(server.stateFolder, { ...journal, stage: 'stopping' });
  let asked = 0;
  expect(await list({ isChanging: () => ++asked > 1 })).toMatchObject({
    pending: 'A change of the mods is under way.',
  });
  expect((await list()).pending).toContain('cut off');
});
