import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refusalCodes } from '#contracts/license/license-refusals.ts';
import { eventually } from '#harness/eventually.ts';
import { smallDisk } from '#harness/small-disk.ts';
import { away, type Reply, refuseWith } from './testing/fake-portal.ts';
import { install, readRecord, recordPath, toNextCheck } from './testing/installation.ts';

const minuteMs = 60_000;

// Guarantee: a slow or silent portal delays no start; a valid token is enough.
test('a start without the portal', async () => {
  await using installation = await install();
  await using first = await installation.activated();
  await first[Symbol.asyncDispose]();
  installation.portal.validate = () => ({ say: 'nothing' });
  const client = await installation.open();
  expect(client.status().state).toBe('valid');
  await eventually(() => expect(installation.portal.asked).toHaveLength(2));
  // Closing does not wait for the portal either, and an aborted check says nothing.
  await client[Symbol.asyncDispose]();
  expect((await readRecord(installation)).lastCheck.outcome).toBe('confirmed');
});

// Guarantee: each of the portal's refusals rejects immediately, survives a restart, and heals without help once it is withdrawn.
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
  const waitMs = Date.parse(second.status().nextCheckAt ?? '') - installation.clock.nowMs();
  expect(waitMs).toBeLessThanOrEqual(18 * minuteMs);
  expect(await toNextCheck(second, installation)).toMatchObject({ state: 'valid', code: null });
  expect((await readRecord(installation)).refusal).toBeNull();
});

// Guarantee: the end of the license is known from the portal's newest answer, even without the portal; it is shown and decides
// nothing, and nothing is made up when an older portal does not send it.
test('when the license ends', async () => {
  await using installation = await install();
  const { portal } = installation;
  const client = await installation.activated();
  expect(client.status()).not.toHaveProperty('endsAt');
  portal.licenseEnd = '2031-05-04T00:00:00.000Z';
  expect(await client.checkNow()).toMatchObject({ state: 'valid', endsAt: portal.licenseEnd });
  portal.validate = away;
  expect(await client.checkNow()).toMatchObject({ state: 'grace', endsAt: portal.licenseEnd });
  await client[Symbol.asyncDispose]();
  const again = await installation.open();
  expect(again.status()).toMatchObject({ endsAt: portal.licenseEnd });
  portal.validate = () => ({ say: 'token' });
  portal.licenseEnd = 'never';
  expect(await again.checkNow()).toMatchObject({ endsAt: null });
  // Even if past or unreadable, it blocks nothing: the portal refuses an expired license.
  portal.licenseEnd = '2001-01-01T00:00:00.000Z';
  expect(await again.checkNow()).toMatchObject({ state: 'valid', endsAt: portal.licenseEnd });
  portal.licenseEnd = 'soon <b>';
  const status = await again.checkNow();
  expect(status.state).toBe('valid');
  expect(status).not.toHaveProperty('endsAt');
});

// Guarantee: a proxy's own 403 page, or anything else that is not the portal's refusal, means grace and no rejection.
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

// Guarantee: waking from sleep triggers a check immediately.
test('resume', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = refuseWith('SUSPENDED');
  client.onResume();
  await eventually(() => expect(client.status()).toMatchObject({ state: 'rejected', code: 'SUSPENDED' }));
});

// Guarantee: there are never two checks at the same time.
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

// Guarantee: a token that proves nothing any more is replaced once by means of the stored key; if that fails, grace follows.
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

// Guarantee: 429 counts as no answer, and the next check waits as long as the portal asked.
test('rate limit on validate', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = () => ({ say: 'http', status: 429, headers: { 'Retry-After': '2400' } });
  const { state, nextCheckAt } = await client.checkNow();
  expect(state).toBe('grace');
  expect(Date.parse(nextCheckAt ?? '') - installation.clock.nowMs()).toBe(2_400_000);
});

// Guarantee: a result for a record that has been replaced is dropped: an old refusal never hits a new activation.
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

// Guarantee: a refusal takes effect even if it cannot be written down.
test.skipIf(process.platform !== 'linux')('a full disk at a refusal', async () => {
  await using installation = await install();
  const client = await installation.activated();
  installation.portal.validate = refuseWith('REVOKED');
  await symlink('/dev/full', `${recordPath(installation)}.next`);
  expect(await client.checkNow()).toMatchObject({
    state: 'rejected',
    code: 'REVOKED',
    notSaved: 'the disk is full; make room on it',
  });
  await writeFile(join(installation.home, 'license.json.touched'), '');
  expect((await readRecord(installation)).refusal).toBeNull();
  client.onResume();
  await eventually(async () =>
    expect((await readRecord(installation)).refusal).toMatchObject({ code: 'REVOKED' }),
  );
  await eventually(() => expect(client.status().notSaved).toBeUndefined());
});

// Guarantee: an answer that could not be saved is saved once there is room, without asking the portal again; until then the status
// gives the reason, and the file stays whole.
test('a disk that has room again', { tags: 'mount' }, async () => {
  using disk = smallDisk(1);
  if (disk === null) throw new Error('no disk');
  await using installation = await install();
  const client = await installation.activated({ home: disk.path, scheduled: false });
  const read = async () => JSON.parse(await readFile(join(disk.path, 'license.json'), 'utf8'));
  const before = await read();
  await disk.fill();
  installation.portal.validate = refuseWith('SUSPENDED');
  expect(await client.checkNow()).toMatchObject({
    code: 'SUSPENDED',
    notSaved: expect.stringContaining('full'),
  });
  expect(await read()).toEqual(before);
  expect(await readdir(disk.path)).not.toContain('license.json.next');
  await disk.clear();
  await eventually(async () => expect((await read()).refusal).toMatchObject({ code: 'SUSPENDED' }), 15_000);
  // The file is in place a moment before the client reports it.
  await eventually(() => expect(client.status().notSaved).toBeUndefined());
});

// Guarantee: an old, replayed answer, or one from a portal whose clock is wrong, takes nothing from a working license: a token past
// its grace never replaces one that lasts longer.
test('a valid answer that is past its grace', async () => {
  await using installation = await install();
  const { portal, clock } = installation;
  const client = await installation.activated();
  const held = await readRecord(installation);
  const iat = Math.floor(clock.nowMs() / 1000) - 9 * 86_400;
  const stale: Reply = { say: 'token', claims: { iat, exp: iat + 86_400 } };
  portal.validate = () => stale;
  expect(await client.checkNow()).toMatchObject({
    state: 'grace',
    detail: expect.stringContaining('expired'),
    lastCheck: { outcome: 'unreachable' },
  });
  expect((await readRecord(installation)).token).toBe(held.token);
  portal.activate = () => stale;
  expect(await client.activate(installation.licenseKey)).toMatchObject({ outcome: 'unreachable' });
  expect((await readRecord(installation)).token).toBe(held.token);
  portal.validate = () => ({ say: 'token' });
  expect(await client.checkNow()).toMatchObject({ state: 'valid' });
});

// Guarantee: if nothing better is held, the newest token is kept whatever this machine's clock says about it.
test('a machine whose clock is weeks ahead', async () => {
  await using installation = await install();
  const client = await installation.activated();
  const iat = Math.floor(installation.clock.nowMs() / 1000) + 60;
  installation.portal.validate = () => ({ say: 'token', claims: { iat, exp: iat + 86_400 } });
  installation.clock.advance(30 * 86_400_000);
  expect(await client.checkNow()).toMatchObject({ state: 'rejected', code: 'CLOCK_AHEAD' });
  const [, payload = ''] = String((await readRecord(installation)).token).split('.');
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iat });
});
