// @module-tag slow

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import { serverFolder } from '../../saves/save-places.ts';
import { readChange } from '../change-journal.ts';
import type { HeldFile } from '../mod-files.ts';
import { plainChange } from '../testing/modded-server.ts';
import type { WorkInput } from './folder-works.ts';
import { isRoot, type OwnedServer, ownedServer, secretText } from './testing/owned-server.ts';
import { FolderWorkerError } from './worker-errors.ts';

const sha512 = (text: string) => createHash('sha512').update(text).digest('hex');
const hiddenHash = sha512(`${secretText}: mods/hidden.jar\n`);

const scanOf = async ({ server, worker }: OwnedServer) => {
  const { root } = server;
  const facts = await gameOf('minecraft').mods.facts(serverFolder(root), []);
  const folders = gameOf('minecraft').mods.folders(facts);
  return worker.run('scan', { game: 'minecraft', root, folders, items: [], known: {} });
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
    spring = () => {
      looks += 1;
      // The second check of the game is the last step before the first rename.
      if (looks !== 2) return;
      renameSync(join(root, 'config'), join(root, 'config~'));
      symlinkSync(join(target, 'config'), join(root, 'config'));
      // Such an account can also put it back; otherwise the change would wait for that.
      setTimeout(() => {
        renameSync(join(root, 'config'), join(root, 'link~'));
        renameSync(join(root, 'config~'), join(root, 'config'));
      }, 300);
    };
    expect(await it.server.change({ base: 1, remove: ['modrinth:Pack'] })).toMatchObject({
      outcome: expect.stringMatching(/failed|refused/),
      set: 'old',
      revision: 1,
    });
    await eventually(async () => expect(await readdir(root)).not.toContain('config~'));
    await rm(join(root, 'link~'));
    expect(await readFile(join(root, 'config/pack/settings.toml'), 'utf8')).toBe('x = 1');
    expect(await readdir(join(root, 'mods'))).toEqual(['pack.jar']);
    expect((await readChange(it.server.stateFolder))?.stage).toBe('ended');
  }
  expect(await it.outside()).toEqual(before);
});

const rounds = 200;

// Guarantee: while a process of the folder's account swaps its files and folders for links to root's files as fast as it can,
// nothing outside the folder is read into an answer or a copy, created, renamed, given away or deleted.
test.skipIf(!isRoot)('a race for every folder', { timeout: 300_000 }, async () => {
  const it = await ownedServer();
  const { worker, server, secret, open, account } = it;
  const { root, stateFolder } = server;
  const before = await it.outside();
  const { uid, gid } = account;
  const attacker = spawn(
    'setpriv',
    [
      ...[`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--', process.execPath],
      ...[join(import.meta.dirname, 'testing/attacker.ts'), root, secret, open],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void attacker.kill('SIGKILL'));
  let said = '';
  attacker.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const swaps = () => Number(said.trim().split('\n').at(-1));
  await eventually(() => expect(swaps()).toBeGreaterThan(0), 30_000);

  const cached = join(stateFolder, 'cached');
  await writeFile(cached, 'new', { mode: 0o600 });
  const held = { path: cached, bytes: 3, sha512: sha512('new'), sha1: '' } as HeldFile;
  const mod = await server.library.jar('Two', '1');
  const pack = await server.library.archive('Pack', '1', 'pack', {
    'mods/pack.jar': 'pack',
    'config/pack/settings.toml': 'x = 2',
  });
  const packed = { path: join(server.library.folder, pack.file?.hashes.sha512 ?? '') };
  const folder = join(root, '.castellan-mods/x');
  const stage = join(folder, 'new/0');
  const place = join(root, 'mods/One-1.jar');
  const move = { place, fresh: join(stage, 'file'), before: join(folder, 'old/0'), kept: `${place}.kept` };
  const deep = {
    place: join(root, 'config/pack/settings.toml'),
    fresh: join(stage, 'other'),
    before: join(folder, 'old/1'),
    kept: null,
  };
  const swap = { folder, moves: [move, deep], made: [join(root, 'config/made')] };
  const item = { ...mod, since: new Date().toISOString(), files: [] };
  const { signal } = new AbortController();
  const folders = gameOf('minecraft').mods.folders({
    loader: 'fabric',
    loaderVersion: null,
    gameVersion: null,
  });
  const copy = copyOf(root);
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    scan: () => worker.run('scan', { game: 'minecraft', root, folders, items: [item], known: {} }),
    facts: () => worker.run('facts', { game: 'minecraft', root, args: [] }),
    openStage: () => worker.run('openStage', { folder }),
    makeFolder: () => worker.run('makeFolder', { path: stage }),
    put: () => worker.put(held, join(stage, 'file'), signal),
    putOther: () => worker.put(held, join(stage, 'other'), signal),
    async unpackMod() {
      const { size } = lstatSync(packed.path);
      const whole = { ...held, path: packed.path, bytes: size, sha512: pack.file?.hashes.sha512 ?? '' };
      await using archive = await worker.reach(whole, join(stage, 'source'), signal);
      const inside = join(stage, 'archive');
      return await worker.run('unpackMod', {
        path: archive.path,
        item: pack,
        game: 'minecraft',
        folders,
        root,
        inside,
      });
    },
    planMoves: () =>
      worker.run('planMoves', {
        root,
        game: 'minecraft',
        manifest: { version: 1, revision: 0, items: [] },
        change: plainChange,
        staged: [],
        folders,
        folder,
        at: item.since,
      }),
    swapIn: () => worker.run('swapIn', swap),
    swapBack: () => worker.run('swapBack', swap),
    keepSwap: () => worker.run('keepSwap', { ...swap, root }),
    copyServer: () => worker.run('copyServer', { ...copy, moves: [move] }),
    copyWorlds: () => worker.run('copyWorlds', copy),
    changeCopy: () =>
      worker.run('changeCopy', {
        game: 'minecraft',
        folder: root,
        named: root,
        copy: copy.copy,
        settings: 'server.properties',
        port: 1,
        consolePort: 2,
        password: 'x',
      }),
    removeCopy: () => worker.run('removeCopy', { copy: copy.copy }),
    removeStage: () => worker.run('removeStage', { folder }),
  };
  const done: Record<string, number> = {};
  const failed: Record<string, number> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const [name, act] of Object.entries(acts)) {
      const answer = await act().then(
        (value) => {
          done[name] = (done[name] ?? 0) + 1;
          return JSON.stringify(value) ?? '';
        },
        (error: Error) => {
          failed[name] = (failed[name] ?? 0) + 1;
          expect(error).not.toBeInstanceOf(FolderWorkerError);
          return error.message;
        },
      );
      expect(answer).not.toContain(hiddenHash);
      expect(answer).not.toContain(secretText);
    }
  expect(said).not.toContain('LEAK');
  expect(swaps()).toBeGreaterThan(rounds);
  expect(await it.outside()).toEqual(before);
  // Each kind of work was done, and each that uses the attacked paths was disturbed.
  expect(Object.keys(done).sort()).toEqual(Object.keys(acts).sort());
  for (const name of ['openStage', 'put', 'swapIn', 'copyServer', 'removeStage'])
    expect(failed[name], name).toBeGreaterThan(0);
});
