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

// Guarantee: the land of a random world is backed up with what stands on it; the command line decides where both are.
test('the folders of 7 Days to Die', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const find = async (...args: string[]) =>
    (await findSavePlaces('seven-days-to-die', root, null, async () => args)).places;
  const at = (...paths: string[]) => paths.map((path) => join(root, path));
  for (const file of ['data/Saves/Pregen/x.ttp', 'data/GeneratedWorlds/Old Hill/main.ttw'])
    await put(join(root, file));
  await put(join(root, 'serverconfig.xml'), userData('data/'));
  expect(await find()).toEqual(at('data/Saves', 'data/GeneratedWorlds'));
  await put(join(root, 'other/Saves/x.ttp'));
  const program = './7DaysToDieServer.x86_64';
  expect(await find(program, '-UserDataFolder=other', '-dedicated')).toEqual(at('other/Saves'));
  expect(await find(program, `-userdatafolder="${join(root, 'other')}"`)).toEqual(at('other/Saves'));
  await put(
    join(root, 'serverconfig.xml'),
    userData('data').replace('/></S', '/><property name="SaveGameFolder" value="kept"/></S'),
  );
  await mkdir(join(root, 'kept'));
  expect(await find()).toEqual(at('kept', 'data/GeneratedWorlds'));
  await put(join(root, 'serverconfig.xml'), nothingSet);
  for (const file of ['Saves/x.ttp', 'GeneratedWorlds/x/main.ttw']) await put(join(root, file));
  expect(await find()).toEqual(at('Saves', 'GeneratedWorlds'));
});

// Guarantee: of several ARK servers in one folder only the worlds of this one are backed up, and what belongs to the whole cluster
// only where it is alone; the rest is named.
test('the worlds of ARK', async () => {
  await using folder = await temporaryFolder('places');
  const root = await realpath(folder.path);
  const saved = (name: string) => `ShooterGame/Saved/${name}`;
  const find = async (...args: string[]) => {
    const { places, leftOut } = await findSavePlaces('ark-asa', root, null, async () => args);
    return { places: places.map((place) => place.slice(root.length + 1)), leftOut };
  };
  const program = `${root}/ShooterGame/Binaries/Win64/ArkAscendedServer.exe`;
  await put(join(root, saved('SavedArks/TheIsland_WP/TheIsland_WP.ark')));
  await put(join(root, saved('Config/WindowsServer/Game.ini')));
  expect(await find(program, 'TheIsland_WP?listen')).toEqual({ places: [saved('SavedArks')], leftOut: [] });
  await put(join(root, saved('clusters/keep/00023f168ede3136a17c954ec0b9245d')));
  expect(await find(program, 'TheIsland_WP?listen')).toEqual({
    places: [saved('SavedArks'), saved('clusters')],
    leftOut: [],
  });
  await put(join(root, saved('Center/TheCenter_WP/0002.arkprofile')));
  const cluster = `${saved('clusters')} (of the cluster)`;
  const center = ['TheCenter_WP?listen?AltSaveDirectoryName=Center?Port=7777', '-clusterid=keep'];
  const centers = {
    places: [saved('Center')],
    leftOut: [`${saved('SavedArks')} (another server's)`, cluster],
  };
  expect(await find(program, ...center)).toEqual(centers);
  expect(await find(program, '-AltSaveDirectoryName="Center"')).toEqual(centers);
  expect(await find(program, 'TheCenter_WP?altsavedirectoryname=center?listen')).toEqual(centers);
  expect(await find(program, 'TheIsland_WP?listen')).toMatchObject({ places: [saved('SavedArks')] });
  // What a script adds is not seen.
  for (const args of [[], ['start.bat'], [program, 'X?AltSaveDirectoryName=NotThereYet']])
    expect(await find(...args)).toEqual({
      places: [saved('Center'), saved('SavedArks')],
      leftOut: [cluster],
    });
  expect((await find(program, 'TheIsland_WP', '-ClusterDirOverride=/srv/clusters')).leftOut).toContain(
    '/srv/clusters (of the cluster)',
  );
  await put(join(root, saved('Cluster/North/TheCenter_WP.ark')));
  expect(await find(program, 'X?AltSaveDirectoryName=Cluster/North/')).toMatchObject({
    places: [saved('Cluster/North')],
    leftOut: expect.not.arrayContaining([`${saved('Cluster')} (another server's)`]),
  });
  const elsewhere = join(root, '..');
  await expect(find(program, `X?AltSaveDirectoryName=${elsewhere}`)).rejects.toThrow();
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
  await mkdir(join(root, 'games'));
  await symlink(elsewhere, join(root, 'games/arena'));
  await put(join(root, 'slime_worlds/island.slime'));
  const inSlime = [join(root, 'world'), join(root, 'slime_worlds')];
  expect(await find()).toEqual({ places: inSlime, leftOut: ['lobby (a link)', 'games/arena (a link)'] });
  await put(join(root, 'bukkit.yml'), `settings: { world-container: '${folder.path}' }`);
  await put(join(root, 'server.properties'), 'level-name=disk');
  await expect(find()).rejects.toThrow("outside the server's folder");
});

// Guarantee: a game's own world that is a link is backed up from where it leads, or refused with that place; never left out.
test('a world behind a link', async () => {
  await using folder = await temporaryFolder('places');
  const root = join(await realpath(folder.path), 'server');
  const elsewhere = join(await realpath(folder.path), 'ramdisk');
  await put(join(elsewhere, 'level.dat'));
  await put(join(root, 'world_nether/level.dat'));
  await put(join(root, 'seasons/third/level.dat'));
  await symlink(elsewhere, join(root, 'world'));
  const find = () => findSavePlaces('minecraft', root, null, async () => []);
  await expect(find()).rejects.toThrow(`The game keeps its world in ${elsewhere}, outside`);
  // PaperMC/Paper#14059: each dimension on a disk of its own
  await symlink(elsewhere, join(root, 'world_the_end'));
  await expect(find()).rejects.toThrow('as saves.from, and what else is needed of world_the_end (a link).');
  await put(join(root, 'server.properties'), 'level-name=current');
  await symlink('seasons/third', join(root, 'current'));
  expect((await find()).places[0]).toBe(join(root, 'seasons/third'));
});
