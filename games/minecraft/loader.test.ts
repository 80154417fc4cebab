import { posix } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerFolder } from '../saves-layout.ts';
import { findLoader, neoForgeGame } from './loader.ts';

/** A server's folder built from the paths of its files. */
const folderWith = (files: Readonly<Record<string, string>>): ServerFolder => {
  const paths = Object.keys(files).map((path) => posix.normalize(path));
  const inside = (folder: string) => {
    const start = folder === '.' ? '' : `${posix.normalize(folder)}/`;
    return paths.filter((path) => path.startsWith(start)).map((path) => path.slice(start.length));
  };
  return {
    read: async (path) => (path in files ? Buffer.from(files[path] ?? '') : null),
    folders: async (path) => [
      ...new Set(inside(path).flatMap((rest) => (rest.includes('/') ? [rest.split('/')[0] ?? ''] : []))),
    ],
    files: async (path) => inside(path).filter((rest) => !rest.includes('/')),
    links: async () => [],
  };
};

const vanilla = { 'server.properties': '', 'eula.txt': 'eula=true' };

// Guarantee: the loader and its versions are those that the server really starts, however it was installed and started.
test.each<[string, Record<string, string>, string[], [string | null, string | null, string | null]]>([
  ['vanilla', { 'server.jar': '' }, ['-jar', 'server.jar', 'nogui'], [null, null, null]],
  [
    'Fabric by its installer',
    {
      'fabric-server-launch.jar': '',
      'libraries/net/fabricmc/fabric-loader/0.16.14/fabric-loader-0.16.14.jar': '',
      'versions/1.21.1/server-1.21.1.jar': '',
    },
    ['-Xmx4G', '-jar', 'fabric-server-launch.jar', 'nogui'],
    ['fabric', '0.16.14', '1.21.1'],
  ],
  [
    'Fabric as one jar',
    { '.fabric/server/1.20.1-server.jar': '' },
    ['-jar', 'fabric-server-mc.1.20.1-loader.0.15.11-launcher.1.0.1.jar', 'nogui'],
    ['fabric', '0.15.11', '1.20.1'],
  ],
  [
    'Fabric with loaders of the past, whose log tells',
    {
      'fabric-server-launcher.properties': 'serverJar=server.jar',
      'libraries/net/fabricmc/fabric-loader/0.14.21/a.jar': '',
      'libraries/net/fabricmc/fabric-loader/0.16.14/a.jar': '',
      'logs/latest.log': '[12:00:00] [main/INFO]: Loading Minecraft 1.21.1 with Fabric Loader 0.16.14\r\n',
    },
    [],
    ['fabric', '0.16.14', '1.21.1'],
  ],
  [
    'Quilt',
    {
      'quilt-server-launch.jar': '',
      'libraries/org/quiltmc/quilt-loader/0.26.4/quilt-loader-0.26.4.jar': '',
      'logs/latest.log':
        '[12:00:00] [INFO]: x\n[12:00:01] [main/INFO]: Loading Minecraft 1.20.4 with Quilt Loader 0.26.4\n',
    },
    ['-jar', 'quilt-server-launch.jar'],
    ['quilt', '0.26.4', '1.20.4'],
  ],
  [
    'Forge by its arguments',
    {},
    ['@user_jvm_args.txt', '@libraries/net/minecraftforge/forge/1.20.1-47.2.0/unix_args.txt', 'nogui'],
    ['forge', '47.2.0', '1.20.1'],
  ],
  [
    'Forge by its script, with an older one beside it',
    {
      'run.sh':
        '#!/usr/bin/env sh\n# libraries/net/minecraftforge/forge/1.19.2-43.1.1/unix_args.txt\njava @user_jvm_args.txt @libraries/net/minecraftforge/forge/1.20.1-47.2.0/unix_args.txt "$@"\n',
      'libraries/net/minecraftforge/forge/1.19.2-43.1.1/a.jar': '',
      'libraries/net/minecraftforge/forge/1.20.1-47.2.0/a.jar': '',
    },
    ['./run.sh', 'nogui'],
    ['forge', '47.2.0', '1.20.1'],
  ],
  [
    'Forge by the script of Windows',
    {
      'run.bat':
        'REM x\r\njava @user_jvm_args.txt @libraries/net/minecraftforge/forge/1.18.2-40.1.84/win_args.txt %*\r\npause\r\n',
    },
    ['run.bat'],
    ['forge', '40.1.84', '1.18.2'],
  ],
  ['Forge of old', {}, ['-jar', 'forge-1.12.2-14.23.5.2859.jar'], ['forge', '14.23.5.2859', '1.12.2']],
  [
    'NeoForge, with the libraries of Forge that it brings',
    {
      'libraries/net/minecraftforge/srgutils/0.5.1/a.jar': '',
      'libraries/net/neoforged/neoforge/21.1.77/a.jar': '',
    },
    [],
    ['neoforge', '21.1.77', '1.21.1'],
  ],
  [
    'NeoForge for 1.20.1 under the name of Forge',
    {},
    ['@libraries/net/neoforged/forge/1.20.1-47.1.106/unix_args.txt'],
    ['neoforge', '47.1.106', '1.20.1'],
  ],
  [
    'NeoForge for 1.20.1 without the version of the game',
    {},
    ['@libraries\\net\\neoforged\\forge\\47.1.82\\win_args.txt'],
    ['neoforge', '47.1.82', '1.20.1'],
  ],
  [
    'NeoForge for 1.20.1 by its files',
    {
      'libraries/net/minecraftforge/srgutils/0.5.1/a.jar': '',
      'libraries/net/neoforged/forge/1.20.1-47.1.84/a.jar': '',
    },
    [],
    ['neoforge', '47.1.84', '1.20.1'],
  ],
  [
    'NeoForge for 1.20.1 by its log',
    {
      'logs/latest.log':
        '[12:00:00] [main/INFO] [cp.mo.mo.Launcher/MODLAUNCHER]: ModLauncher running: args [--launchTarget, forgeserver, --fml.forgeVersion, 47.1.79, --fml.mcVersion, 1.20.1, --fml.forgeGroup, net.neoforged]\n',
    },
    ['-jar', 'server.jar'],
    ['neoforge', '47.1.79', '1.20.1'],
  ],
  [
    'NeoForge by a script with a variable',
    {
      'run.sh':
        'NEOFORGE_VERSION=21.1.77\njava @user_jvm_args.txt @libraries/net/neoforged/neoforge/$NEOFORGE_VERSION/unix_args.txt nogui\n',
      'libraries/net/neoforged/neoforge/21.1.77/a.jar': '',
    },
    ['./run.sh'],
    ['neoforge', '21.1.77', '1.21.1'],
  ],
  [
    'Forge that starts as a jar again',
    {},
    ['@user_jvm_args.txt', '-jar', 'forge-1.20.4-49.1.0-shim.jar'],
    ['forge', '49.1.0', '1.20.4'],
  ],
  [
    'Forge that repeats the version of the game',
    {},
    ['-jar', 'forge-1.7.10-10.13.4.1614-1.7.10-universal.jar'],
    ['forge', '10.13.4.1614', '1.7.10'],
  ],
  [
    'Forge of the beginning',
    {},
    ['-jar', 'minecraftforge-universal-1.6.4-9.11.1.1345.jar'],
    ['forge', '9.11.1.1345', '1.6.4'],
  ],
  [
    'Fabric for a snapshot',
    {},
    ['-jar', 'fabric-server-mc.24w14a-loader.0.15.7-launcher.1.0.0.jar'],
    ['fabric', '0.15.7', '24w14a'],
  ],
  [
    'Paper by its name',
    { 'bukkit.yml': '', 'version_history.json': '{"currentVersion":"1.21.4-222-main@27ffb84 (MC: 1.21.4)"}' },
    ['-jar', '/srv/fabric/paper-1.21.4-222.jar'],
    ['paper', '222', '1.21.4'],
  ],
  [
    'Paper under any name',
    {
      'bukkit.yml': '',
      'version_history.json':
        '{"oldVersion":"git-Paper-80 (MC: 1.20)","currentVersion":"git-Paper-196 (MC: 1.20.1)"}',
    },
    ['-jar', 'server.jar'],
    ['paper', '196', '1.20.1'],
  ],
  [
    'Spigot, whose log tells the version',
    {
      'spigot.yml': '',
      'logs/latest.log':
        '[10:11:12] [Server thread/INFO]: Starting minecraft server version 1.19.4\n[10:11:13] [Server thread/INFO]: This server is running CraftBukkit version 3763-Spigot-4d6c (MC: 1.19.4) (Implementing API version 1.19.4-R0.1-SNAPSHOT)\n',
    },
    ['-jar', 'server.jar'],
    ['paper', null, '1.19.4'],
  ],
  [
    'Mohist loads mods first',
    { 'bukkit.yml': '' },
    ['-jar', 'mohist-1.20.1-838-server.jar'],
    ['forge', null, '1.20.1'],
  ],
  // CyberdyneCC/Thermos#449
  ['Thermos', {}, ['-jar', 'Thermos-1.7.10-1448-server.jar'], ['forge', null, '1.7.10']],
  ['Magma for NeoForge', {}, ['-jar', 'magma-neo-1.21.1-21.1.100.jar'], ['neoforge', null, '1.21.1']],
  ['Taiyitist', { 'bukkit.yml': '' }, ['-jar', 'taiyitist-1.20.1-120.jar'], ['fabric', null, '1.20.1']],
  [
    // itzg/docker-minecraft-server#1052
    'Crucible under another name',
    {
      'bukkit.yml': '',
      'logs/latest.log':
        '[20:51:17 INFO]: Forge Mod Loader version 7.99.4.1614 for Minecraft 1.7.10 loading\n[20:51:19 INFO]: MinecraftForge v10.13.4.1614 Initialized\n',
      'libraries/net/minecraftforge/forge/1.7.10-10.13.4.1614-1.7.10/a.jar': '',
    },
    ['-jar', 'server.jar'],
    ['forge', '10.13.4.1614', '1.7.10'],
  ],
  [
    // BloodyMods/ServerStarter#24
    'a server pack with a starter of its own',
    {
      'startserver.sh': 'java -jar forge.jar @libraries/net/neoforged/neoforge/21.1.77/unix_args.txt nogui\n',
    },
    [],
    ['neoforge', '21.1.77', '1.21.1'],
  ],
  [
    'a fork of Paper that is new',
    {
      'logs/latest.log': '[12:00:00 INFO]: This server is running Luminol version 1.21.4-DEV (MC: 1.21.4)\n',
    },
    ['-jar', 'server.jar'],
    ['paper', null, '1.21.4'],
  ],
  [
    'Arclight for NeoForge',
    { 'bukkit.yml': '', 'libraries/net/neoforged/neoforge/21.1.117/a.jar': '' },
    ['-jar', 'arclight-neoforge-1.21.1-1.0.1-c32028d.jar'],
    ['neoforge', '21.1.117', '1.21.1'],
  ],
  [
    'Forge left for Paper: files of both, and the log says which ran last',
    {
      'bukkit.yml': '',
      'libraries/net/minecraftforge/forge/1.20.1-47.2.0/a.jar': '',
      'logs/latest.log': '[12:00:00 INFO]: This server is running Paper version git-Paper-196 (MC: 1.20.1)\n',
    },
    ['-jar', 'server.jar'],
    ['paper', null, '1.20.1'],
  ],
  [
    'files of both and no log',
    { 'bukkit.yml': '', 'libraries/net/minecraftforge/forge/1.20.1-47.2.0/a.jar': '' },
    ['-jar', 'server.jar'],
    [null, null, null],
  ],
  [
    'what a player says is no proof',
    {
      'logs/latest.log':
        '[12:00:00] [Server thread/INFO]: <x> Loading Minecraft 1.21.1 with Fabric Loader 0.16.14\n',
    },
    ['-jar', 'server.jar'],
    [null, null, null],
  ],
  [
    'a log of another loader says nothing of this one',
    {
      'logs/latest.log':
        '[12:00:00] [main/INFO] [cp.mo.mo.Launcher/MODLAUNCHER]: ModLauncher running: args [--launchTarget, forgeserver, --fml.forgeVersion, 47.2.0, --fml.mcVersion, 1.20.1]\n',
    },
    ['-jar', 'quilt-server-launch.jar'],
    ['quilt', null, null],
  ],
])('%s', async (_, files, args, [loader, loaderVersion, gameVersion]) => {
  expect(await findLoader(folderWith({ ...vanilla, ...files }), args)).toEqual({
    loader,
    loaderVersion,
    gameVersion,
  });
});

test.each([
  ['20.2.88', '1.20.2'],
  ['20.4.80-beta', '1.20.4'],
  ['21.0.143', '1.21'],
  ['21.1.77', '1.21.1'],
  ['21.11.3-beta', '1.21.11'],
  ['26.1.0.1-beta', '26.1'],
  ['26.1.2.7', '26.1.2'],
  ['47.1.106', '1.20.1'],
  ['20.5.0-alpha.24w14a.20240403.194322', '24w14a'],
  ['21.0.0-alpha.1.21-rc1.20240610.223412', '1.21-rc1'],
  ['0.25w14craftmine.3-beta', '25w14craftmine'],
  ['26.1.0.0-alpha.2+snapshot-6', '26.1-snapshot-6'],
  ['x', null],
])('NeoForge %s is for %s', (own, game) => {
  expect(neoForgeGame(own)).toBe(game);
});
