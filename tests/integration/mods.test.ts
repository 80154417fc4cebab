// @module-tag identity

import { afterAll, beforeAll, expect, test } from 'vitest';
import { modsHttp } from '#contracts/mods.ts';
import { eventually } from '#harness/eventually.ts';
import {
  fromModrinth,
  type ModdedServer,
  type ModdedStack,
  openModdedStack,
  patientMs,
} from './testing/modded-stack.ts';

/** The API, an agent, its holder and the game, each as a process of its own, and the sources of mods on a port. */

let stack: ModdedStack;
let server: ModdedServer;

beforeAll(async () => {
  stack = await openModdedStack(['fjord']);
  const [first] = stack.servers;
  if (!first) throw new Error('no server');
  server = first;
});
afterAll(() => stack?.[Symbol.asyncDispose]());

// Guarantee: a mod is found, planned with what it needs, put in place and proven by a game that loaded it; its update, too, and each comes
// back as it was.
test('the life of a mod', { timeout: 300_000 }, async () => {
  expect(await server.read()).toMatchObject({
    list: { loader: 'fabric', gameVersion: '1.21.1', installed: [], found: [] },
  });
  expect(
    await stack.call(modsHttp.search, { serverId: server.id, source: 'modrinth', text: 'alpha' }),
  ).toMatchObject({ rows: [{ id: 'ALPHA001', isInstalled: false }] });
  const plan = await server.plan(fromModrinth('ALPHA001', 'Alphav100'));
  expect(plan).toMatchObject({
    faults: [],
    needsRestart: true,
    lines: [
      { name: 'Library', neededBy: 'Alpha' },
      { name: 'Alpha', neededBy: null },
    ],
  });
  const installed = await server.ended(await server.begin(plan));
  expect(installed).toMatchObject({
    state: 'done',
    detail: null,
    canUndo: true,
    result: { set: 'new', revision: 1, health: 'proven', isRolledBack: false },
  });
  expect(await server.files()).toEqual(['Alpha-1.jar', 'Library-2.jar']);
  await server.isUp();

  const updated = await server.run({ do: 'update', key: 'modrinth:ALPHA001', version: null });
  expect(updated).toMatchObject({ state: 'done', result: { health: 'proven', revision: 2 } });
  expect(await server.files()).toEqual(['Alpha-2.jar', 'Library-2.jar']);
  await server.isUp();

  await eventually(async () => expect(await server.job(updated.id)).toMatchObject({ canUndo: true }));
  expect(await server.run({ do: 'undo', job: updated.id })).toMatchObject({
    state: 'done',
    result: { health: 'proven', revision: 3 },
  });
  expect(await server.files()).toEqual(['Alpha-1.jar', 'Library-2.jar']);
  await server.isUp();

  await eventually(
    async () => expect(await stack.told()).toEqual(['mods.changed', 'mods.changed', 'mods.changed']),
    patientMs,
  );
  const audited = await stack.audited();
  expect(audited.map(({ action }) => action)).toEqual([
    ...['mods.change', 'mods.ended', 'mods.change', 'mods.ended', 'mods.change', 'mods.ended'],
  ]);
  expect(audited[1]?.after).toMatchObject({ job: installed.id, state: 'done', health: 'proven' });
});

// Guarantee: a mod with which the game does not start goes by itself: the set from before is in place, the game is up with it, and the job has the
// lines that say why.
test('a mod that makes the game crash', { timeout: 300_000 }, async () => {
  const before = await server.files();
  const job = await server.run(fromModrinth('CRASH001'), fromModrinth('BETA0001'));
  expect(job).toMatchObject({
    state: 'failed',
    canUndo: false,
    result: { set: 'old', isRolledBack: true, health: 'failed', failedAt: 'start' },
  });
  expect(job.result?.lines.join('\n')).toContain('Incompatible mods found!');
  expect(await server.files()).toEqual(before);
  await server.isUp();
  await eventually(async () => expect((await stack.told()).at(-1)).toBe('mods.rolled-back'), patientMs);
});
