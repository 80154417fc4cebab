import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { readManifest } from './manifest.ts';
import { openModdedServer } from './testing/modded-server.ts';

const opened = async (options: Parameters<typeof openModdedServer>[1] = {}) => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  return openModdedServer(folder.path, options);
};
const names = (server: { readonly root: string }) =>
  readdir(join(server.root, 'mods')).then(
    (found) => found.sort(),
    () => [],
  );

// Guarantee: an install, an update and a removal leave exactly the files of the new set, and a revision each.
test('install, update, removal', async () => {
  const server = await opened();
  const [one, two] = [await server.library.jar('One', '1'), await server.library.jar('Two', '1')];
  const before = await server.files();
  expect(await server.change({ put: [one, two] })).toMatchObject({
    outcome: 'done',
    ...{ set: 'new', revision: 1, isRolledBack: false, health: 'unmanaged', failedAt: null, notes: [] },
  });
  expect(await server.files()).toEqual({
    ...before,
    'mods/One-1.jar': one.file?.hashes.sha512,
    'mods/Two-1.jar': two.file?.hashes.sha512,
  });
  const newer = await server.library.jar('One', '2');
  expect(await server.change({ base: 1, put: [newer] })).toMatchObject({ set: 'new', revision: 2 });
  expect(await names(server)).toEqual(['One-2.jar', 'Two-1.jar']);
  expect(await server.change({ base: 2, remove: ['modrinth:One', 'modrinth:Two'] })).toMatchObject({
    set: 'new',
    revision: 3,
  });
  expect(await server.files()).toEqual(before);
  expect((await readManifest(server.stateFolder)).items).toEqual([]);
  expect((await readdir(join(server.stateFolder, 'mods'))).sort()).toEqual(['change.json', 'manifest.json']);
  expect((await readdir(server.root)).includes('.castellan-mods')).toBe(false);
});
