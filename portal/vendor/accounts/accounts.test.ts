import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import {
  movableClock,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import { Secret } from '#runtime/secret.ts';
import { client, codeAt, enrolAccount } from '../testing/enrolled-account.ts';

const minuteMs = 60_000;
const adminToken = new Secret('a token that the vendor chose, long enough');
const masterKey = newMasterKey();
const clock = movableClock();
let database: TestDatabase;
let portal: TestPortal;
let other: TestPortal;
beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, masterKey, clock, adminToken });
  other = await startTestPortal({ databaseUrl: database.url, masterKey, clock, adminToken });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const area = () => portal.context.vendorArea;
const now = () => clock.now();
/** As if the person who tried had waited long enough; the budgets refill by the database's time. */
const refillBudgets = () =>
  portal.context.pool.query(`update vendor_attempts set counted_at = counted_at - interval '1 day'`);

// Guarantee: the admin token creates the first account and nothing else; if two use it at the same time, one wins, and
// from then on it is worthless, even if that account is disabled.
test('the first account', async () => {
  const { firstAccount, sessions } = area();
  expect(await firstAccount.open('wrong', '192.0.2.9')).toEqual({ outcome: 'wrong' });
  const permits = await Promise.all(
    [portal, other].map(async ({ context }, index) => {
      const opened = await context.vendorArea.firstAccount.open(adminToken.reveal(), `192.0.2.${index}`);
      return opened.outcome === 'opened' ? opened.permit : expect.fail(opened.outcome);
    }),
  );
  const create = (permit: string, name: string, password = 'a password of my own') => {
    const secret = firstAccount.offer(permit)?.secret.reveal() ?? '';
    return firstAccount.create(permit, { name, password, code: codeAt(secret, now()) }, client());
  };
  const [first = '', second = ''] = permits;
  expect(await create(first, '', 'a password of my own')).toMatchObject({
    outcome: 'refused',
    field: 'name',
  });
  expect(await create(first, 'Ada', 'short')).toMatchObject({ outcome: 'refused', field: 'password' });
  expect(
    await firstAccount.create(
      first,
      { name: 'Ada', password: 'long enough it is', code: '000000' },
      client(),
    ),
  ).toMatchObject({
    outcome: 'refused',
    field: 'code',
  });
  expect(
    await firstAccount.create(`${first}x`, { name: 'A', password: 'long enough it is', code: '' }, client()),
  ).toEqual({
    outcome: 'gone',
  });
  const made = await Promise.all([create(first, 'Ada'), create(second, 'Eve')]);
  expect(made.map(({ outcome }) => outcome).toSorted()).toEqual(['gone', 'signed-in']);
  const winner = made.find((answer) => answer.outcome === 'signed-in');
  expect(await sessions.find(winner?.token ?? '')).toMatchObject({ stage: 'full' });
  expect(await firstAccount.open(adminToken.reveal(), '192.0.2.1')).toEqual({ outcome: 'done-before' });
  await portal.context.pool.query('update vendor_accounts set disabled_at = now()');
  expect(await firstAccount.open(adminToken.reveal(), '192.0.2.1')).toEqual({ outcome: 'done-before' });
  expect(await create(first, 'Bo')).toEqual({ outcome: 'gone' });
});

// Guarantee: a password alone lets no one in; the first sign-in requires another password and an authenticator.
test('invitation and enrolment', async () => {
  const { accounts, signIn, enrolment, sessions } = area();
  const invited = await accounts.create('Grace', 'test');
  if (invited.outcome !== 'invited') return expect.fail(invited.reason);
  expect(await accounts.create(' gRACE ', 'test')).toMatchObject({ outcome: 'refused' });
  const { initialPassword } = invited;
  const first = await signIn.password('grace', initialPassword, client());
  if (first.outcome !== 'go-on') return expect.fail(first.outcome);
  expect(first.stage).toBe('enrol');
  expect(await signIn.code(first.token, '123456', client())).toEqual({ outcome: 'gone' });
  const secret = (await enrolment.offer(first.token))?.secret.reveal() ?? '';
  const code = codeAt(secret, now());
  const enrol = (wanted: { code: string; password: string }) =>
    enrolment.enrol(first.token, wanted, client());
  expect(await enrol({ code, password: initialPassword })).toMatchObject({ outcome: 'bad-password' });
  expect(await enrol({ code: '000000', password: 'a password of hers' })).toEqual({ outcome: 'wrong-code' });
  const done = await Promise.all([1, 2].map(() => enrol({ code, password: 'a password of hers' })));
  expect(done.map(({ outcome }) => outcome).toSorted()).toEqual(['gone', 'signed-in']);
  expect(await sessions.find(first.token)).toBeNull();
  expect(await signIn.password('Grace', initialPassword, client())).toEqual({ outcome: 'wrong' });
});

// Guarantee: an unused invitation expires.
test('an invitation that is too old', async () => {
  const invited = await area().accounts.create('Late', 'test');
  if (invited.outcome !== 'invited') return expect.fail(invited.reason);
  clock.pass(7 * 24 * 60 * minuteMs);
  expect(await area().signIn.password('Late', invited.initialPassword, client())).toEqual({
    outcome: 'too-late',
  });
});

// Guarantee: each code lets in once, whether from the authenticator or a recovery code, and each sign-in has its own
// token.
test('codes', async () => {
  const { signIn, sessions } = area();
  const account = await enrolAccount(portal, 'Codes');
  const enter = async (code: string) => {
    const step = await signIn.password('Codes', account.password, client());
    if (step.outcome !== 'go-on') return expect.fail(step.outcome);
    expect(await sessions.find(step.token)).toMatchObject({ stage: 'code' });
    return { step, answer: await signIn.code(step.token, code, client()) };
  };
  const used = codeAt(account.secret, now());
  expect((await enter(used)).answer).toEqual({ outcome: 'wrong', triesLeft: 4 });
  clock.pass(minuteMs);
  const fresh = codeAt(account.secret, now());
  const { step, answer } = await enter(`${fresh.slice(0, 3)} ${fresh.slice(3)}`);
  expect(answer.outcome).toBe('signed-in');
  expect(await sessions.find(step.token)).toBeNull();
  const [recovery = ''] = account.recoveryCodes;
  expect((await enter(recovery.toLowerCase().replaceAll('-', ' '))).answer.outcome).toBe('signed-in');
  expect((await enter(recovery)).answer.outcome).toBe('wrong');
});

// Guarantee: guesses are few, whichever process they are sent to; a browser that has signed in before can still sign in.
test('throttle', async () => {
  const account = await enrolAccount(portal, 'Guessed');
  const guess = (index: number) => {
    const { signIn } = (index % 2 ? portal : other).context.vendorArea;
    return signIn.password('Guessed', 'wrong', client(`198.51.100.${index}`));
  };
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)));
  expect(answers.filter(({ outcome }) => outcome === 'wrong').length).toBeLessThanOrEqual(12);
  expect(await area().signIn.password('Guessed', account.password, client('192.0.2.77'))).toMatchObject({
    outcome: 'rate-limited',
  });
  const known = client('192.0.2.77', account.device);
  const step = await area().signIn.password('Guessed', account.password, known);
  if (step.outcome !== 'go-on') return expect.fail(step.outcome);

  for (let triesLeft = 4; triesLeft > 0; triesLeft -= 1)
    expect(await area().signIn.code(step.token, '000000', known)).toEqual({ outcome: 'wrong', triesLeft });
  expect(await area().signIn.code(step.token, '000000', known)).toEqual({ outcome: 'gone' });
  clock.pass(minuteMs);
  expect(await area().signIn.code(step.token, codeAt(account.secret, now()), known)).toEqual({
    outcome: 'gone',
  });
  await refillBudgets();
  expect((await area().signIn.password('Guessed', account.password, client('192.0.2.78'))).outcome).toBe(
    'go-on',
  );
});

// Guarantee: a session ends after an hour without use, and after twelve hours in any case.
test('sessions end', async () => {
  const { sessions } = area();
  const { token } = await enrolAccount(portal, 'Idle');
  for (let passed = 0; passed < 11 * 60; passed += 55) {
    expect(await sessions.find(token)).not.toBeNull();
    clock.pass(55 * minuteMs);
  }
  clock.pass(56 * minuteMs);
  expect(await sessions.find(token)).toBeNull();
  const { token: idle } = await enrolAccount(portal, 'Idle too');
  clock.pass(61 * minuteMs);
  expect(await sessions.find(idle)).toBeNull();
});

// Guarantee: a disabled account is signed out immediately and works again once it is enabled; the last one cannot be
// disabled, not even by two who disable each other.
test('disable, enable and reset', async () => {
  await portal.context.pool.query('update vendor_accounts set disabled_at = now()');
  const { accounts, sessions, signIn } = area();
  const [one, two] = [await enrolAccount(portal, 'One'), await enrolAccount(portal, 'Two')];
  const each = await Promise.all([accounts.disable('one', 'Two'), accounts.disable('two', 'One')]);
  expect(each.map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'refused']);
  const [out, left] = each[0].outcome === 'changed' ? [one, two] : [two, one];
  expect(await sessions.find(out.token)).toBeNull();
  expect(await sessions.find(left.token)).not.toBeNull();
  expect(await signIn.password(out.name, out.password, client())).toEqual({ outcome: 'wrong' });
  expect(await accounts.enable(out.id, left.name)).toMatchObject({ outcome: 'changed' });
  expect((await signIn.password(out.name, out.password, client())).outcome).toBe('go-on');

  const reset = await accounts.reset(left.name, out.name);
  if (reset.outcome !== 'invited') return expect.fail(reset.reason);
  expect(await sessions.find(left.token)).toBeNull();
  expect(await signIn.password(left.name, left.password, client())).toEqual({ outcome: 'wrong' });
  expect(await signIn.password(left.name, reset.initialPassword, client())).toMatchObject({ stage: 'enrol' });
});

// Guarantee: changing the password requires the current one, and ends the other sessions; new recovery codes require a code.
test("one's own account", async () => {
  const { own, sessions, signIn } = area();
  const account = await enrolAccount(portal, 'Own');
  const vendor = (await sessions.find(account.token)) ?? expect.fail('no session');
  const step = await signIn.password('Own', account.password, client());
  if (step.outcome !== 'go-on') return expect.fail(step.outcome);
  expect(await own.changePassword(vendor, 'wrong', 'another long one')).toMatchObject({ code: 'wrong' });
  expect(await own.changePassword(vendor, account.password, 'another long one')).toEqual({
    outcome: 'changed',
  });
  expect(await sessions.find(step.token)).toBeNull();
  expect(await sessions.find(account.token)).not.toBeNull();
  expect(await own.renewCodes(vendor, '000000')).toEqual({ outcome: 'wrong-code' });
  clock.pass(minuteMs);
  expect(await own.renewCodes(vendor, codeAt(account.secret, now()))).toMatchObject({ outcome: 'renewed' });
});

// Guarantee: the tables contain no password, code, token or authenticator in plain text, and their log cannot be changed.
test('at rest', async () => {
  const account = await enrolAccount(portal, 'Canary');
  const tables = ['accounts', 'recovery_codes', 'sessions', 'devices', 'attempts', 'events'];
  const rows = await Promise.all(
    tables.map((name) => portal.context.pool.query(`select t::text from vendor_${name} as t`)),
  );
  const held = JSON.stringify(rows.map((result) => result.rows));
  const { password, secret, token, device, recoveryCodes } = account;
  for (const canary of [password, secret, token, device, ...recoveryCodes, adminToken.reveal()])
    expect(held).not.toContain(canary);
  await expect(portal.context.pool.query('delete from vendor_events')).rejects.toThrow(/append-only/);
});

// Guarantee: rotating the master key does not lock the vendor out.
test('a new master key', async () => {
  const account = await enrolAccount(portal, 'Rotated');
  const next = newMasterKey();
  await using rotated = await startTestPortal({
    databaseUrl: database.url,
    masterKey: next,
    previousMasterKeys: [masterKey],
    clock,
  });
  await rotated.context.reseal();
  await using alone = await startTestPortal({ databaseUrl: database.url, masterKey: next, clock });
  const { signIn } = alone.context.vendorArea;
  clock.pass(minuteMs);
  const step = await signIn.password('Rotated', account.password, client());
  if (step.outcome !== 'go-on') return expect.fail(step.outcome);
  expect((await signIn.code(step.token, codeAt(account.secret, now()), client())).outcome).toBe('signed-in');
});
