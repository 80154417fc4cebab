import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemContentType } from '#contracts/kernel/problems.ts';
import { licensesHttp } from '#contracts/license/licenses.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '../log.ts';
import { createMachine } from './hwid/machine.ts';
import { newSigningKey, type Reply, refuseWith } from './testing/fake-portal.ts';
import { install, readRecord, recordPath } from './testing/installation.ts';

// Guarantee: an activation binds this machine; the request is the documented one, and only we can read the record.
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

// Guarantee: neither the license key nor a token is ever logged or stored unencrypted.
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

// Guarantee: every way in which an activation can fail returns a value with a message, and leaves no record.
test('activations that fail', async () => {
  await using installation = await install();
  const { portal, licenseKey } = installation;
  const client = await installation.open();
  const activateWith = (reply: Reply) => {
    portal.activate = () => reply;
    return client.activate(licenseKey);
  };
  const unknown = await activateWith({ say: 'refuse', code: 'UNAUTHORIZED' });
  expect(unknown).toMatchObject({ outcome: 'unauthorized' });
  const elsewhere = await activateWith({ say: 'refuse', code: 'HWID_MISMATCH' });
  expect(elsewhere).toMatchObject({ outcome: 'refused', code: 'HWID_MISMATCH' });
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

// Guarantee: a license bound when this machine's disk did not count yet is found again without a record, by one more question.
test('a former hardware id', async () => {
  await using installation = await install();
  const { portal, licenseKey, parts } = installation;
  const { diskSerial: _uncounted, ...counted } = parts;
  installation.parts = counted;
  const before = await installation.activated();
  const { hwid } = before.status();
  await rm(recordPath(installation));
  installation.parts = parts;
  portal.asked.length = 0;
  portal.activate = () =>
    portal.asked.at(-1)?.body.hwid === hwid ? { say: 'token' } : { say: 'refuse', code: 'HWID_MISMATCH' };
  const after = await installation.open();
  expect(await after.activate(licenseKey)).toEqual({ outcome: 'activated' });
  expect(after.status()).toMatchObject({ state: 'valid', hwid });
  expect(portal.asked).toHaveLength(2);
  // From now on two of three suffice.
  installation.parts = { ...parts, machineId: randomUUID() };
  expect((await installation.open()).status()).toMatchObject({ state: 'valid', hwid });
});

// Guarantee: on a machine without a usable identifier the message says what to do; nothing is sent, and it can be fixed without a restart.
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

// Guarantee: nothing new is bound to the machine-id of a container's image, which others have too; a home that was bound to it
// opens as before, with its HWID, and one without its record is found again once the container has something of its own.
test('the machine-id of an image', async () => {
  await using installation = await install();
  const { parts, licenseKey, portal } = installation;
  // Clients with a license also have it checked in the background.
  const activations = () => portal.asked.filter(({ path }) => path === licensesHttp.activate.path);
  const { smbiosUuid: _unread, diskSerial: _overlay, ...ofImage } = parts;
  installation.parts = ofImage;
  const before = await installation.activated();
  const { hwid } = before.status();
  const inContainer = () =>
    createMachine(
      async (name) => installation.parts[name] ?? null,
      async (name) => name === 'machineId',
    );
  const after = await installation.open({ readMachine: inContainer });
  expect(after.status()).toMatchObject({ state: 'valid', hwid });
  expect(await after.activate(licenseKey)).toEqual({ outcome: 'activated' });
  expect((await installation.open({ readMachine: inContainer })).status()).toMatchObject({
    state: 'valid',
    hwid,
  });

  await rm(recordPath(installation));
  portal.asked.length = 0;
  const fresh = await installation.open({ readMachine: inContainer });
  expect(fresh.status()).toMatchObject({ code: 'HWID_UNAVAILABLE', hwid: null });
  expect(await fresh.activate(licenseKey)).toMatchObject({
    outcome: 'hwid-unavailable',
    detail: expect.stringContaining('-v /etc/machine-id:/etc/machine-id:ro'),
  });
  expect(activations()).toEqual([]);

  installation.parts = parts;
  portal.activate = () =>
    activations().at(-1)?.body.hwid === activations()[0]?.body.hwid
      ? { say: 'refuse', code: 'HWID_MISMATCH' }
      : { say: 'token' };
  const found = await installation.open({ readMachine: inContainer });
  expect(await found.activate(licenseKey)).toEqual({ outcome: 'activated' });
  expect(activations()).toHaveLength(2);
});

// Guarantee: the caller learns when the disk takes no record, and the earlier activation stays.
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

// Guarantee: an activation by another process is noticed without a call.
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
