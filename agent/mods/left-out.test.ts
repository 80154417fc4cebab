import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { zipByBytes } from '#runtime/archives/testing/zip-by-bytes.ts';
import { moddedServer, openModdedServer } from './testing/modded-server.ts';

const sevenDays = async () => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return openModdedServer(folder.path, {
    gameId: 'seven-days-to-die',
    mods: gameOf('seven-days-to-die').mods,
    facts: async () => ({ loader: null, loaderVersion: null, gameVersion: null }),
  });
};

// Guarantee: a part of a mod comes when it is chosen, beside the mod that it lies in, and goes when it is not chosen any more.
test('parts of a mod', async () => {
  const server = await sevenDays();
  const item = await server.library.archive('A', '1', 'folders', {
    'A/ModInfo.xml': '<xml><Name value="A"/></xml>',
    'A/Optional/B/ModInfo.xml': '<xml><Name value="B"/></xml>',
  });
  const modFiles = async () => Object.keys(await server.files()).filter((path) => path.startsWith('Mods/'));
  await server.change({ put: [item] });
  expect(await modFiles()).toEqual(['Mods/A/ModInfo.xml']);
  await server.change({ base: 1, put: [{ ...item, parts: ['A/Optional/B'] }] });
  expect(await modFiles()).toEqual(['Mods/A/ModInfo.xml', 'Mods/B/ModInfo.xml']);
  await server.change({ base: 2, put: [item] });
  expect(await modFiles()).toEqual(['Mods/A/ModInfo.xml']);
});

// Guarantee: a pack installs without what no server can use or hold, whatever its list says, and the result names it.
test('files of a pack', async () => {
  const server = await moddedServer();
  const bytes = zipByBytes([
    {
      name: 'fabric.mod.json',
      data: '{"schemaVersion":1,"id":"sodium","version":"1","environment":"client"}',
    },
  ]);
  const sha512 = createHash('sha512').update(bytes).digest('hex');
  await writeFile(join(server.library.folder, sha512), bytes);
  const file = {
    path: 'mods\\sodium.jar',
    hashes: { sha1: createHash('sha1').update(bytes).digest('hex'), sha512 },
    env: { client: 'required', server: 'required' },
    downloads: ['https://cdn.modrinth.com/data/x/sodium.jar'],
    fileSize: bytes.length,
  };
  const pack = await server.library.archive('Pack', '1', 'pack', {
    'modrinth.index.json': JSON.stringify({
      formatVersion: 1,
      game: 'minecraft',
      versionId: '1',
      name: 'Pack',
      files: [file],
      dependencies: {},
    }),
    'overrides/config/a.txt': 'a',
    'overrides/config/What?.txt': 'b',
    'client-overrides/resourcepacks/What? v1.zip': 'c',
  });
  expect(await server.change({ put: [pack] })).toMatchObject({
    set: 'new',
    notes: [
      'config/What?.txt was left out: not every system can hold its name.',
      'mods/sodium.jar is for players only and was left out.',
    ],
  });
  const files = Object.keys(await server.files());
  expect(files).toContain('config/a.txt');
  expect(files.filter((path) => /sodium|What/.test(path))).toEqual([]);
});
