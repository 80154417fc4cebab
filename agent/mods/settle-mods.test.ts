import { mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { taskResult } from '#contracts/servers/agent-tasks.ts';
import { freePort } from '#harness/ports.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type ChangeJournal, openChange, readChange, writeChange } from './change-journal.ts';
import { ownWorker } from './folder/folder-worker.ts';
import { readManifest } from './manifest.ts';
import { changeTurn, putBack, settleMods } from './settle-mods.ts';
import { swapIn } from './swap-files.ts';
import { openModdedServer, testPower } from './testing/modded-server.ts';

/** A server with one mod, and the journal of an interrupted update of it. */
const cutOff = async (
  stage: ChangeJournal['stage'],
  changes: Parameters<typeof openModdedServer>[1] = {},
) => {
  const folder = await temporaryFolder('mods');
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const server = await openModdedServer(folder.path, { ...changes, power: null });
  const later = await openModdedServer(folder.path, changes);
  const { root, stateFolder } = server;
  const [first, second] = [await server.library.jar('One', '1'), await server.library.jar('Two', '1')];
  await server.change({ put: [first, second] });
  const old = await server.files();
  const stageFolder = join(root, '.castellan-mods', 'x');
  for (const name of ['new', 'old']) await mkdir(join(stageFolder, name), { recursive: true });
  for (const name of ['a', 'b']) await writeFile(join(stageFolder, 'new', name), `new ${name}`);
  const manifest = await readManifest(stateFolder);
  const moves = [
    {
      place: join(root, 'mods/One-1.jar'),
      fresh: join(stageFolder, 'new/a'),
      before: join(stageFolder, 'old/0'),
      kept: null,
    },
    { place: join(root, 'config/new/b'), fresh: join(stageFolder, 'new/b'), before: null, kept: null },
    { place: join(root, 'mods/Two-1.jar'), fresh: null, before: join(stageFolder, 'old/1'), kept: null },
  ];
  const journal: ChangeJournal = {
    version: 1,
    stage,
    task: 'task-1',
    at: new Date().toISOString(),
    folder: stageFolder,
    moves,
    made: [join(root, 'config'), join(root, 'config/new')],
    next: { ...manifest, revision: 2, items: [] },
    notes: [],
    newSince: null,
    isRestarted: false,
    isRolledBack: false,
    failure: null,
    result: null,
  };
  await writeChange(stateFolder, journal);
  const renames = moves.flatMap(({ place, fresh, before }) => [
    ...(before === null ? [] : [() => rename(place, before)]),
    ...(fresh === null ? [] : [() => rename(fresh, place)]),
  ]);
  const config = {
    stateFolder,
    server: {
      folder: root,
      start: { by: 'none' as const },
      allow: { power: true, files: true, mods: true },
    },
    console: { host: '127.0.0.1', port: await freePort(), password: new Secret('x') },
  };
  return { server: later, old, journal, renames, config };
};

// Guarantee: after an interruption before any rename or after any of them, the start of the agent restores the whole old set.
test.each([0, 1, 2, 3, 4])('cut off behind %s renames', async (count) => {
  const { server, old, journal, renames, config } = await cutOff('swapping');
  for (const made of journal.made) await mkdir(made);
  for (const move of renames.slice(0, count)) await move();
  expect(await settleMods(config, null, ownWorker)).toBeNull();
  expect((await readChange(server.stateFolder))?.stage).toBe('back');
  expect(await server.recover({})).toMatchObject({
    outcome: 'failed',
    set: 'old',
    revision: 1,
    isRolledBack: false,
    failedAt: 'swap',
  });
  expect(await server.files()).toEqual(old);
  expect(await openChange(server.stateFolder)).toBeNull();
  // Its result was lost, too.
  expect(await server.recover({})).toMatchObject({ outcome: 'failed', set: 'old', revision: 1 });
});

// Guarantee: a change that was interrupted while the new set was being kept is kept, and reported as done.
test('cut off while it is kept', async () => {
  const { server, journal, renames, config } = await cutOff('swapping');
  for (const made of journal.made) await mkdir(made);
  for (const move of renames) await move();
  const value = {
    set: 'new',
    revision: 2,
    isRolledBack: false,
    health: 'down',
    failedAt: null,
    lines: [],
    notes: [],
  };
  const result = { outcome: 'done', detail: null, value } as const;
  await writeChange(server.stateFolder, { ...journal, stage: 'keeping', result });
  expect(await settleMods(config, null, ownWorker)).toBeNull();
  expect((await readManifest(server.stateFolder)).revision).toBe(2);
  expect(await server.recover({})).toMatchObject({ outcome: 'done', set: 'new', revision: 2 });
  expect(Object.keys(await server.files()).sort()).toEqual([
    'config/new/b',
    'fabric-server-launch.jar',
    'mods/One-1.jar',
    'world/level.dat',
  ]);
});

// Guarantee: a change whose set is in place is reported as done even while that cannot be written down, by whichever agent.
test('cut off while it is kept, and not written down', async () => {
  const { server, journal, renames } = await cutOff('swapping');
  for (const made of journal.made) await mkdir(made);
  for (const move of renames) await move();
  const value = { set: 'new', revision: 2, isRolledBack: false, health: 'proven' };
  const result = { outcome: 'done', detail: null, value: { ...value, failedAt: null, lines: [], notes: [] } };
  await writeChange(server.stateFolder, { ...journal, stage: 'keeping', result: taskResult.parse(result) });
  const manifest = join(server.stateFolder, 'mods/manifest.json');
  await rename(manifest, `${manifest}.away`);
  await mkdir(join(manifest, 'x'), { recursive: true });
  await expect(readManifest(server.stateFolder)).rejects.toThrow();
  expect(await server.recover({})).toMatchObject({ outcome: 'done', ...value });
  expect((await openChange(server.stateFolder))?.stage).toBe('keeping');
  await rm(manifest, { recursive: true });
  await rename(`${manifest}.away`, manifest);
  expect(await server.recover({})).toMatchObject({ outcome: 'done', ...value });
  expect((await readManifest(server.stateFolder)).revision).toBe(2);
  expect(await openChange(server.stateFolder)).toBeNull();
});

// Guarantee: while a change holds the game down nothing starts it, and the reason is reported; the next change ends one without its task.
test('the gate', async () => {
  const { server, old, renames, config, journal } = await cutOff('swapping');
  const turn = changeTurn();
  turn.isTaken = true;
  expect(await settleMods(config, turn, ownWorker)).toBeNull();
  turn.isGameDown = true;
  expect(await settleMods(config, turn, ownWorker)).toMatch(/being changed/);
  for (const made of journal.made) await mkdir(made);
  for (const move of renames.slice(0, 3)) await move();
  const next = await server.library.jar('Three', '1');
  expect(await server.change({ base: 1, put: [next] })).toMatchObject({ set: 'new', revision: 2 });
  expect(await server.files()).toEqual({ ...old, 'mods/Three-1.jar': next.file?.hashes.sha512 });
});

// Guarantee: a damaged journal starts no game and changes nothing.
test('a damaged journal', async () => {
  const { server, config } = await cutOff('swapping');
  const path = join(server.stateFolder, 'mods/change.json');
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, 100));
  expect(await settleMods(config, null, ownWorker)).toMatch(/damaged/);
  await writeFile(path, JSON.stringify({ stage: 'ended', of: 'another version' }));
  expect(await settleMods(config, null, ownWorker)).toBeNull();
  expect(await readChange(server.stateFolder)).toBeNull();
});

// Guarantee: a new set that is whole and kept is started, even if that cannot be written down yet.
test('kept, and not written down', async () => {
  const { server, journal, config } = await cutOff('swapping');
  await writeChange(server.stateFolder, { ...journal, stage: 'keeping' });
  const manifest = join(server.stateFolder, 'mods/manifest.json');
  await rm(manifest);
  await mkdir(join(manifest, 'x'), { recursive: true });
  expect(await settleMods(config, null, ownWorker)).toBeNull();
});

// Guarantee: a watched set whose roll-back was interrupted starts no game, and the old one is whole as soon as possible.
test('cut off while a watched set is taken back', async () => {
  const { server, old, journal, renames, config } = await cutOff('watching');
  for (const made of journal.made) await mkdir(made);
  for (const move of renames) await move();
  await rm(join(journal.folder, 'new'), { recursive: true });
  await expect(putBack({ stateFolder: server.stateFolder, worker: ownWorker }, journal)).rejects.toThrow();
  expect(await settleMods(config, null, ownWorker)).toMatch(/cut off/);
  await mkdir(join(journal.folder, 'new'));
  expect(await settleMods(config, null, ownWorker)).toBeNull();
  await server.recover({});
  expect(await server.files()).toEqual(old);
});

// Guarantee: nothing starts the game while a change puts back what an earlier one has left.
test('the gate of a change that ends an earlier one', async () => {
  const turn = changeTurn();
  const said: (string | null)[] = [];
  const it = await cutOff('rolling-back', {
    turn,
    async whyNotStopped() {
      said.push(await settleMods({ stateFolder: '', server: null, console: null }, turn, ownWorker));
      return null;
    },
  });
  said.length = 0;
  await it.server.change({ base: 1, put: [await it.server.library.jar('Three', '1')] });
  expect(said[0]).toMatch(/being changed/);
});

// Guarantee: a stop that people have begun is waited for before files are put back, and never cut short.
test('taken back during the stop of others', async () => {
  let state: 'stopping' | 'stopped' = 'stopping';
  const acts: string[] = [];
  const { server, old } = await cutOff('rolling-back', {
    power: testPower(
      () => state,
      (action) => {
        acts.push(action);
        if (acts.length < 2) return 'refused';
        state = 'stopped';
        return 'done';
      },
    ),
    whyNotStopped: async () => (state === 'stopped' ? null : 'It runs.'),
  });
  expect(await server.recover({})).toMatchObject({ outcome: 'failed', set: 'old', notes: [] });
  expect(acts).toEqual(['stop', 'stop']);
  expect(await server.files()).toEqual(old);
});

// Guarantee: a countdown that continues across a restart of the agent can still be cancelled.
test('cancelled in the countdown of an earlier agent', async () => {
  const cancelling = new AbortController();
  const acts: string[] = [];
  const { server, old } = await cutOff('stopping', {
    power: {
      ...testPower(() => 'stopping'),
      isUnderWay: () => true,
      async act({ action, signal }) {
        acts.push(action);
        const cancelled = new Promise((resolve) => signal.addEventListener('abort', resolve));
        cancelling.abort();
        await cancelled;
        return { outcome: 'cancelled', detail: null, value: null };
      },
    },
  });
  expect(await server.recover({}, cancelling.signal)).toMatchObject({
    outcome: 'cancelled',
    detail: 'Nothing was changed.',
    set: 'old',
    revision: 1,
  });
  expect(acts).toEqual(['stop']);
  expect(await server.files()).toEqual(old);
});

// Guarantee: if a file cannot be put back immediately, it is retried until it can be.
test('taken back at the second try', async () => {
  const stage: string[] = [];
  const write = () => stage.forEach((path) => void mkdirSync(path, { recursive: true }));
  const { server, old, journal, renames } = await cutOff('rolling-back', {
    log: createLog({ component: 'agent', destination: { write } }),
  });
  for (const made of journal.made) await mkdir(made);
  for (const move of renames) await move();
  stage.push(join(journal.folder, 'new'));
  await rm(join(journal.folder, 'new'), { recursive: true });
  expect(await server.recover({})).toMatchObject({ outcome: 'failed', set: 'old', revision: 1 });
  expect(await server.files()).toEqual(old);
});

// Guarantee: a link that someone else puts in place of a folder is not followed, whenever it appears.
test('a folder that becomes a link', async () => {
  for (const at of ['config', 'mods']) {
    const { server, journal } = await cutOff('swapping');
    const outside = join(server.root, '../outside');
    await mkdir(outside);
    await rm(join(server.root, at), { recursive: true, force: true });
    await symlink(outside, join(server.root, at));
    await expect(swapIn(journal)).rejects.toThrow('is a link');
    expect(await readdir(outside)).toEqual([]);
  }
});
