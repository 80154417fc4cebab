// @module-tag slow

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { serverFolder } from '../../saves/save-places.ts';
import { readChange } from '../change-journal.ts';
import type { HeldFile } from '../mod-files.ts';
import type { WorkInput } from './folder-works.ts';
import { isRoot, type OwnedServer, ownedServer, secretText } from './testing/owned-server.ts';

const sha512 = (text: string) => createHash('sha512').update(text).digest('hex');
const hiddenHash = sha512(`${secretText}: mods/hidden.jar\n`);

const scanOf = async ({ server, worker }: OwnedServer) => {
  const { root } = server;
  const facts = await gameOf('minecraft').mods.facts(serverFolder(root), []);
  const folders = gameOf('minecraft').mods.folders(facts);
  return worker.run('scan', { game: 'minecraft', root, loader: null, folders, items: [], known: {} });
};

const copyOf = (root: string): WorkInput<'copyServer'> => ({
  game: 'minecraft',
  folder: root,
  copy: join(root, '.castellan-rehearsal'),
  places: [join(root, 'world')],
  moves: [],
});

// Guarantee: if the folder's account puts a link there before the work begins, root neither reads nor changes its target.
test.skipIf(!isRoot)('links that were there before', async () => {
  const it = await ownedServer();
  const { server, worker, secret, open } = it;
  const { root, library } = server;
  const before = await it.outside();
  const mod = await library.jar('One', '1');

  await symlink(join(secret, 'mods'), join(root, 'mods'));
  await expect(scanOf(it)).rejects.toThrow(/may not do that/);
  expect(await server.change({ put: [mod] })).toMatchObject({ outcome: 'refused', set: 'old' });
  await rm(join(root, 'mods'));
  await symlink(join(open, 'mods'), join(root, 'mods'));
  expect(await server.change({ put: [mod] })).toMatchObject({ outcome: 'refused', set: 'old' });
  await rm(join(root, 'mods'));

  await mkdir(join(root, 'mods'));
  await symlink(join(secret, 'mods/hidden.jar'), join(root, 'mods/hidden.jar'));
  expect(JSON.stringify(await scanOf(it))).not.toContain(hiddenHash);

  await rename(join(root, 'world'), join(root, 'world~'));
  await symlink(join(secret, 'world'), join(root, 'world'));
  await expect(worker.run('copyServer', copyOf(root))).resolves.toBeUndefined();
  await worker.run('copyWorlds', copyOf(root));
  expect(await readdir(join(root, '.castellan-rehearsal'))).not.toContain('world');
  await worker.run('removeCopy', { copy: join(root, '.castellan-rehearsal') });

  for (const target of [secret, open]) {
    for (const name of ['.castellan-mods', '.castellan-rehearsal']) {
      await rm(join(root, name), { recursive: true, force: true });
      await symlink(join(target, name), join(root, name));
    }
    await expect(worker.run('copyServer', copyOf(root))).rejects.toThrow();
    await worker.run('removeStage', { folder: join(root, '.castellan-mods/x') });
    await worker.run('removeCopy', { copy: join(root, '.castellan-rehearsal') });
  }
  expect(await it.outside()).toEqual(before);
});

// Guarantee: the whole server's folder may turn into a link to something of root's at any moment of a change: nothing there is touched.
test.skipIf(!isRoot)('the folder itself becomes a link', async () => {
  const it = await ownedServer();
  const { root, library } = it.server;
  const before = await it.outside();
  await rename(root, `${root}~`);
  for (const target of [it.secret, it.open]) {
    symlinkSync(target, root);
    expect(await it.server.change({ put: [await library.jar('One', '1')] })).toMatchObject({ set: 'old' });
    await rm(root);
  }
  expect(await it.outside()).toEqual(before);
});

// Guarantee: a link that appears while a file is fetched, after every check of the path, leads root nowhere.
test.skipIf(!isRoot)('a link while files are staged', async () => {
  let spring = (): void => undefined;
  const it: OwnedServer = await ownedServer({
    files: {
      async fetch(): Promise<HeldFile> {
        spring();
        const path = join(it.server.stateFolder, 'cached');
        await writeFile(path, 'new', { mode: 0o600 });
        const held = { path, bytes: 3, sha512: sha512('new'), sha1: '' };
        return { ...held, [Symbol.asyncDispose]: () => Promise.resolve() };
      },
    },
  });
  const { library } = it.server;
  const before = await it.outside();
  const mod = await library.jar('One', '1');
  for (const target of [it.secret, it.open]) {
    spring = () => {
      const { folder } = JSON.parse(
        readFileSync(join(it.server.stateFolder, 'mods/change.json'), 'utf8'),
      ) as { readonly folder: string };
      renameSync(join(folder, 'new'), join(folder, 'new~'));
      symlinkSync(join(target, 'world'), join(folder, 'new'));
    };
    expect(await it.server.change({ put: [mod] })).toMatchObject({ set: 'old', revision: 0 });
  }
  expect(await it.outside()).toEqual(before);
});

// Guarantee: a link that appears in a path between the plan and the renames, where no check of the last folder sees it, leads root
// nowhere, and the old set is whole.
test.skipIf(!isRoot)('a link before the swap', async () => {
  let spring: (() => void) | null = null;
  const it: OwnedServer = await ownedServer({
    async whyNotStopped() {
      spring?.();
      return null;
    },
  });
  const { root, library } = it.server;
  const pack = await library.archive('Pack', '1', 'pack', {
    'mods/pack.jar': 'pack',
    'config/pack/settings.toml': 'x = 1',
  });
  expect(await it.server.change({ put: [pack] })).toMatchObject({ set: 'new', revision: 1 });
  const before = await it.outside();
  for (const target of [it.secret, it.open]) {
    let looks = 0;
    let putBack = Promise.resolve();
    spring = () => {
      looks += 1;
      // The second check of the game is the last step before the first rename.
      if (looks !== 2) return;
      renameSync(join(root, 'config'), join(root, 'config~'));
      symlinkSync(join(target, 'config'), join(root, 'config'));
      // Such an account can also put it back; otherwise the change would wait for that.
      putBack = eventually(async () => {
        expect((await readChange(it.server.stateFolder))?.stage).toBe('rolling-back');
        renameSync(join(root, 'config'), join(root, 'link~'));
        renameSync(join(root, 'config~'), join(root, 'config'));
      });
    };
    expect(await it.server.change({ base: 1, remove: ['modrinth:Pack'] })).toMatchObject({
      outcome: expect.stringMatching(/failed|refused/),
      set: 'old',
      revision: 1,
    });
    await putBack;
    await rm(join(root, 'link~'));
    expect(await readFile(join(root, 'config/pack/settings.toml'), 'utf8')).toBe('x = 1');
    expect(await readdir(join(root, 'mods'))).toEqual(['pack.jar']);
    expect((await readChange(it.server.stateFolder))?.stage).toBe('ended');
  }
  expect(await it.outside()).toEqual(before);
});
