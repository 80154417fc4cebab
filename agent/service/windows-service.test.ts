import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { heldFolders } from './windows-service.ts';

// Guarantee: the service gets rights to the folders of games that it starts or whose files it may change, and to no other folder.
test('folders that the service may change', async () => {
  await using folder = await temporaryFolder('service');
  const home = agentHome(join(folder.path, 'home'), {});
  const put = async (id: string, more: object, isThere = true) => {
    const game = join(folder.path, id);
    if (isThere) await mkdir(game);
    await mkdir(dirname(home.configPath(id)), { recursive: true });
    const config = { game: 'minecraft', server: { folder: game, ...more } };
    await writeFile(home.configPath(id), JSON.stringify(config));
    return game;
  };
  const start = { by: 'windows-service', service: 'game' };
  const started = await put('a-started', { start: { by: 'holder', command: ['game.exe'] } });
  const withFiles = await put('b-files', { start, allow: { files: true } });
  const withMods = await put('c-mods', { allow: { mods: true } });
  await put('d-service', { start, allow: { power: true } });
  await put('e-gone', { start: { by: 'holder', command: ['game.exe'] } }, false);
  expect(await heldFolders(home)).toEqual([started, withFiles, withMods]);
});
