import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { type Admin, adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, changeAdmin, newApiKey, person, signIn, stepUp } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

let nowMs = Date.UTC(2030, 0, 1);
const running = apiForThisFile({ now: () => nowMs });

const another = 'another long password';
let names = 0;
const newName = () => {
  names += 1;
  return `made ${names}`;
};

/** An owner who has signed in and not confirmed anything since. */
const ownerAtTheStart = async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  return { ...owner, token: await signIn(port, owner.name, owner.password) };
};
const newKey = (as: string) =>
  call(running().port, apiKeysHttp.create, {
    as,
    body: { name: 'k', permissions: ['events.read'], expiresInDays: 1 },
  });
const show = (as: string, body: { password: string } | { code: string }) =>
  call(running().port, accountHttp.stepUp, { as, body });

// Guarantee: keys, owners, roles that give permissions, resets, and the end of a second factor each ask for the person
// again; lesser acts do not. After the step-up each of them passes, for ten minutes and in that session alone.
test('what asks for a step-up', async () => {
  const { port } = running();
  const { token: as, name, password } = await ownerAtTheStart();
  const helper = await person(port, { role: 'viewer' });
  const params = { id: helper.id };
  const grant = (role: string) => changeAdmin(port, { as, id: helper.id, edit: { role } });
  const newRole = (permissions: ('admins.write' | 'events.read')[]) =>
    call(port, rolesHttp.create, { as, body: { name: newName(), permissions } });
  const newAdmin = (role: string) =>
    call(port, adminsHttp.create, { as, body: { name: newName(), password: another, role } });
  const dangerous = [
    () => newKey(as),
    () => newAdmin('owner'),
    () => grant('owner'),
    () => newRole(['admins.write']),
    () => call(port, adminsHttp.resetPassword, { as, params, body: { password: another } }),
    () => call(port, adminsHttp.remove, { as, params }),
  ];
  // The last act concerns someone who is an owner at that point.
  for (const act of dangerous.slice(0, -1)) {
    const { status, json, text } = await act();
    expect([status, json.code], text).toEqual([403, 'STEP_UP_REQUIRED']);
  }
  for (const act of [accountHttp.disableTotp, accountHttp.renewRecoveryCodes])
    expect((await call(port, act, { as, body: {} })).json.code).toBe('STEP_UP_REQUIRED');
  for (const { status } of [
    await newAdmin('viewer'),
    await grant('moderator'),
    await newRole(['events.read']),
  ])
    expect(status).toBe(200);

  const other = await signIn(port, name, password);
  await stepUp(port, as, password);
  for (const act of dangerous) expect((await act()).status).toBe(200);
  expect((await newKey(other)).json.code).toBe('STEP_UP_REQUIRED');

  await using sql = await sqlSession(running().databaseUrl);
  const shift = (by: string) =>
    sql.query(`update sessions set stepped_up_at = now() + $1::interval where stepped_up_at is not null`, [
      by,
    ]);
  await shift('-590 seconds');
  expect((await newKey(as)).status).toBe(200);
  for (const by of ['-601 seconds', '1 minute']) {
    await shift(by);
    expect((await newKey(as)).json.code).toBe('STEP_UP_REQUIRED');
  }
});

// Guarantee: the second factor is as good as the password; a code works once, and only if there is a factor.
test('a step-up by the second factor', async () => {
  const { port } = running();
  const { token, password } = await ownerAtTheStart();
  expect((await show(token, { code: '000000' })).json.code).toBe('TOTP_STATE');
  const begun = await call(port, accountHttp.enrolTotp, { as: token, body: { password } });
  const secret = String(begun.json.secret);
  const codeNow = () => generateSync({ secret, epoch: nowMs / 1000 });
  await call(port, accountHttp.confirmTotp, { as: token, body: { code: codeNow() } });
  expect((await show(token, { code: codeNow() })).json.code).toBe('WRONG_CREDENTIALS');
  nowMs += 30_000;
  const until = Date.parse(String((await show(token, { code: codeNow() })).json.until));
  expect(until - Date.now()).toBeGreaterThan(9 * 60_000);
  expect((await newKey(token)).status).toBe(200);
  const renewed = await call(port, accountHttp.renewRecoveryCodes, { as: token, body: {} });
  expect(renewed.json.recoveryCodes).toHaveLength(10);
  expect((await call(port, accountHttp.disableTotp, { as: token, body: {} })).status).toBe(200);
});

// Guarantee: guessing in an open session is throttled, notifies the owner, and keeps the true owner's own session open.
test('guesses', async () => {
  const { port, databaseUrl } = running();
  const owner = await ownerAtTheStart();
  const stolen = owner.token;
  const answers: unknown[] = [];
  for (let guess = 0; guess < 7; guess += 1)
    answers.push((await show(stolen, { password: `guess ${guess}` })).json.code);
  expect(answers).toEqual([...Array(5).fill('WRONG_CREDENTIALS'), 'RATE_LIMITED', 'RATE_LIMITED']);
  const late = await show(stolen, { password: owner.password });
  expect([late.status, Number(late.headers['retry-after']) > 0]).toEqual([429, true]);
  await stepUp(port, await signIn(port, owner.name, owner.password), owner.password);
  nowMs += 30_000;
  expect((await show(stolen, { password: owner.password })).status).toBe(200);
  await using sql = await sqlSession(databaseUrl);
  const count = `select count(*)::int as n from event_logs where kind = 'login.failed' and payload->>'name' = $1`;
  await expect.poll(async () => (await sql.query(count, [owner.name]))[0]?.n).toBe(5);
});

// Guarantee: the desktop's credential alone is not a confirmation; what only its holder can add is.
test('the desktop confirms', async () => {
  const { port } = running();
  const body = { name: newName(), password: another, role: 'owner' };
  const ask = (confirmed: boolean, headers = {}) =>
    call(port, adminsHttp.create, { as: testDesktopCredential, body, confirmed, headers });
  expect((await ask(false)).json.code).toBe('STEP_UP_REQUIRED');
  expect((await ask(false, { 'Castellan-Confirmation': 'yes' })).json.code).toBe('STEP_UP_REQUIRED');
  expect((await ask(true)).status).toBe(200);
});

// Guarantee: a reset also revokes the admin's keys, unless the caller chooses to keep them.
test('keys and a reset', async () => {
  const { port } = running();
  for (const keepApiKeys of [false, true]) {
    const maker = await person(port, { role: 'owner' });
    const { key } = await newApiKey(port, maker.token, {
      name: 'k',
      permissions: ['events.read'],
      expiresInDays: 1,
    });
    const { status } = await call(port, adminsHttp.resetPassword, {
      as: testDesktopCredential,
      params: { id: maker.id },
      body: { password: another, keepApiKeys },
    });
    expect(status).toBe(200);
    expect((await call(port, accountHttp.me, { as: key })).status).toBe(keepApiKeys ? 200 : 401);
    expect((await call(port, accountHttp.me, { as: maker.token })).status).toBe(401);
    const { rows } = (await call(port, adminsHttp.list, { as: testDesktopCredential })).json;
    expect((rows as Admin[]).some(({ id }) => id === maker.id)).toBe(true);
  }
});
