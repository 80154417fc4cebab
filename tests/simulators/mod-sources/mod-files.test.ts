import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { GameId } from '#contracts/servers/games.ts';
import { fingerprintFile } from '#games/curseforge-fingerprint.ts';
import { gameOf } from '#games/games.ts';
import { openArchive } from '#runtime/archives/open-archive.ts';
import { fingerprintOf } from './fingerprint.ts';
import { bukkitPlugin, fabricMod, forgeMod, modrinthPack, sevenDaysMods } from './mod-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'castellan-mod-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

const kept = async (content: Buffer): Promise<string> => {
  const path = join(folder, 'file');
  await writeFile(path, content);
  return path;
};
const contentOf = async (content: Buffer, game: GameId) => {
  await using archive = await openArchive(await kept(content));
  return (await gameOf(game).mods.inspect(archive)).content;
};

// Guarantee: agents recognize the simulated sources' files as mods of each kind.
test.each([
  ['fabric', () => fabricMod({ id: 'lithium', version: '1', depends: { 'fabric-api': '*' } })],
  ['forge', () => forgeMod({ id: 'lithium', version: '1' })],
  ['neoforge', () => forgeMod({ id: 'lithium', version: '1', loader: 'neoforge' })],
  ['paper', () => bukkitPlugin({ name: 'lithium', version: '1' })],
] as const)('a mod for %s', async (loader, make) => {
  expect(await contentOf(await make(), 'minecraft')).toMatchObject({
    is: 'mods',
    mods: [{ id: 'lithium', version: '1', loaders: expect.arrayContaining([loader]) }],
  });
});

test('mods of 7 Days to Die in both formats, and a pack of Modrinth', async () => {
  const mods = await sevenDaysMods([
    { name: 'Old', version: '1.0', format: 1 },
    { name: 'New', version: '2.0' },
    { name: 'Extra', version: '1', within: 'New/Optional' },
  ]);
  const folders = await contentOf(mods, 'seven-days-to-die');
  if (folders.is !== 'folders') throw new Error(`${folders.is} instead of folders`);
  expect(folders.folders.map(({ name, metadata }) => [name, metadata.version]).sort()).toEqual([
    ['New', '2.0'],
    ['Old', '1.0'],
  ]);

  expect(folders.parts).toEqual([{ path: 'New/Optional/Extra', name: 'Extra' }]);

  const pack = await modrinthPack({
    name: 'A pack',
    version: '3',
    dependencies: { minecraft: '1.21.1', 'fabric-loader': '0.16.9' },
    files: [
      {
        path: 'mods\\a.jar',
        hashes: { sha1: 'a'.repeat(40), sha512: 'b'.repeat(128) },
        downloads: ['https://cdn.modrinth.com/a.jar'],
        fileSize: 10,
      },
    ],
    overrides: {
      'overrides/config/a.toml': 'a = 1',
      'overrides/mods/oculus.jar': await forgeMod({ id: 'oculus', version: '1', clientSideOnly: true }),
      'client-overrides/resourcepacks/What? v1.zip': 'for players',
    },
  });
  expect(await contentOf(pack, 'minecraft')).toMatchObject({
    is: 'pack',
    name: 'A pack',
    version: '3',
    gameVersion: '1.21.1',
    loader: 'fabric',
    files: [{ path: 'mods/a.jar', bytes: 10 }],
    overrides: 1,
    clientOnly: 1,
    leftOut: [{ path: 'mods/oculus.jar', why: 'client-only' }],
  });
});

test('a mod with other ids, and others inside', async () => {
  const base = await fabricMod({ id: 'fabric-api-base', version: '1' });
  const api = await fabricMod({
    id: 'fabric-api',
    version: '1',
    provides: ['fabric'],
    jars: [{ file: 'META-INF/jars/base.jar' }],
    files: { 'META-INF/jars/base.jar': base },
  });
  expect(await contentOf(api, 'minecraft')).toMatchObject({
    mods: [{ id: 'fabric-api', provides: ['fabric', 'fabric-api-base'] }],
  });
});

// Guarantee: agents and the simulated CurseForge compute the same fingerprint, each with its own code.
test('fingerprints', async () => {
  const all = [0, 1, 3, 4, 5, 100, 70_001].map((bytes) => randomBytes(bytes));
  for (const content of [...all, Buffer.from(' a\tb\r\nc '), await fabricMod({ id: 'a', version: '1' })])
    expect(await fingerprintFile(await kept(content), new AbortController().signal)).toBe(
      fingerprintOf(content),
    );
});
