import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, person } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

let nowMs = Date.UTC(2030, 0, 1);
const running = apiForThisFile({ now: () => nowMs, trustProxy: ['loopback'] });

let addresses = 0;
/** Each from another address, so that only the cookie can make it known. */
const signInBy = async (name: string, password: string, device?: string) => {
  addresses += 1;
  const answer = await call(running().port, sessionsHttp.signIn, {
    body: { name, password },
    headers: {
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `198.51.${addresses >> 8}.${addresses & 255}`,
      ...(device === undefined ? {} : { Cookie: `castellan_device=${device}` }),
    },
  });
  const cookies = (answer.headers['set-cookie'] ?? []).join(';');
  return { status: answer.status, device: /castellan_device_\w+=([^;]+)/.exec(cookies)?.[1] ?? '' };
};
const wasteStrangersTries = async (name: string) => {
  for (let guess = 0; guess < 6; guess += 1) await signInBy(name, 'a wrong password');
  expect((await signInBy(name, 'a wrong password')).status).toBe(429);
};

// Guarantee: a device that has signed in keeps its own budget of tries until the password changes; then it is a stranger.
test('a device and the password that it signed in with', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const { device } = await signInBy(someone.name, someone.password);
  await wasteStrangersTries(someone.name);
  expect((await signInBy(someone.name, someone.password, device)).status).toBe(200);
  await call(running().port, adminsHttp.resetPassword, {
    as: testDesktopCredential,
    params: { id: someone.id },
    body: { password: 'the new password' },
  });
  expect((await signInBy(someone.name, 'the new password', device)).status).toBe(429);
  nowMs += 3_600_000;
  const again = await signInBy(someone.name, 'the new password', device);
  expect(again.status).toBe(200);
  expect(again.device).not.toBe(device);
});

// Guarantee: an admin has at most twenty known devices; the one not seen for longest is forgotten.
test('the number of devices', async () => {
  const { databaseUrl } = running();
  const someone = await person(running().port, { role: 'viewer' });
  const devices: string[] = [];
  for (let count = 0; count < 22; count += 1) {
    devices.push((await signInBy(someone.name, someone.password)).device);
    nowMs += 60_000;
  }
  await using sql = await sqlSession(databaseUrl);
  const [{ n } = { n: 0 }] = await sql.query<{ n: number }>(
    'select count(*)::int as n from known_devices where admin_id = $1',
    [someone.id],
  );
  expect(n).toBe(20);
  await wasteStrangersTries(someone.name);
  expect((await signInBy(someone.name, someone.password, devices.at(-1))).status).toBe(200);
  expect((await signInBy(someone.name, someone.password, devices[0])).status).toBe(429);
});

// Guarantee: a clock that was set back makes no stranger of a device that has just signed in.
test('devices that were last used in the future', async () => {
  const { databaseUrl } = running();
  const someone = await person(running().port, { role: 'viewer' });
  for (let count = 0; count < 20; count += 1) {
    await signInBy(someone.name, someone.password);
    nowMs += 60_000;
  }
  await using sql = await sqlSession(databaseUrl);
  await sql.query(`update known_devices set last_used_at = now() + interval '1 day' where admin_id = $1`, [
    someone.id,
  ]);
  const { device } = await signInBy(someone.name, someone.password);
  await wasteStrangersTries(someone.name);
  expect((await signInBy(someone.name, someone.password, device)).status).toBe(200);
});

// Guarantee: the browser in which an admin changes the password stays known; every other device becomes a stranger.
test('a change of the own password', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const { device } = await signInBy(someone.name, someone.password);
  const { device: other } = await signInBy(someone.name, someone.password);
  const newPassword = 'the new password';
  const changed = await call(running().port, accountHttp.changePassword, {
    as: someone.token,
    body: { currentPassword: someone.password, newPassword },
    headers: { Cookie: `castellan_device=${device}` },
  });
  expect(changed.status).toBe(200);
  await wasteStrangersTries(someone.name);
  expect((await signInBy(someone.name, newPassword, device)).status).toBe(200);
  expect((await signInBy(someone.name, newPassword, other)).status).toBe(429);
});
