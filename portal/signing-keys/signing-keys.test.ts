// @module-tag slow

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keySuccession, keySuccessionHttp } from '#contracts/license/key-succession.ts';
import { jwks, licensesHttp } from '#contracts/license/licenses.ts';
import type { TestDatabase } from '#harness/database.ts';
import { eventually } from '#harness/eventually.ts';
import { killsEverywhere } from '#harness/kill-count.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { createLog } from '#runtime/log.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { trustSuccessorsOf } from '../../runtime/license/succession/key-trust.ts';
import { performDueSteps } from './key-schedule.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const log = createLog({ component: 'test', level: 'silent' });

let database: TestDatabase;
let masterKey: ReturnType<typeof newMasterKey>;
let clock: ReturnType<typeof movableClock>;
let portals: AsyncDisposableStack;
beforeEach(async () => {
  database = await portalDatabase();
  masterKey = newMasterKey();
  clock = movableClock();
  portals = new AsyncDisposableStack();
});
afterEach(async () => {
  await portals.disposeAsync();
  await database[Symbol.asyncDispose]();
});

const start = async (): Promise<TestPortal> =>
  portals.use(await startTestPortal({ databaseUrl: database.url, masterKey, clock }));
const statesOf = async ({ context }: TestPortal) =>
  (await context.signingKeys.list()).map(({ state, struck_at }) => (struck_at ? 'struck' : state));
const rotateNow = async ({ context }: TestPortal) => {
  const rotation = await context.signingKeys.rotate({ activeKid: null, urgent: true });
  if (rotation.outcome !== 'rotated') throw new Error(rotation.outcome);
  return rotation;
};
const kidOf = async ({ context }: TestPortal, state: string) => {
  const key = (await context.signingKeys.list()).find((row) => row.state === state);
  if (!key) throw new Error(`no key is ${state}`);
  return key.kid;
};
const published = async ({ url }: TestPortal) => {
  const response = await fetch(url + keySuccessionHttp.succession.path);
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=300');
  return keySuccession.parse(await response.json());
};
/** The keys that a client with this pinned key believes after reading what is published. */
const believedFrom = async (publicKey: string, portal: TestPortal) => {
  const trust = await trustSuccessorsOf(publicKey);
  await trust.learn(await published(portal));
  return [...trust.keys.verifiers.keys()];
};
const firstKey = async ({ context }: TestPortal) => (await context.signingKeys.list())[0]?.public_key ?? '';

// Guarantee: a key is published before it signs, signs, still verifies, and loses its private half; each step is one call.
test('the life of a key', async () => {
  const portal = await start();
  const { signingKeys, keyRing } = portal.context;
  const [first] = [keyRing.active.kid];
  const prepared = await signingKeys.rotate({ activeKid: first });
  if (prepared.outcome !== 'prepared') throw new Error(prepared.outcome);
  expect(keyRing.jwks.keys.map(({ kid }) => kid)).toEqual([first, prepared.nextKid]);
  expect(await signingKeys.rotate({ activeKid: first })).toMatchObject({ outcome: 'too-early' });
  expect(keyRing.active.kid).toBe(first);
  clock.pass(15 * minuteMs);
  const rotated = await signingKeys.rotate({ activeKid: first });
  expect(rotated).toMatchObject({ outcome: 'rotated', activeKid: prepared.nextKid, retiringKid: first });
  expect(keyRing.active.kid).toBe(prepared.nextKid);
  expect(await statesOf(portal)).toEqual(['retiring', 'active', 'next']);

  expect(await signingKeys.retire(prepared.nextKid)).toMatchObject({ outcome: 'refused' });
  expect(await signingKeys.retire('x')).toMatchObject({ outcome: 'refused' });
  expect(await signingKeys.retire(null)).toEqual({ outcome: 'retired', kids: [] });
  clock.pass(2 * dayMs);
  expect(await signingKeys.retire(null)).toEqual({ outcome: 'retired', kids: [first] });
  const [gone] = await signingKeys.list();
  expect(gone).toMatchObject({ state: 'retired', private_key_sealed: null });
  const answer = await fetch(portal.url + licensesHttp.jwks.path);
  expect(jwks.parse(await answer.json()).keys.map(({ kid }) => kid)).not.toContain(first);
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300');
});

// Guarantee: a token is renewed whatever happened to the key that signed it, except a revocation.
test('tokens outlive the key that signed them', async () => {
  const portal = await start();
  const license = await portal.issue();
  const hwid = newHwid();
  const { body } = await portal.activate(license.licenseKey, hwid);
  const { retiringKid } = await rotateNow(portal);
  expect((await portal.validate(license, body.token, hwid)).body.signingKeyId).not.toBe(retiringKid);
  await portal.context.signingKeys.retire(retiringKid);
  expect((await portal.validate(license, body.token, hwid)).status).toBe(200);
});

// Guarantee: of any number of rotations requested at the same time, in several processes, one is done.
test('two rotations at once are one step', async () => {
  const [one, two] = [await start(), await start()];
  const { kid: activeKid } = one.context.keyRing.active;
  const wish = { activeKid, urgent: true };
  const rotations = await Promise.all(
    [one, two, one, two].map(({ context }) => context.signingKeys.rotate(wish)),
  );
  expect(rotations.map(({ outcome }) => outcome).sort()).toEqual([
    'rotated',
    ...Array(3).fill('rotated-meanwhile'),
  ]);
  expect(await statesOf(one)).toEqual(['retiring', 'active', 'next']);
});

// Guarantee: other processes follow within seconds, and immediately accept tokens of a key that they have never seen.
test('another process follows', async () => {
  const [one, two] = [await start(), await start()];
  const license = await one.issue();
  const hwid = newHwid();
  const { activeKid } = await rotateNow(one);
  const { body } = await one.activate(license.licenseKey, hwid);
  expect(body.signingKeyId).toBe(activeKid);
  expect((await two.validate(license, body.token, hwid)).status).toBe(200);
  await eventually(() => expect(two.context.keyRing.active.kid).toBe(activeKid));
});

// Guarantee: on schedule a next key always exists, the active one is replaced when it is old enough, the replaced one
// is retired, several processes do it once, and without a schedule nothing is replaced.
test('the schedule', async () => {
  const [one, two] = [await start(), await start()];
  const tick = (rotationDays: number | null) =>
    Promise.all(
      [one, two].map(({ context: { signingKeys } }) =>
        performDueSteps({ signingKeys, rotationDays, clock, log }),
      ),
    );
  await tick(30);
  expect(await statesOf(one)).toEqual(['active', 'next']);
  clock.pass(400 * dayMs);
  await tick(null);
  expect(await statesOf(one)).toEqual(['active', 'next']);
  await tick(365);
  await tick(365);
  expect(await statesOf(one)).toEqual(['retiring', 'active', 'next']);
  clock.pass(2 * dayMs);
  await tick(365);
  expect(await statesOf(one)).toEqual(['retired', 'active', 'next']);
});

// Guarantee: whichever key is stolen, immediately none of its tokens is accepted, another key signs, its private half
// is gone, and every client whose pinned key was not revoked believes the key that signs.
test.each([
  ['active', ['retiring', 'struck', 'active', 'next']],
  ['next', ['retiring', 'active', 'struck', 'next']],
  ['retiring', ['struck', 'active', 'next']],
])('a revocation of the %s key', async (state, states) => {
  const [portal, other] = [await start(), await start()];
  const pinned = await firstKey(portal);
  const license = await portal.issue();
  const hwid = newHwid();
  await rotateNow(portal);
  const before = await portal.activate(license.licenseKey, hwid);
  expect(before.headers.get('Castellan-Key-Strikes')).toBeNull();
  const stolen = await kidOf(portal, state);
  const revocation = await portal.context.signingKeys.revoke([stolen]);
  expect(revocation).toMatchObject({ outcome: 'struck', number: 1, struck: [stolen] });
  expect(await statesOf(portal)).toEqual(states);
  const row = (await portal.context.signingKeys.list()).find(({ kid }) => kid === stolen);
  expect(row?.private_key_sealed).toBeNull();

  const status = before.body.signingKeyId === stolen ? 403 : 200;
  for (const one of [other, portal])
    expect((await one.validate(license, before.body.token, hwid)).status).toBe(status);
  const after = await portal.activate(license.licenseKey, hwid);
  expect(after.headers.get('Castellan-Key-Strikes')).toBe('1');
  const believed = await believedFrom(pinned, portal);
  expect(believed).not.toContain(stolen);
  expect(believed.includes(after.body.signingKeyId)).toBe(state !== 'retiring');
  expect(await portal.context.signingKeys.revoke([stolen])).toMatchObject({ outcome: 'refused' });
  expect(await portal.context.signingKeys.revoke(['x'])).toMatchObject({ outcome: 'refused' });
});

// Guarantee: all keys may be stolen at the same time; then a key that was not stolen signs, and revocations accumulate.
test('several revocations', async () => {
  const portal = await start();
  const pinned = await firstKey(portal);
  await rotateNow(portal);
  const first = await portal.context.signingKeys.revoke([
    await kidOf(portal, 'active'),
    await kidOf(portal, 'next'),
  ]);
  if (first.outcome !== 'struck') throw new Error(first.reason);
  expect(await statesOf(portal)).toEqual(['retiring', 'struck', 'struck', 'active', 'next']);
  expect(await believedFrom(pinned, portal)).toContain(first.activeKid);
  const second = await portal.context.signingKeys.revoke([first.activeKid]);
  if (second.outcome !== 'struck') throw new Error(second.reason);
  expect(second).toMatchObject({ number: 2, struck: [...first.struck, first.activeKid] });
  expect(await believedFrom(pinned, portal)).toContain(second.activeKid);
});

/** Each statement costs the start of a process, whatever else the machine is doing. */
const killingTimeoutMs = 240_000;
/** Which statements it is killed after: by day each third. */
const eachOf = killsEverywhere ? 1 : 3;

const killedStep = async (step: string, after: number): Promise<NodeJS.Signals | null> => {
  const program = fileURLToPath(new URL('./testing/killed-step.ts', import.meta.url));
  const args = [program, database.url.reveal(), masterKey.reveal(), step, String(after)];
  const child = spawn(process.execPath, args, { env: systemEnv(), stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  return signal;
};

// Guarantee: a process that is killed after any statement of a step leaves the step undone or done: one key signs, at
// most one is next, clients pinned to the first key follow, and the step can be repeated.
test.each(['rotate', 'retire', 'strike'])(
  'kill -9 anywhere in %s',
  { timeout: killingTimeoutMs, tags: 'kills' },
  async (step) => {
    const portal = await start();
    const pinned = await firstKey(portal);
    await rotateNow(portal);
    await rotateNow(portal);
    for (let after = 1, signal: NodeJS.Signals | null = 'SIGKILL'; signal === 'SIGKILL'; after += eachOf) {
      if (step === 'retire') await rotateNow(portal);
      const before = await portal.context.signingKeys.list();
      signal = await killedStep(step, after);
      const keys = await portal.context.signingKeys.list();
      if (signal === null) expect(keys).not.toEqual(before);
      expect(keys.filter(({ state }) => state === 'active')).toHaveLength(1);
      expect(keys.filter(({ state }) => state === 'next')).toHaveLength(1);
      for (const { state, private_key_sealed } of keys)
        expect(private_key_sealed === null).toBe(state === 'retired');
      await using restarted = await startTestPortal({ databaseUrl: database.url, masterKey, clock });
      const { active } = restarted.context.keyRing;
      expect(active.kid).toBe(keys.find(({ state }) => state === 'active')?.kid);
      expect(await believedFrom(pinned, restarted)).toContain(active.kid);
    }
  },
);
