import { readFileSync } from 'node:fs';
import { open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalCodes } from '#contracts/licenses.ts';
import { problemContentType, type problems } from '#contracts/problems.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '../log.ts';
import type { LicenseClient } from './license-client.ts';
import { newSigningKey, type Reply } from './testing/fake-portal.ts';
import { install, someParts, type TestInstallation } from './testing/installation.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

const recordPath = ({ home }: TestInstallation) => join(home, 'license.json');
const readRecord = async (installation: TestInstallation) =>
  JSON.parse(await readFile(recordPath(installation), 'utf8'));

const away: () => Reply = () => ({ say: 'http', status: 503 });
const refuseWith = (code: keyof typeof problems) => (): Reply => ({ say: 'refuse', code });

/** Lets time pass up to the next check, and waits until the portal has answered it. */
const toNextCheck = async (client: LicenseClient, { clock }: TestInstallation) => {
  const { nextCheckAt } = client.status();
  if (nextCheckAt === null) throw new Error('no check is planned');
  clock.advance(Date.parse(nextCheckAt) - clock.now());
  return client.checkNow();
};

// Guarantee: an activation binds this machine; the request is the documented one, and the record is for us alone.
test('activation', async () => {
  await using installation = await install();
  const { licenseKey, instanceId, portal } = installation;
  const client = await installation.open();
  expect(client.status()).toMatchObject({ state: 'unlicensed', code: 'LICENSE_REQUIRED', nextCheckAt: null });
  const { hwid } = client.status();
  expect(await client.activate(` ${licenseKey.toLowerCase()} `)).toEqual({ outcome: 'activated' });
  expect(client.status()).toMatchObject({
    state: 'valid',
    code: null,
    hwid,
    tier: 'pro',
    lastCheck: { outcome: 'confirmed' },
    graceEndsAt: '2026-01-09T12:00:00.000Z',
  });
  expect(portal.asked.map(({ body }) => body)).toEqual([{ licenseKey, hwid, instanceId, version: '1.2.3' }]);
  expect((await stat(recordPath(installation))).mode & 0o777).toBe(0o600);
});

// Guarantee: neither the license key nor a token is ever logged or lies in the open.
test('secrets', async () => {
  await using installation = await install();
  const { licenseKey, portal, home } = installation;
  const logPath = join(home, 'log');
  await using file = await open(logPath, 'w');
  const log = createLog({ component: 'test', level: 'trace', fd: file.fd, redact: (text) => text });
  const client = await installation.activated({ log });
  portal.validate = refuseWith('UNAUTHORIZED');
  await client.checkNow();
  await client.activate(`${licenseKey.slice(0, -1)}#`);
  const { token } = await readRecord(installation);
  const written = readFileSync(logPath, 'utf8');
  expect(written).toContain('activation');
  for (const secret of [licenseKey, licenseKey.slice(5, 14), token]) expect(written).not.toContain(secret);
  expect(await readFile(recordPath(installation), 'utf8')).not.toContain(licenseKey.slice(5, 14));
});

// Guarantee: every way in which an activation can fail is a value in words, and leaves no record.
test('activations that fail', async () => {
  await using installation = await install();
  const { portal, licenseKey } = installation;
  const client = await installation.open();
  const activateWith = (reply: Reply) => {
    portal.activate = () => reply;
    return client.activate(licenseKey);
  };
  for (const code of ['UNAUTHORIZED', 'HWID_MISMATCH'] as const)
    expect(await activateWith({ say: 'refuse', code })).toMatchObject({ outcome: 'refused', code });
  const limited: Reply = { say: 'http', status: 429, headers: { 'Retry-After': '17' } };
  expect(await activateWith(limited)).toMatchObject({ outcome: 'rate-limited', retryAfterSeconds: 17 });
  const badRequest: Reply = {
    say: 'http',
    status: 400,
    headers: { 'Content-Type': problemContentType },
    body: '{}',
  };
  expect(await activateWith(badRequest)).toMatchObject({ outcome: 'unreachable' });
  expect(await activateWith({ say: 'http', status: 502 })).toMatchObject({ outcome: 'unreachable' });
  const signedBy = await newSigningKey();
  expect(await activateWith({ say: 'token', signedBy })).toMatchObject({
    outcome: 'wrong-environment',
    kid: signedBy.kid,
  });
  portal.asked.length = 0;
  const mistyped = licenseKey.slice(0, -1) + (licenseKey.endsWith('0') ? '1' : '0');
  for (const typed of [mistyped, '', 'hello', 'x'.repeat(100_000)])
    expect(await client.activate(typed)).toMatchObject({ outcome: 'invalid-key' });
  expect(portal.asked).toEqual([]);
  expect(client.status().state).toBe('unlicensed');
  expect(await readdir(installation.home)).toEqual([]);
});

// Guarantee: a machine without a usable identifier is told what to do; nothing is sent, and it can be mended running.
test('no hardware id', async () => {
  await using installation = await install();
  const { parts } = installation;
  installation.parts = {};
  const client = await installation.open();
  expect(client.status()).toMatchObject({ state: 'unlicensed', code: 'HWID_UNAVAILABLE', hwid: null });
  expect(await client.activate(installation.licenseKey)).toMatchObject({ outcome: 'hwid-unavailable' });
  expect(installation.portal.asked).toEqual([]);
  installation.parts = parts;
  expect(await client.activate(installation.licenseKey)).toEqual({ outcome: 'activated' });
});

// Guarantee: a disk that takes no record is told to the caller, and what was activated before stays.
test.skipIf(process.platform !== 'linux')('a full disk at activation', async () => {
  await using installation = await install();
  const client = await installation.activated();
  const before = await readRecord(installation);
  await symlink('/dev/full', `${recordPath(installation)}.next`);
  expect(await client.activate(installation.licenseKey)).toMatchObject({
    outcome: 'not-saved',
    detail: expect.stringContaining('ENOSPC'),
  });
  expect(await readRecord(installation)).toEqual(before);
  expect(client.status().state).toBe('valid');
});

// Guarantee: a portal that is slow or silent delays no start; a token that holds is enough.
test('a start without the portal', async () => {
  await using installation = await install();
  await using first = await installation.activated();
  await first[Symbol.asyncDispose]();
  installation.portal.validate = () => ({ say: 'nothing' });
  const client = await installation.open();
  expect(client.status().state).toBe('valid');
  await eventually(() => expect(installation.portal.asked).toHaveLength(2));
  // Closing does not wait for the portal either, and a check that was cut off says nothing.
  await client[Symbol.asyncDispose]();
  expect((await readRecord(installation)).lastCheck.outcome).toBe('confirmed');
});

// Guarantee: each of the portal's refusals rejects at once, survives a restart, and heals by itself once taken back.
test.each(refusalCodes)('%s', async (code) => {
  await using installation = await install();
  const { portal } = installation;
  portal.validate = refuseWith(code);
  const first = await installation.activated();
  expect(await first.checkNow()).toMatchObject({
    state: 'rejected',
    code,
    lastCheck: { outcome: 'refused' },
  });
  await first[Symbol.asyncDispose]();

  portal.validate = away;
  const second = await installation.open();
  expect(second.status()).toMatchObject({ state: 'rejected', code });
  expect(await second.checkNow()).toMatchObject({
    state: 'rejected',
    code,
    lastCheck: { outcome: 'unreachable' },
  });

  portal.validate = () => ({ say: 'token' });
  const waitMs = Date.parse(second.status().nextCheckAt ?? '') - installation.clock.now();
  expect(waitMs).toBeLessThanOrEqual(18 * minuteMs);
  expect(await toNextCheck(second, installation)).toMatchObject({ state: 'valid', code: null });
  expect((await readRecord(installation)).refusal).toBeNull();
});

// Guarantee: a proxy's own 403 page, or anything else that is not the portal's refusal, is grace and no rejection.
test.each<[string, Reply]>([
  ['HTML', { say: 'http', status: 403, headers: { 'Content-Type': 'text/html' }, body: '<h1>Blocked</h1>' }],
  [
    'JSON',
    { say: 'http', status: 403, headers: { 'Content-Type': 'application/json' }, body: '{"code":"REVOKED"}' },
  ],
  ['HTTP 500', { say: 'http', status: 500 }],
])('not the portal: %s', async (_what, reply) => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = () => reply;
  expect(await client.checkNow()).toMatchObject({
    state: 'grace',
    code: null,
    lastCheck: { outcome: 'unreachable' },
  });
  installation.portal.validate = () => ({ say: 'token' });
  expect(await toNextCheck(client, installation)).toMatchObject({ state: 'valid' });
});

// Guarantee: grace lasts to the second for as many days as configured, across restarts; then everything is rejected,
// everybody who listens is told, and the first answer of the portal heals it.
test.each([0, 7, 30])('%i days of grace', async (graceDays) => {
  await using installation = await install();
  const { portal, clock } = installation;
  const first = await installation.activated({ graceDays });
  portal.validate = away;
  expect((await first.checkNow()).state).toBe('grace');
  await first[Symbol.asyncDispose]();

  const client = await installation.open({ graceDays });
  await client.checkNow();
  const heard: string[] = [];
  client.subscribe(({ state }) => heard.push(state));
  const endMs = Date.parse(client.status().graceEndsAt ?? '');
  expect(endMs).toBe(Date.UTC(2026, 0, 2, 12) + graceDays * dayMs);
  clock.advance(endMs - 1 - clock.now());
  await client.checkNow();
  expect(client.status().state).toBe('grace');
  clock.advance(1);
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_GRACE_ENDED' });
  expect(heard.at(-1)).toBe('rejected');
  await client.checkNow();
  expect(client.status().state).toBe('rejected');

  portal.validate = () => ({ say: 'token' });
  expect(await toNextCheck(client, installation)).toMatchObject({ state: 'valid' });
  expect(heard.at(-1)).toBe('valid');
});

// Guarantee: an installation whose daily check is answered never enters grace, whenever in its window it asks.
test('sixty days of daily checks', async () => {
  await using installation = await install();
  const { portal, clock } = installation;
  const client = await installation.activated({ graceDays: 0 });
  const states = new Set<string>();
  client.subscribe(({ state }) => states.add(state));
  portal.asked.length = 0;
  const endMs = clock.now() + 60 * dayMs;
  while (clock.now() < endMs) {
    const dueMs = Date.parse(client.status().nextCheckAt ?? '');
    while (clock.now() + 37 * minuteMs < dueMs) {
      clock.advance(37 * minuteMs);
      states.add(client.status().state);
    }
    states.add((await toNextCheck(client, installation)).state);
  }
  expect([...states]).toEqual(['valid']);
  expect(portal.asked.length).toBeGreaterThanOrEqual(60);
  expect(portal.asked.length).toBeLessThanOrEqual(63);
});

// Guarantee: a clock set back is refused, also after a restart, and heals when it is set right or a new token came.
test('a clock set back', async () => {
  await using installation = await install();
  const { clock, portal } = installation;
  const first = await installation.activated();
  clock.advance(20 * 60 * minuteMs);
  const trueMs = clock.now();
  clock.set(trueMs - 9 * minuteMs);
  expect(first.status().state).toBe('valid');
  clock.set(trueMs - 11 * minuteMs);
  expect(first.status()).toMatchObject({
    state: 'rejected',
    code: 'CLOCK_ROLLED_BACK',
    clock: { local: new Date(clock.now()).toISOString(), known: new Date(trueMs).toISOString() },
  });
  clock.set(trueMs);
  expect(first.status().state).toBe('valid');
  await first[Symbol.asyncDispose]();

  portal.validate = away;
  clock.set(Date.UTC(2026, 0, 1, 11, 49));
  const second = await installation.open();
  await second.checkNow();
  expect(second.status()).toMatchObject({ state: 'rejected', code: 'CLOCK_ROLLED_BACK' });
  // The portal answers: its time is what counts from now on, even if it is earlier.
  portal.validate = () => ({ say: 'token' });
  expect(await second.checkNow()).toMatchObject({ state: 'valid' });
});

// Guarantee: an expired token whose check is answered all the same (a clock that runs ahead) is grace.
test('a clock that runs ahead', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = () => {
    const iat = Math.floor((installation.clock.now() - 2 * dayMs) / 1000);
    return { say: 'token', claims: { iat, exp: iat + 86_400 } };
  };
  expect(await client.checkNow()).toMatchObject({ state: 'grace', lastCheck: { outcome: 'confirmed' } });
});

// Guarantee: a clock that is a few minutes behind means grace for these minutes only, and no more checks than daily.
test('a clock that is a little behind', async () => {
  await using installation = await install();
  const { clock, portal } = installation;
  const iat = Math.floor(clock.now() / 1000) + 7 * 60;
  portal.activate = () => ({ say: 'token', claims: { iat, exp: iat + 86_400 } });
  const client = await installation.activated();
  const untilNextMs = () => Date.parse(client.status().nextCheckAt ?? '') - clock.now();
  expect(client.status().state).toBe('grace');
  expect(untilNextMs()).toBeLessThanOrEqual(18 * minuteMs);
  clock.advance(2 * minuteMs);
  expect(client.status().state).toBe('valid');
  expect(untilNextMs()).toBeGreaterThan(22 * 60 * minuteMs);
});

// Guarantee: waking from sleep asks at once.
test('resume', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = refuseWith('SUSPENDED');
  client.onResume();
  await eventually(() => expect(client.status()).toMatchObject({ state: 'rejected', code: 'SUSPENDED' }));
});

// Guarantee: there are never two checks at once.
test('checks join', async () => {
  await using installation = await install();
  const client = await installation.activated();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  installation.portal.validate = () => promise;
  const checks = [client.checkNow(), client.checkNow()];
  client.onResume();
  await eventually(() => expect(installation.portal.asked).toHaveLength(2));
  resolve({ say: 'token' });
  await Promise.all(checks);
  expect(installation.portal.asked).toHaveLength(2);
});

// Guarantee: a token that proves nothing any more is replaced once by the stored key; if that fails it is grace.
test('UNAUTHORIZED on validate', async () => {
  await using installation = await install();
  const { portal, licenseKey } = installation;
  const client = await installation.activated();
  portal.validate = refuseWith('UNAUTHORIZED');
  portal.asked.length = 0;
  expect(await client.checkNow()).toMatchObject({ state: 'valid', lastCheck: { outcome: 'confirmed' } });
  expect(portal.asked.map(({ path }) => path)).toEqual(['/api/licenses/validate', '/api/licenses/activate']);
  expect(portal.asked[1]?.body).toMatchObject({ licenseKey });

  portal.activate = refuseWith('UNAUTHORIZED');
  expect(await client.checkNow()).toMatchObject({ state: 'grace', lastCheck: { outcome: 'unreachable' } });
  portal.activate = refuseWith('HWID_MISMATCH');
  expect(await client.checkNow()).toMatchObject({ state: 'rejected', code: 'HWID_MISMATCH' });
});

// Guarantee: 429 counts as no answer, and the next check waits as long as it was asked to.
test('rate limit on validate', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = () => ({ say: 'http', status: 429, headers: { 'Retry-After': '2400' } });
  const { state, nextCheckAt } = await client.checkNow();
  expect(state).toBe('grace');
  expect(Date.parse(nextCheckAt ?? '') - installation.clock.now()).toBe(2_400_000);
});

// Guarantee: what another process activates is noticed by itself.
test('activation by another process', async () => {
  await using installation = await install();
  const api = await installation.open();
  const states: string[] = [];
  api.subscribe(({ state }) => states.push(state));
  const wizard = await installation.activated({ scheduled: false });
  await eventually(() => expect(api.status().state).toBe('valid'));
  await eventually(() => expect(states).toContain('valid'));
  expect(api.status().nextCheckAt).not.toBeNull();
  expect(wizard.status().nextCheckAt).toBeNull();
});

// Guarantee: a result for a record that was replaced meanwhile is dropped: an old refusal never hits a new activation.
test('a stale refusal', async () => {
  await using installation = await install();
  const api = await installation.activated();
  const { promise, resolve } = Promise.withResolvers<Reply>();
  installation.portal.validate = () => promise;
  const check = api.checkNow();
  await eventually(() => expect(installation.portal.asked).toHaveLength(2));
  await installation.activated({ scheduled: false });
  const { revision } = await readRecord(installation);
  resolve({ say: 'refuse', code: 'REVOKED' });
  expect(await check).toMatchObject({ state: 'valid' });
  expect(await readRecord(installation)).toMatchObject({ revision, refusal: null });
});

// Guarantee: a refusal holds also where it cannot be written down.
test.skipIf(process.platform !== 'linux')('a full disk at a refusal', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = refuseWith('REVOKED');
  await symlink('/dev/full', `${recordPath(installation)}.next`);
  expect(await client.checkNow()).toMatchObject({ state: 'rejected', code: 'REVOKED' });
  await writeFile(join(installation.home, 'license.json.touched'), '');
  expect((await readRecord(installation)).refusal).toBeNull();
  client.onResume();
  await eventually(async () =>
    expect((await readRecord(installation)).refusal).toMatchObject({ code: 'REVOKED' }),
  );
});

// Guarantee: a record copied to another machine is no license there; activating there binds that machine's own HWID.
test('a copied record', async () => {
  await using installation = await install();
  const { hwid } = (await installation.activated()).status();
  installation.parts = someParts();
  installation.portal.asked.length = 0;
  const copy = await installation.open();
  expect(copy.status()).toMatchObject({
    state: 'rejected',
    code: 'LICENSE_RECORD_UNUSABLE',
    licenseId: null,
  });
  expect(copy.status().hwid).not.toBe(hwid);
  await copy.checkNow();
  expect(installation.portal.asked).toEqual([]);
  expect(await copy.activate(installation.licenseKey)).toEqual({ outcome: 'activated' });
  expect(copy.status()).toMatchObject({ state: 'valid' });
});

// Guarantee: nor does it help to know the HWID and to write other seals and another key into it.
test('an edited record', async () => {
  await using victim = await install();
  await victim.activated();
  const stolen = await readRecord(victim);
  await using thief = await install();
  await thief.activated();
  const own = await readRecord(thief);
  const { publicKey } = victim.portal.key;
  for (const forged of [
    stolen,
    { ...stolen, seals: own.seals },
    { ...stolen, seals: own.seals, licenseKey: own.licenseKey },
  ]) {
    await writeFile(recordPath(thief), JSON.stringify(forged));
    const client = await thief.open({ publicKey });
    expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
    await client[Symbol.asyncDispose]();
  }
});

// Guarantee: a BIOS update this year and a new disk next year lock nobody out; the HWID stays the same.
test('hardware that changes bit by bit', async () => {
  await using installation = await install();
  const first = await installation.activated();
  const { hwid } = first.status();
  await first[Symbol.asyncDispose]();
  for (const changed of ['smbiosUuid', 'diskSerial'] as const) {
    installation.parts = { ...installation.parts, [changed]: crypto.randomUUID() };
    const client = await installation.open();
    expect(client.status()).toMatchObject({ state: 'valid', hwid });
    expect(await client.checkNow()).toMatchObject({ state: 'valid', hwid });
    await client[Symbol.asyncDispose]();
  }
});

// Guarantee: an identifier that cannot be read at a start heals the license as soon as it can be.
test('an identifier that comes back', async () => {
  await using installation = await install();
  const { machineId, smbiosUuid } = installation.parts;
  installation.parts = { ...(machineId && { machineId }), ...(smbiosUuid && { smbiosUuid }) };
  await (await installation.activated())[Symbol.asyncDispose]();
  installation.parts = { ...(machineId && { machineId }) };
  const client = await installation.open();
  expect(await client.checkNow()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
  installation.parts = { ...installation.parts, ...(smbiosUuid && { smbiosUuid }) };
  expect(await toNextCheck(client, installation)).toMatchObject({ state: 'valid' });
});

// Guarantee: a damaged license.json is a clear state and never a crash; it is kept when a new activation replaces it.
test('a damaged record', async () => {
  await using installation = await install();
  await (await installation.activated())[Symbol.asyncDispose]();
  const cut = (await readFile(recordPath(installation), 'utf8')).slice(0, 300);
  await writeFile(recordPath(installation), cut);
  const client = await installation.open();
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_RECORD_UNUSABLE' });
  expect(await client.activate(installation.licenseKey)).toEqual({ outcome: 'activated' });
  expect(client.status().state).toBe('valid');
  expect(await readFile(`${recordPath(installation)}.unreadable`, 'utf8')).toBe(cut);
});

// Guarantee: a build or .env of another environment says so, and names the key that signed.
test('another public key', async () => {
  await using installation = await install();
  await (await installation.activated())[Symbol.asyncDispose]();
  const { publicKey } = await newSigningKey();
  const client = await installation.open({ publicKey });
  expect(client.status()).toMatchObject({ state: 'rejected', code: 'LICENSE_WRONG_ENVIRONMENT' });
  expect(client.status().detail).toContain(installation.portal.key.kid);
});

// Guarantee: features and the cluster cap are those of the token, and nothing is allowed without a license.
test('features', async () => {
  await using installation = await install();
  const { portal } = installation;
  const client = await installation.open();
  expect([client.featureAllowed('mods'), client.maxClusters()]).toEqual([false, 0]);
  await client.activate(installation.licenseKey);
  expect([client.featureAllowed('mods'), client.maxClusters()]).toEqual([true, null]);
  portal.validate = () => ({ say: 'token', claims: { features: ['store'], maxClusters: 2 } });
  await client.checkNow();
  expect([client.featureAllowed('mods'), client.featureAllowed('store'), client.maxClusters()]).toEqual([
    false,
    true,
    2,
  ]);
  portal.validate = refuseWith('REVOKED');
  await client.checkNow();
  expect([client.featureAllowed('store'), client.maxClusters()]).toEqual([false, 0]);
});
