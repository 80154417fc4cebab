import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
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
  const find = async (...args: string[]) =>
    (await findSavePlaces('seven-days-to-die', root, null, async () => args)).places;
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

// Guarantee: a world named in Minecraft's arguments comes before the one in server.properties; every other folder with a
// level.dat is backed up, too.
test('the arguments of Minecraft', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const worlds = ['season', 'world', 'worlds/season', 'worlds/world'];
  for (const world of worlds) await put(join(root, world, 'level.dat'));
  await put(join(root, 'server.properties'), 'level-name=world\n');
  const find = async (...args: string[]) => {
    const { places, leftOut } = await findSavePlaces('minecraft', root, null, async () => args);
    expect(leftOut).toEqual([]);
    expect(places.toSorted()).toEqual(worlds.map((world) => join(root, world)));
    return places[0];
  };
  expect(await find('java', '-jar', 'server.jar', 'nogui')).toBe(join(root, 'world'));
  expect(await find('--world', 'season')).toBe(join(root, 'season'));
  expect(await find('--universe', 'worlds')).toBe(join(root, 'worlds/world'));
  expect(await find('--universe=worlds/', '--world=season')).toBe(join(root, 'worlds/season'));
});

// Guarantee: worlds of any name are found, also below Bukkit's container and in folders of their own; copies and what
// plugins keep are named.
test('the worlds of Minecraft', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const find = () => findSavePlaces('minecraft', root, null, async () => []);
  await put(join(root, 'server.properties'), 'level-name=hub\n');
  await mkdir(join(root, 'hub'));
  expect(await find()).toEqual({ places: [join(root, 'hub')], leftOut: [] });
  const files = [
    ...['hub/level.dat', 'hub_nether/level.dat', 'lobby/level.dat', 'hub/datapacks/x/level.dat'],
    ...[
      'games/bedwars/arena/level.dat_old',
      'old_hub_backup/level.dat',
      'plugins/Skyblock/template/level.dat',
    ],
    ...['backups/monday/hub/level.dat', '.castellan/hub/level.dat', 'plotworld/level.dat.txt'],
  ];
  for (const file of files) await put(join(root, file));
  expect(await find()).toEqual({
    places: ['hub', 'hub_nether', 'games/bedwars/arena', 'lobby', 'old_hub_backup'].map((one) =>
      join(root, one),
    ),
    leftOut: ['backups/monday/hub', 'plugins/Skyblock/template'],
  });
  await put(join(root, 'bukkit.yml'), 'settings:\n  allow-end: true\n  world-container: "worlds/"\n');
  await put(join(root, 'worlds/hub/level.dat'));
  expect((await find()).places[0]).toBe(join(root, 'worlds/hub'));
});

// Guarantee: a world on another disk is named; if it is the game's own, nothing is backed up.
test('a world elsewhere', async () => {
  await using folder = await temporaryFolder('places');
  const root = join(await realpath(folder.path), 'server');
  const elsewhere = join(await realpath(folder.path), 'disk');
  await put(join(elsewhere, 'level.dat'));
  await put(join(root, 'world/level.dat'));
  await symlink(elsewhere, join(root, 'lobby'));
  const find = () => findSavePlaces('minecraft', root, null, async () => []);
  await symlink(elsewhere, join(root, 'logs'));
  expect(await find()).toEqual({ places: [join(root, 'world')], leftOut: ['lobby (a link)'] });
  await put(join(root, 'bukkit.yml'), `settings: { world-container: '${folder.path}' }`);
  await put(join(root, 'server.properties'), 'level-name=disk');
  await expect(find()).rejects.toThrow("outside the server's folder");
});
