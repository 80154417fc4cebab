// @module-tag identity

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeWish } from '#contracts/mods/mods.ts';
import { eventually } from '#harness/eventually.ts';
import {
  fromModrinth,
  type ModdedStack,
  openModdedStack,
  patientMs,
} from '../../integration/testing/modded-stack.ts';
import { seeded } from '../../power-kills/held-server.ts';

const seed = Number(process.env.CASTELLAN_KILL_SEED ?? 18);
const killsOfEach = Number(process.env.CASTELLAN_KILLS ?? 10);
const killMs = 30_000;

let stack: ModdedStack;
beforeAll(async () => {
  stack = await openModdedStack(['fjord']);
});
afterAll(() => stack?.[Symbol.asyncDispose]());

const acts: readonly { readonly wishes: readonly ChangeWish[]; readonly files: readonly string[] }[] = [
  {
    wishes: [fromModrinth('ALPHA001'), fromModrinth('BETA0001')],
    files: ['Alpha-2.jar', 'Beta-2.jar', 'Library-2.jar'],
  },
  {
    wishes: ['ALPHA001', 'BETA0001', 'LIBRARY1'].map((id) => ({ do: 'remove', key: `modrinth:${id}` })),
    files: [],
  },
];

// Guarantee: no matter when API or agent is killed during an install or a removal, the set is complete, old or new, the job says
// which, and a repeated request is the same job.
test('killed while mods change', { timeout: 2 * killsOfEach * killMs, tags: ['slow'] }, async () => {
  const random = seeded(seed);
  const [server] = stack.servers;
  if (!server) throw new Error('no server');
  const ends: string[] = [];
  let revision = 0;
  let at = 0;
  let wholeMs = 0;
  for (let kill = -1; kill < 2 * killsOfEach; kill += 1) {
    const act = acts[at % acts.length];
    if (!act) throw new Error('no change to make');
    const old = await server.files();
    const plan = await eventually(() => server.plan(...act.wishes), patientMs);
    const target = kill < 0 ? 'nothing' : kill % 2 === 0 ? 'API' : 'agent';
    const key = randomUUID();
    const beganMs = performance.now();
    const { id } = await eventually(() => server.begin(plan, { backup: false }, key), patientMs);
    await delay(random() * wholeMs);
    if (target === 'API') {
      await stack.killApi();
      await stack.startApi();
    } else if (target === 'agent') {
      await server.killAgent();
      server.startAgent();
    }
    // As a caller repeats it after a lost answer.
    expect((await server.begin(plan, { backup: false }, key)).id).toBe(id);
    const { state, result, detail } = await server.ended({ id });
    if (target === 'nothing') wholeMs = performance.now() - beganMs;
    const isNew = state === 'done';
    if (isNew) [at, revision] = [at + 1, revision + 1];
    ends.push(`${target}: ${state} ${detail ?? ''}`);
    const said = `${ends.join('\n')}\nseed ${seed}`;
    expect(result, said).toMatchObject({ set: isNew ? 'new' : 'old', revision });
    expect(await server.files(), said).toEqual(isNew ? act.files : old);
    await server.isUp();
  }
  process.stdout.write(
    `mods: ${killsOfEach} kills of the API and of the agent, seed ${seed}, within ${Math.round(wholeMs)} ms: ${at} changed\n`,
  );
  const audited = await stack.audited();
  expect(audited.filter(({ action }) => action === 'mods.change')).toHaveLength(2 * killsOfEach + 1);
  expect(audited.filter(({ action }) => action === 'mods.ended')).toHaveLength(2 * killsOfEach + 1);
});
