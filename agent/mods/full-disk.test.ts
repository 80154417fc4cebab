import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type SmallDisk, smallDisk } from '#harness/small-disk.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { openChange, readChange } from './change-journal.ts';
import { readManifest } from './manifest.ts';
import { modFilesFrom, openModLibrary } from './testing/mod-library.ts';

import { filesBelow, openModdedServer } from './testing/modded-server.ts';

const disk = (): SmallDisk => {
  const made = smallDisk(16);
  if (!made) throw new Error('this account may not mount');
  onTestFinished(() => made[Symbol.dispose]());
  return made;
};

const moments = [
  'before all',
  'before the download',
  'after the download',
  'at the backup',
  'once it is proven stopped',
] as const;

// Guarantee: on a disk that is full from any step on, the server has the old set or the new one, whole, and the result says which;
// once there is room again, the next change works.
test.each(moments)('a disk that fills up: %s', { tags: 'mount', timeout: 60_000 }, async (moment) => {
  const small = disk();
  await using folder = await temporaryFolder('library');
  const library = await openModLibrary(join(folder.path, 'library'));
  const source = modFilesFrom(library.folder);
  let isFilling = false;
  const fillAt = async (now: (typeof moments)[number]) => {
    if (isFilling && now === moment) await small.fill();
  };
  const server = await openModdedServer(small.path, {
    files: {
      async fetch(file, options) {
        await fillAt('before the download');
        const held = await source.fetch(file, options);
        await fillAt('after the download');
        return held;
      },
    },
    backUp: () => fillAt('at the backup'),
    async whyNotStopped() {
      if ((await readChange(join(small.path, 'state')))?.stage === 'swapping')
        await fillAt('once it is proven stopped');
      return null;
    },
  });
  const jars = (version: string) =>
    Promise.all(['One', 'Two', 'Three'].map((id) => library.jar(id, version, 300_000)));
  expect(await server.change({ put: await jars('1') })).toMatchObject({ set: 'new', revision: 1 });
  const before = await server.files();
  isFilling = true;
  await fillAt('before all');
  const result = await server.change({ base: 1, put: await jars('2'), backup: true });
  isFilling = false;
  await small.clear();
  const now = await filesBelow(server.root);
  if (result.set === 'old') expect(now).toEqual(before);
  else
    expect((await readdir(join(server.root, 'mods'))).sort()).toEqual([
      'One-2.jar',
      'Three-2.jar',
      'Two-2.jar',
    ]);
  const wasOpen = await openChange(server.stateFolder);
  expect((await readManifest(server.stateFolder)).revision).toBe(result.revision);
  const { set, revision = 0, outcome, detail } = result;
  expect({ set, outcome, detail, wasOpen }).toMatchObject(
    set === 'new' ? { outcome: 'done' } : { outcome: 'failed', detail: expect.stringContaining('disk') },
  );
  expect(await server.change({ base: revision, put: await jars('3') })).toMatchObject({
    set: 'new',
    revision: revision + 1,
  });
});
