import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModItem } from '#contracts/servers/agent-mods.ts';
import { gameOf } from '#games/games.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { modIdsFile } from '../power/mods-mark.ts';
import { openModdedServer } from './testing/modded-server.ts';

const facts = async () => ({ loader: null, loaderVersion: null, gameVersion: null });
const opened = async (
  gameId: 'ark-se' | 'ark-asa' | 'seven-days-to-die',
  backUp = async () => undefined as unknown,
) => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return openModdedServer(folder.path, { gameId, mods: gameOf(gameId).mods, facts, backUp });
};
const idOf = (source: 'steam' | 'curseforge', id: string): ModItem => ({
  key: `${source}:${id}`,
  source,
  project: id,
  version: null,
  name: `Mod ${id}`,
  versionName: null,
  form: 'id',
  folder: null,
  file: null,
  byName: 'Ada',
});

// Guarantee: in ARK's settings only the list of ids changes, based on what the game saved when it stopped; ids of others stay.
test("ids in ARK's settings", async () => {
  const settings = (ids: string, sensitivity: string) =>
    `[ServerSettings]\r\nServerPassword=ü\r\nActiveMods=${ids}\r\n[/Script/X]\r\nSensitivity=${sensitivity}\r\n`;
  const ini = () => join(server.root, 'ShooterGame/Saved/Config/LinuxServer/GameUserSettings.ini');
  const server = await opened('ark-se', () => writeFile(ini(), settings('111', '2')));
  await mkdir(join(ini(), '..'), { recursive: true });
  await writeFile(ini(), settings('111', '1'));
  const put = [idOf('steam', '731604991'), idOf('steam', '222')];
  expect(await server.change({ put, backup: true })).toMatchObject({ set: 'new', revision: 1 });
  expect(await readFile(ini(), 'utf8')).toBe(settings('111,731604991,222', '2'));
  expect(await server.change({ base: 1, remove: ['steam:731604991'] })).toMatchObject({ set: 'new' });
  expect(await readFile(ini(), 'utf8')).toBe(settings('111,222', '2'));
  expect(await readdir(join(ini(), '..'))).toEqual(['GameUserSettings.ini']);
});

// Guarantee: ids of the start command are where the start reads them, in load order.
test('ids of the start command', async () => {
  const server = await opened('ark-asa');
  const ids = async () => JSON.parse(await readFile(modIdsFile(server.stateFolder), 'utf8'));
  expect(await server.change({ put: [idOf('curseforge', '5'), idOf('curseforge', '3')] })).toMatchObject({
    set: 'new',
  });
  expect(await ids()).toEqual(['5', '3']);
  expect(
    await server.change({ base: 1, put: [idOf('curseforge', '4')], remove: ['curseforge:5'] }),
  ).toMatchObject({
    set: 'new',
  });
  expect(await ids()).toEqual(['3', '4']);
  expect((await readdir(join(server.stateFolder, 'mods'))).sort()).toEqual([
    ...['change.json', 'ids.json', 'manifest.json'],
  ]);
});

const info = (name: string, version: string) =>
  `<?xml version="1.0"?><xml><Name value="${name}"/><DisplayName value="${name}"/><Version value="${version}"/></xml>`;

// Guarantee: a folder of 7 Days to Die changes file by file; files that others have put into it stay, and an empty folder is removed.
test('folders of 7 Days to Die', async () => {
  const server = await opened('seven-days-to-die');
  const folders = (version: string, files: object) =>
    server.library.archive('Big', version, 'folders', { 'Big/ModInfo.xml': info('Big', version), ...files });
  expect(
    await server.change({ put: [await folders('1.0', { 'Big/Config/a.xml': 'a', 'Big/b.xml': 'b' })] }),
  ).toMatchObject({
    set: 'new',
  });
  await writeFile(join(server.root, 'Mods/Big/players.txt'), 'of the owner');
  expect(await server.change({ base: 1, put: [await folders('2.0', { 'Big/b.xml': 'b 2' })] })).toMatchObject(
    {
      set: 'new',
    },
  );
  expect((await readdir(join(server.root, 'Mods/Big'))).sort()).toEqual([
    'ModInfo.xml',
    'b.xml',
    'players.txt',
  ]);
  await rm(join(server.root, 'Mods/Big/players.txt'));
  expect(await server.change({ base: 2, remove: ['modrinth:Big'] })).toMatchObject({ set: 'new' });
  expect(await readdir(join(server.root, 'Mods'))).toEqual([]);
});
