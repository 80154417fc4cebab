import { expect, test } from 'vitest';
import { gameOf } from './games.ts';
import type { LoaderFacts } from './mods-layout.ts';

const facts = (loader: LoaderFacts['loader']): LoaderFacts => ({
  loader,
  loaderVersion: null,
  gameVersion: null,
});

test.each([
  ['fabric', 'mods', ['file', 'pack']],
  ['quilt', 'mods', ['file', 'pack']],
  ['forge', 'mods', ['file', 'pack']],
  ['neoforge', 'mods', ['file', 'pack']],
  ['paper', 'plugins', ['file']],
  ['velocity', 'plugins', ['file']],
] as const)('Minecraft with %s keeps its jars in %s', (loader, path, forms) => {
  expect(gameOf('minecraft').mods.folders(facts(loader))).toEqual([{ path, holds: { files: '.jar' } }]);
  expect(gameOf('minecraft').mods.forms(facts(loader))).toEqual(forms);
});

test('without a loader there are no mods', () => {
  expect(gameOf('minecraft').mods.folders(facts(null))).toEqual([]);
  expect(gameOf('minecraft').mods.forms(facts(null))).toEqual([]);
});

// Guarantee: a line after which the game will not come up is recognized, whatever loader and version wrote it.
test.each([
  ['minecraft', '[12:00:01] [main/ERROR]: Incompatible mods found!'],
  ['minecraft', '[20:15:42] [main/ERROR] (FabricLoader) Incompatible mods found!\r'],
  ['minecraft', '[12:00:01] [main/ERROR]: 有不兼容的模组！ (Incompatible mods found!)'],
  ['minecraft', '[12:00:01] [main/ERROR]: Incompatible mod set!'],
  [
    'minecraft',
    "[12:00:01] [main/ERROR]: Could not execute entrypoint stage 'main' due to errors, provided by 'sodium'!",
  ],
  [
    'minecraft',
    'net.fabricmc.loader.impl.FormattedException: Some of your mods are incompatible with the game or each other!',
  ],
  ['minecraft', 'Error: Unable to access jarfile server.jar'],
  [
    'minecraft',
    '[20:16:21] [main/ERROR] [ne.mi.fm.lo.ModSorter/LOADING]: Missing or unsupported mandatory dependencies:',
  ],
  ['minecraft', '[07:22:42] [main/ERROR] (ModSorter) Missing or unsupported mandatory dependencies:'],
  [
    'minecraft',
    '[20:16:21] [main/ERROR] [ne.mi.fm.lo.ModSorter/LOADING]: Missing mandatory dependencies: forge, dummy',
  ],
  [
    'minecraft',
    '[26Nov.2021 20:51:39.807] [main/FATAL] [net.minecraft.server.Main/]: Failed to start the minecraft server',
  ],
  ['minecraft', 'net.neoforged.fml.ModLoadingException: Loading errors encountered:'],
  ['minecraft', '[12:00:01] [Server thread/ERROR]: Encountered an unexpected exception'],
  ['minecraft', '[12:00:01 ERROR]: Encountered an unexpected exception'],
  [
    'minecraft',
    '[12:00:01] [Server thread/ERROR]: This crash report has been saved to: /srv/mc/crash-reports/crash-2026-01-01_12.00.01-server.txt',
  ],
  ['minecraft', '[12:00:01] [Server thread/WARN]: **** FAILED TO BIND TO PORT!'],
  ['seven-days-to-die', 'Crash!!!'],
  ['ark-se', '[2020.08.29-20.24.27:740][  0]Fatal error!'],
  ['ark-se', '[2020.08.29-20.24.27:740][  0]LogWindows: Error: === Critical error: ==='],
  [
    'ark-asa',
    '[2026.08.13-22.52.16:490][ 11]ASAMods: Error: Not all mods were installed. Check the log for CFCore errors.',
  ],
] as const)('%s: %s is fatal', (game, line) => {
  expect(gameOf(game).mods.isFatal(line)).toBe(true);
});

// Guarantee: nothing that players say, and nothing that servers survive, ends a change.
test.each([
  ['minecraft', '[12:00:01] [Server thread/INFO]: <Steve> Incompatible mods found!'],
  ['minecraft', '[12:00:01] [Server thread/INFO]: [Steve] Failed to start the minecraft server'],
  ['minecraft', '[12:00:01] [Server thread/INFO]: <x> **** FAILED TO BIND TO PORT!'],
  [
    'minecraft',
    "[12:00:01 ERROR]: [DirectoryProviderSource] Could not load 'plugins/x.jar' in folder 'plugins'",
  ],
  ['minecraft', '[12:00:01] [main/WARN]: Mod foo uses outdated schema version: 0 < 1'],
  ['minecraft', '[12:00:01] [Server thread/ERROR]: Could not parse loot table x'],
  [
    'seven-days-to-die',
    "2026-06-30T21:29:50 1.283 INF Chat (from 'Steam_1', entity id '1', to 'Global'): 'x': Crash!!!",
  ],
  ['seven-days-to-die', "2026-06-30T21:29:50 1.283 ERR [MODS]     Failed loading mod from folder: 'X'"],
  ['ark-se', '2020.05.06_11.04.56: Bob (Bob): Fatal error!'],
  [
    'ark-asa',
    '[2026.08.13-22.52.16:490][ 11]LogCFCore: No need to update existing mod: Tek Creations (933588)',
  ],
] as const)('%s: %s is not', (game, line) => {
  expect(gameOf(game).mods.isFatal(line)).toBe(false);
});

// Guarantee: what a game says about a mod is assigned to that mod, and nothing else is.
test.each([
  ['minecraft', "[12:00:01 ERROR]: Could not load 'plugins/x.jar' in folder 'plugins'", 'failed', 'x.jar'],
  [
    'minecraft',
    "[12:00:01 ERROR]: [DirectoryProviderSource] Could not load plugin 'x.jar' in folder 'plugins'",
    'failed',
    'x.jar',
  ],
  [
    'minecraft',
    '[12:00:01] [Server thread/ERROR]: Error occurred while enabling Shop v1.0 (Is it up to date?)',
    'failed',
    'Shop',
  ],
  [
    'seven-days-to-die',
    "2026-06-30T21:29:50 1,283 ERR [MODS]     Failed loading mod from folder: 'Big Mod'\r",
    'failed',
    'Big Mod',
  ],
  [
    'seven-days-to-die',
    "2026-06-30T21:29:50 1.283 ERR [MODS]     Failed initializing ModAPI instance on mod 'CraftFromContainers'",
    'failed',
    'CraftFromContainers',
  ],
  [
    'seven-days-to-die',
    '2026-06-30T21:29:50 1.283 ERR [MODS]     Failed loading DLL D:\\7dtd\\Mods\\Foo\\Foo.dll',
    'failed',
    'Foo',
  ],
  ['ark-se', 'Downloading item 731604991 ...', 'downloading', '731604991'],
  [
    'ark-se',
    'Success. Downloaded item 533828549 to "/x/346110/533828549" (9014197 bytes) Steam Console Client (c) Valve',
    'ready',
    '533828549',
  ],
  [
    'ark-se',
    'ERROR! Download item 111111111 failed (File Not Found).Steam Console Client',
    'failed',
    '111111111',
  ],
  ['ark-se', 'ERROR! Download item 111111111 failed (I/O Operation Failed).', 'failed', '111111111'],
  ['ark-se', 'ERROR! Timeout downloading item 111111111', 'failed', '111111111'],
  [
    'ark-asa',
    '[2026.08.13-22.52.16:490][ 11]LogCFCore: No need to update existing mod: Tek Creations (933588)',
    'ready',
    '933588',
  ],
  [
    'ark-asa',
    '[2026.09.17-19.23.36:034][ 18]LogCFCore: Mod: Cybers Structures QoL+ (Crossplay) (940975) requires upgrade/downgrade (8673705 -> 8837561)',
    'downloading',
    '940975',
  ],
  ['ark-asa', '[2026.08.13-22.52.16:490][ 11]LogCFCore: serverUnreachable', 'failed', null],
  ['ark-asa', 'Mods not installed: 1039450', 'failed', '1039450'],
  ['ark-asa', 'Mods not installed: 1039450, 933588', 'failed', null],
] as const)('%s: %s', (game, line, is, id) => {
  expect(gameOf(game).mods.readModLine(line)).toMatchObject({ is, id });
});

test.each([
  ['minecraft', "[12:00:01] [Server thread/INFO]: <x> Could not load 'plugins/x.jar' in folder 'plugins'"],
  ['seven-days-to-die', '2026-06-30T21:29:50 1.283 INF [MODS]     Loaded Mod: TFP_MarkersExample (1.3.0.0)'],
  ['ark-se', '2020.05.06_11.04.56: Bob (Bob): Downloading item 1'],
  ['ark-asa', '[2026.08.13-22.52.16:111][  0]LogCFCore: Detected OS Windows: 10.0.26200.1.256.64bit'],
] as const)('%s: %s says nothing of a mod', (game, line) => {
  expect(gameOf(game).mods.readModLine(line)).toBeNull();
});
