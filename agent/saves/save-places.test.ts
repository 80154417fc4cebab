import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { findSavePlaces } from './save-places.ts';

const put = async (path: string, content = 'x') => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
};
const userData = (folder: string) =>
  `<?xml version="1.0"?><ServerSettings><property name="UserDataFolder" value="${folder}"/></ServerSettings>`;
const nothingSet = '<?xml version="1.0"?><ServerSettings></ServerSettings>';

// Guarantee: the world in the settings file that 7 Days to Die is started with is found, never the world of a file beside it.
test('the settings file of 7 Days to Die', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const find = (...args: string[]) => findSavePlaces('seven-days-to-die', root, null, async () => args);
  await put(join(root, 'Saves/Navezgane/main.ttw'));
  await put(join(root, 'live/Saves/Navezgane/main.ttw'));
  await put(join(root, 'serverconfig.xml'), nothingSet);
  expect(await find()).toEqual([join(root, 'Saves')]);
  await put(join(root, 'sdtdserver.xml'), userData('live'));
  const live = [join(root, 'live/Saves')];
  expect(await find('./7DaysToDieServer.x86_64', '-configfile=sdtdserver.xml')).toEqual(live);
  expect(await find(`-configfile=${join(root, 'sdtdserver.xml')}`)).toEqual(live);
  await expect(find()).rejects.toThrow('two settings files name different folders');
  await expect(find('-configfile=gone.xml')).rejects.toThrow('started with gone.xml, which is not there');
});

// Guarantee: a world named in Minecraft's arguments is found instead of the one in server.properties.
test('the arguments of Minecraft', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const find = (...args: string[]) => findSavePlaces('minecraft', root, null, async () => args);
  for (const world of ['world', 'season', 'worlds/world', 'worlds/season'])
    await put(join(root, world, 'level.dat'));
  await put(join(root, 'server.properties'), 'level-name=world\n');
  expect(await find('java', '-jar', 'server.jar', 'nogui')).toEqual([join(root, 'world')]);
  expect(await find('--world', 'season')).toEqual([join(root, 'season')]);
  expect(await find('--universe', 'worlds')).toEqual([join(root, 'worlds/world')]);
  expect(await find('--universe=worlds/', '--world=season')).toEqual([join(root, 'worlds/season')]);
});
