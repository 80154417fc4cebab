import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openChange } from './change-journal.ts';
import { readManifest } from './manifest.ts';
import { moddedServer } from './testing/modded-server.ts';

const names = (server: { readonly root: string }) =>
  readdir(join(server.root, 'mods')).then(
    (found) => found.sort(),
    () => [],
  );

// Guarantee: an install, an update and a removal each leave exactly the files of the new set, and a revision.
test('install, update, removal', async () => {
  const server = await moddedServer();
  const [one, two] = [await server.library.jar('One', '1'), await server.library.jar('Two', '1')];
  const before = await server.files();
  expect(await server.change({ put: [one, two] })).toMatchObject({
    outcome: 'done',
    set: 'new',
    revision: 1,
    isRolledBack: false,
    health: 'unmanaged',
    failedAt: null,
    notes: [],
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

// Guarantee: one of our files that someone else has changed is kept beside its place when it is replaced or removed; files of others stay.
test('files changed by hand', async () => {
  const server = await moddedServer();
  const pack = await server.library.archive('Pack', '1', 'pack', {
    'mods/core.jar': 'core 1',
    'config/core.toml': 'ours',
    'config/mine.toml': 'ours',
  });
  await mkdir(join(server.root, 'config'));
  await writeFile(join(server.root, 'config/mine.toml'), 'theirs');
  expect(await server.change({ put: [pack] })).toMatchObject({
    outcome: 'done',
    notes: ['config/mine.toml was there already and stays.'],
  });
  expect(await readFile(join(server.root, 'config/mine.toml'), 'utf8')).toBe('theirs');
  await writeFile(join(server.root, 'config/core.toml'), 'by hand');
  await writeFile(join(server.root, 'mods/core.jar.data'), 'of a plugin');
  const newer = await server.library.archive('Pack', '2', 'pack', {
    'mods/core.jar': 'core 2',
    'config/core.toml': 'ours 2',
  });
  expect(await server.change({ base: 1, put: [newer] })).toMatchObject({
    outcome: 'done',
    notes: [expect.stringContaining('config/core.toml was changed by hand')],
  });
  expect(await readFile(join(server.root, 'config/core.toml'), 'utf8')).toBe('ours 2');
  const kept = (await readdir(join(server.root, 'config'))).filter((name) => name.includes('castellan-kept'));
  expect(kept).toHaveLength(1);
  expect(await readFile(join(server.root, 'config', kept[0] ?? ''), 'utf8')).toBe('by hand');
  expect(await server.change({ base: 2, remove: ['modrinth:Pack'] })).toMatchObject({ outcome: 'done' });
  expect((await readdir(join(server.root, 'config'))).sort()).toEqual([...kept, 'mine.toml'].sort());
  expect(await names(server)).toEqual(['core.jar.data']);
});

// Guarantee: files whose names are as long as a disk allows are also kept beside their places, each under a unique name.
test('long names changed by hand', async () => {
  const server = await moddedServer();
  const long = (end: string) => `config/${'n'.repeat(200)}${end}`;
  const paths = [long('a'.repeat(30)), long('b'.repeat(30))];
  const pack = (version: string) =>
    server.library.archive('Pack', version, 'pack', {
      'mods/core.jar': `core ${version}`,
      ...Object.fromEntries(paths.map((path) => [path, version])),
    });
  await server.change({ put: [await pack('1')] });
  for (const path of paths) await writeFile(join(server.root, path), `by hand ${path}`);
  expect(await server.change({ base: 1, put: [await pack('2')] })).toMatchObject({ outcome: 'done' });
  expect(await openChange(server.stateFolder)).toBeNull();
  const kept = (await readdir(join(server.root, 'config'))).filter((name) => name.includes('castellan-kept'));
  const texts = await Promise.all(kept.map((name) => readFile(join(server.root, 'config', name), 'utf8')));
  expect(texts.sort()).toEqual(paths.map((path) => `by hand ${path}`));
});

// Guarantee: an update that brings a file with different capitalization leaves no second one.
test('an update with other capital letters', async () => {
  const server = await moddedServer();
  const packs = ['mods/Core.jar', 'mods/core.jar'].map((path, at) =>
    server.library.archive('Pack', String(at), 'pack', { [path]: `core ${at}` }),
  );
  const [old, next] = await Promise.all(packs);
  await server.change({ put: old ? [old] : [] });
  expect(await server.change({ base: 1, put: next ? [next] : [] })).toMatchObject({
    outcome: 'done',
    notes: [],
  });
  expect(await names(server)).toEqual(['core.jar']);
});

// Guarantee: files that someone else has put there become ours without being moved, and only as they were listed.
test('adopted', async () => {
  const server = await moddedServer();
  const item = await server.library.jar('One', '1');
  const sha512 = item.file?.hashes.sha512 ?? '';
  await mkdir(join(server.root, 'mods'));
  await copyFile(join(server.library.folder, sha512), join(server.root, 'mods/one.jar'));
  const before = await server.files();
  const path = 'mods/one.jar';
  expect(await server.change({ adopt: [{ path, sha512: '0'.repeat(128), item }] })).toMatchObject({
    outcome: 'refused',
    detail: expect.stringContaining('since it was listed'),
  });
  for (const outside of ['fabric-server-launch.jar', '../state/x.jar', 'mods/../x.jar'])
    expect(await server.change({ adopt: [{ path: outside, sha512, item }] })).toMatchObject({
      outcome: 'refused',
    });
  expect(await server.change({ adopt: [{ path, sha512, item }] })).toMatchObject({
    outcome: 'done',
    revision: 1,
    health: null,
  });
  expect(await server.files()).toEqual(before);
  expect(await server.change({ base: 1, put: [await server.library.jar('One', '2')] })).toMatchObject({
    outcome: 'done',
  });
  expect(await names(server)).toEqual(['One-2.jar']);
});

// Guarantee: if a game that nothing here starts was started during the swap, the result says that it needs a restart.
test('started by hand while files change places', async () => {
  let looks = 0;
  const server = await moddedServer({
    whyNotStopped: async () => {
      looks += 1;
      return looks <= 2 ? null : 'Something listens.';
    },
  });
  expect(await server.change({ put: [await server.library.jar('One', '1')] })).toMatchObject({
    outcome: 'done',
    set: 'new',
    notes: [expect.stringContaining('restart it. Something listens.')],
  });
});
