import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, person, signIn, type TestPerson } from '../../kernel/testing/call.ts';
import { sqlSession } from '../../kernel/testing/sql.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';

let nowMs = Date.UTC(2030, 0, 1);
const running = apiForThisFile({ now: () => nowMs });
const stepMs = 30_000;

const codeAt = (secret: string, ms: number) => generateSync({ secret, epoch: ms / 1000 });

const enrol = async ({ token, password }: TestPerson) => {
  const { port } = running();
  const begun = await call(port, accountHttp.enrolTotp, { as: token, body: { password } });
  const secret = String(begun.json.secret);
  const done = await call(port, accountHttp.confirmTotp, {
    as: token,
    body: { code: codeAt(secret, nowMs) },
  });
  return { secret, uri: String(begun.json.uri), codes: done.json.recoveryCodes as string[] };
};

const challengeOf = async ({ name, password }: TestPerson): Promise<string> => {
  const answer = await call(running().port, sessionsHttp.signIn, { body: { name, password } });
  expect(answer.json).toMatchObject({ outcome: 'second-step' });
  expect(answer.headers['set-cookie']).toBeUndefined();
  return String(answer.json.challenge);
};

const secondStep = (challenge: string, code: string) =>
  call(running().port, sessionsHttp.secondStep, { body: { challenge, code, transport: 'bearer' } });

// Guarantee: with two-step sign-in on, the password alone opens nothing; a code does, once.
test('two-step sign-in', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const { secret, uri } = await enrol(someone);
  expect(uri).toMatch(/^otpauth:\/\/totp\/Castellan/);

  nowMs += stepMs;
  const challenge = await challengeOf(someone);
  expect((await secondStep(challenge, '000000')).json.code).toBe('WRONG_CREDENTIALS');
  const code = codeAt(secret, nowMs);
  expect((await secondStep(challenge, code)).json).toMatchObject({ outcome: 'signed-in' });
  expect((await secondStep(challenge, codeAt(secret, nowMs + stepMs))).json.code).toBe('WRONG_CREDENTIALS');
  // Seen over the shoulder, and still valid by the clock.
  expect((await secondStep(await challengeOf(someone), code)).json.code).toBe('WRONG_CREDENTIALS');
  nowMs += stepMs;
  const next = await secondStep(await challengeOf(someone), codeAt(secret, nowMs));
  expect(next.json).toMatchObject({ outcome: 'signed-in' });
});

// Guarantee: of many who show the same code at the same moment, one gets in.
test('the same code at once', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const { secret } = await enrol(someone);
  nowMs += stepMs;
  const challenges = await Promise.all([challengeOf(someone), challengeOf(someone), challengeOf(someone)]);
  const answers = await Promise.all(challenges.map((each) => secondStep(each, codeAt(secret, nowMs))));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

// Guarantee: a challenge is valid for five minutes, and no longer once the password was changed.
test('the end of a challenge', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const { secret, codes } = await enrol(someone);
  nowMs += stepMs;
  const old = await challengeOf(someone);
  nowMs += 5 * 60_000 + 1;
  expect((await secondStep(old, codeAt(secret, nowMs))).json.code).toBe('WRONG_CREDENTIALS');

  const voided = await challengeOf(someone);
  await call(port, adminsHttp.resetPassword, {
    as: testDesktopCredential,
    params: { id: someone.id },
    body: { password: 'another password' },
  });
  expect((await secondStep(voided, codes[0] ?? '')).json.code).toBe('WRONG_CREDENTIALS');
});

// Guarantee: guessing codes with the right password gets a handful of tries, over any number of challenges.
test('guessed codes', async () => {
  const someone = await person(running().port, { role: 'viewer' });
  const { secret } = await enrol(someone);
  nowMs += stepMs;
  const challenge = await challengeOf(someone);
  for (let tries = 0; tries < 5; tries += 1)
    expect((await secondStep(challenge, String(100_000 + tries))).json.code).toBe('WRONG_CREDENTIALS');
  expect((await secondStep(challenge, codeAt(secret, nowMs))).json.code).toBe('WRONG_CREDENTIALS');
  expect((await secondStep(await challengeOf(someone), '123456')).json.code).toBe('RATE_LIMITED');
});

// Guarantee: each recovery code works once, however it is typed, and new ones make the old ones worthless.
test('recovery codes', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const { codes } = await enrol(someone);
  expect(codes).toHaveLength(10);
  const [first = '', second = ''] = codes;
  const typed = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  expect((await secondStep(await challengeOf(someone), typed)).json).toMatchObject({ outcome: 'signed-in' });
  expect((await secondStep(await challengeOf(someone), first)).status).toBe(401);
  const me = await call(port, accountHttp.me, { as: someone.token });
  expect(me.json.account).toMatchObject({ totp: 'on', recoveryCodesLeft: 9 });
  const renewed = await call(port, accountHttp.renewRecoveryCodes, {
    as: someone.token,
    body: { password: someone.password },
  });
  expect(renewed.json.recoveryCodes).toHaveLength(10);
  expect((await secondStep(await challengeOf(someone), second)).status).toBe(401);
});

// Guarantee: a finder of an open browser cannot take the account over: each change needs the password, and guesses are few.
test('the password is asked for', async () => {
  const { port } = running();
  const someone = await person(port, { role: 'viewer' });
  const as = someone.token;
  const wrong = 'not this one';
  expect((await call(port, accountHttp.enrolTotp, { as, body: { password: wrong } })).status).toBe(401);
  expect((await call(port, accountHttp.confirmTotp, { as, body: { code: '123456' } })).json.code).toBe(
    'TOTP_STATE',
  );
  const { password } = someone;
  expect((await call(port, accountHttp.disableTotp, { as, body: { password } })).json.code).toBe(
    'TOTP_STATE',
  );
  nowMs += 60 * 60_000;
  const statuses = [];
  for (let tries = 0; tries < 7; tries += 1) {
    const body = { currentPassword: wrong, newPassword: 'a new password' };
    statuses.push((await call(port, accountHttp.changePassword, { as, body })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  nowMs += 60 * 60_000;
  const other = await signIn(port, someone.name, password);
  const body = { currentPassword: password, newPassword: 'a new password' };
  expect((await call(port, accountHttp.changePassword, { as, body })).status).toBe(200);
  expect((await call(port, accountHttp.me, { as: other })).status).toBe(401);
  expect((await call(port, accountHttp.me, { as })).status).toBe(200);
  await signIn(port, someone.name, 'a new password');
});

// Guarantee: once turned off, one step is enough again; the seed at rest is sealed, and opens in its own row alone.
test('off, and at rest', async () => {
  const { port, databaseUrl } = running();
  const [someone, other] = [await person(port, { role: 'viewer' }), await person(port, { role: 'viewer' })];
  const [{ secret }] = [await enrol(someone), await enrol(other)];
  await using sql = await sqlSession(databaseUrl);
  const rows = await sql.query<{ totp_secret: string }>('select totp_secret from admins where id = $1', [
    someone.id,
  ]);
  expect(rows[0]?.totp_secret).toMatch(/^v1\.[0-9a-f]{8}\./);
  expect(rows[0]?.totp_secret).not.toContain(secret);
  await sql.query(
    'update admins set totp_secret = (select totp_secret from admins where id = $1) where id = $2',
    [someone.id, other.id],
  );
  nowMs += stepMs;
  const moved = await secondStep(await challengeOf(other), codeAt(secret, nowMs));
  expect(moved.json.code).toBe('SECRET_UNREADABLE');
  const { password, token } = someone;
  await call(port, accountHttp.disableTotp, { as: token, body: { password } });
  await signIn(port, someone.name, password);
});
