import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gameOf } from '#games/games.ts';
import { eventually } from '#harness/eventually.ts';
import type { WorkInput } from '../../../agent/mods/folder/folder-works.ts';
import { isRoot, ownedServer, secretText } from '../../../agent/mods/folder/testing/owned-server.ts';
import { FolderWorkerError } from '../../../agent/mods/folder/worker-errors.ts';
import type { HeldFile } from '../../../agent/mods/mod-files.ts';
import { plainChange } from '../../../agent/mods/testing/modded-server.ts';

const sha512 = (text: string) => createHash('sha512').update(text).digest('hex');
const hiddenHash = sha512(`${secretText}: mods/hidden.jar\n`);

const rounds = 200;

const copyOf = (root: string): WorkInput<'copyServer'> => ({
  game: 'minecraft',
  folder: root,
  copy: join(root, '.castellan-rehearsal'),
  places: [join(root, 'world')],
  moves: [],
});

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
      ...[resolve(import.meta.dirname, '../../../agent/mods/folder/testing/attacker.ts'), root, secret, open],
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
    scan: () =>
      worker.run('scan', { game: 'minecraft', root, loader: null, folders, items: [item], known: {} }),
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
