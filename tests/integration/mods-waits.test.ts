// @module-tag identity

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModSet, ModsJob, ModWave } from '#contracts/mods/mods.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { queuesHttp } from '#contracts/operations/queues.ts';
import { eventually } from '#harness/eventually.ts';
import {
  fromModrinth,
  type ModdedServer,
  type ModdedStack,
  openModdedStack,
  patientMs,
  watch,
} from './testing/modded-stack.ts';

let stack: ModdedStack;
let first: ModdedServer;
let second: ModdedServer;

beforeAll(async () => {
  stack = await openModdedStack(['fjord', 'glacier']);
  const [one, other] = stack.servers;
  if (!one || !other) throw new Error('no servers');
  [first, second] = [one, other];
});
afterAll(() => stack?.[Symbol.asyncDispose]());

const pause = (paused: boolean) => stack.call(queuesHttp.pause, { name: 'mods' }, { paused });
const waits = (server: ModdedServer, { id }: ModsJob, waitsFor: ModsJob['waitsFor']) =>
  eventually(
    async () => expect(await server.job(id)).toMatchObject({ state: 'waiting', waitsFor }),
    patientMs,
  );
const cancel = (server: ModdedServer, { id }: ModsJob) =>
  stack.call<ModsJob>(modsHttp.cancel, { serverId: server.id, jobId: id }, {});
const isDone = async (server: ModdedServer, job: ModsJob) =>
  expect(await server.ended(job)).toMatchObject({ state: 'done', detail: null });

// Guarantee: a change waits for its paused queue and for an offline agent, and is carried out once; one that is cancelled before the
// files are swapped leaves them unchanged.
test('what waits', { timeout: 300_000, tags: 'night' }, async () => {
  await pause(true);
  const paused = await first.begin(await first.plan(fromModrinth('BETA0001', 'Betav100')));
  await waits(first, paused, 'queue');
  const untouched = await first.begin(await first.plan(fromModrinth('ALPHA001')));
  expect(await cancel(first, untouched)).toMatchObject({ state: 'cancelled' });
  expect(await first.files()).toEqual([]);
  await pause(false);
  await isDone(first, paused);
  expect(await first.files()).toEqual(['Beta-1.jar']);

  const plan = await first.plan({ do: 'update', key: 'modrinth:BETA0001', version: null });
  await first.killAgent();
  await eventually(
    async () => expect(await first.read()).toMatchObject({ isAgentPresent: false }),
    patientMs,
  );
  const away = await first.begin(plan);
  await waits(first, away, 'agent');
  first.startAgent();
  await isDone(first, away);
  expect(await first.files()).toEqual(['Beta-2.jar']);
  await first.isUp();

  // While the stop is announced to the players.
  const counted = await first.begin(await first.plan(fromModrinth('ALPHA001')), { countdownSeconds: 600 });
  await eventually(
    async () => expect(await first.job(counted.id)).toMatchObject({ progress: { step: 'stop' } }),
    patientMs,
  );
  await cancel(first, counted);
  expect(await first.ended(counted)).toMatchObject({ state: 'cancelled', result: { set: 'old' } });
  expect(await first.files()).toEqual(['Beta-2.jar']);
  await first.isUp();
  expect(await first.run({ do: 'remove', key: 'modrinth:BETA0001' })).toMatchObject({ state: 'done' });
});

const setOf = (name: string, ...projects: readonly string[]) =>
  stack.call<ModSet>(
    modsHttp.createSet,
    {},
    {
      name,
      game: 'minecraft',
      items: projects.map((project) => ({
        source: 'modrinth',
        project,
        name: project,
        version: null,
        versionName: null,
      })),
    },
  );
const waveOf = async ({ id: set }: ModSet) => {
  const { id } = await stack.call<ModWave>(
    modsHttp.beginWave,
    {},
    { servers: [first.id, second.id], wish: { do: 'set', set, removeOthers: false }, watch },
    randomUUID(),
  );
  return eventually(async () => {
    const { rows } = await stack.call<{ rows: ModWave[] }>(modsHttp.waves);
    const wave = rows.find((row) => row.id === id);
    if (!wave || wave.state === 'first' || wave.state === 'others') throw new Error(JSON.stringify(wave));
    return wave;
  }, patientMs);
};

// Guarantee: the first server of a rollout has to stay up with its new set; otherwise, the next one stays unchanged.
test('a wave', { timeout: 300_000, tags: 'night' }, async () => {
  const stopped = await waveOf(await setOf('Crashes', 'CRASH001'));
  expect(stopped).toMatchObject({
    state: 'stopped',
    detail: expect.stringContaining(`${first.id}: `),
    servers: [
      { serverId: first.id, job: { state: 'failed', result: { set: 'old', isRolledBack: true } } },
      { serverId: second.id, job: null },
    ],
  });
  for (const server of [first, second]) {
    expect(await server.files()).toEqual([]);
    await server.isUp();
  }
  expect(await second.read()).toMatchObject({ job: null, lastJob: null, list: { revision: 0 } });

  const done = await waveOf(await setOf('Works', 'ALPHA001'));
  expect(done).toMatchObject({
    state: 'done',
    servers: [{ job: { state: 'done' } }, { job: { state: 'done' } }],
  });
  for (const server of [first, second]) {
    expect(await server.files()).toEqual(['Alpha-2.jar', 'Library-2.jar']);
    await server.isUp();
  }
  await eventually(
    async () =>
      expect((await stack.told()).filter((kind) => kind.includes('wave'))).toEqual([
        'mods.wave-stopped',
        'mods.wave-done',
      ]),
    patientMs,
  );
});
