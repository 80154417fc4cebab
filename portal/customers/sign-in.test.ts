import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersHttp } from '#contracts/customers.ts';
import { type TestDatabase, testDatabase } from '#harness/database.ts';
import { mailsTo } from '#harness/mailbox.ts';
import { movableClock, newAddress, newMasterKey, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { forgetOldSignIns } from './forget-old-sign-ins.ts';
import { createCaller } from './testing/customer-caller.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const masterKey = newMasterKey();
const clock = movableClock();
let database: TestDatabase;
/** Two processes of one portal. */
let portal: TestPortal;
let second: TestPortal;
let caller: ReturnType<typeof createCaller>;

beforeAll(async () => {
  database = await testDatabase();
  const options = { databaseUrl: database.url, masterKey, clock };
  portal = await startTestPortal(options);
  second = await startTestPortal(options);
  caller = createCaller(portal, masterKey);
});
afterAll(async () => {
  await second?.[Symbol.asyncDispose]();
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const wrongFor = (code: string) => `${code.startsWith('0') ? '1' : '0'}${code.slice(1)}`;

// Guarantee: a code signs in whoever asked for it, once, at any portal process, in whatever way it is typed.
test('sign in by code', async () => {
  const { ask, newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email, license } = await newCustomer();
  const { body } = await requestCode(email.toUpperCase());
  const code = await codeFor(email);
  const typed = ` ${code.replace('-', ' ').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `;
  const answer = await signInWith(body.pending, typed, second);
  expect([answer.status, answer.body.email]).toEqual([200, email]);
  const licenses = await ask(customersHttp.licenses, { as: answer.body.token });
  expect(licenses.body.rows.map(({ id }: { id: string }) => id)).toEqual([license.id]);
  expect((await signInWith(body.pending, code)).status).toBe(401);
});

// Guarantee: a code is worth nothing to anybody but the browser or program that asked for it.
test('a code is bound to who asked', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email } = await newCustomer();
  const mine = (await requestCode(email)).body.pending;
  const theirs = (await requestCode('somebody@example.com')).body.pending;
  const code = await codeFor(email);
  expect((await signInWith(theirs, code)).status).toBe(401);
  expect((await signInWith('pend_unknown', code)).status).toBe(401);
  expect((await signInWith(mine, code)).status).toBe(200);
});

// Guarantee: five wrong codes are the end of it, counted over all portal processes; the right one then fails too.
test('five tries', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email } = await newCustomer();
  const { pending } = (await requestCode(email)).body;
  const code = await codeFor(email);
  const wrong = wrongFor(code);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => signInWith(pending, wrong, index % 2 ? portal : second)),
  );
  expect(answers.every(({ status }) => status === 401)).toBe(true);
  expect(answers.filter(({ body }) => body.detail.includes('Tries left'))).toHaveLength(4);
  expect((await signInWith(pending, code)).status).toBe(401);
});

// Guarantee: of two who send the right code at the same moment one is signed in.
test('a code sent twice', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email } = await newCustomer();
  const { pending } = (await requestCode(email)).body;
  const code = await codeFor(email);
  const answers = await Promise.all([signInWith(pending, code), signInWith(pending, code, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

// Guarantee: a code runs out after ten minutes, and what is no code at all costs no try.
test('codes run out', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email } = await newCustomer();
  const { pending } = (await requestCode(email)).body;
  for (let time = 0; time < 6; time += 1) expect((await signInWith(pending, 'hello')).status).toBe(401);
  clock.pass(10 * minuteMs - 1);
  expect((await signInWith(pending, await codeFor(email))).status).toBe(200);
  const again = (await requestCode(email)).body.pending;
  clock.pass(10 * minuteMs);
  expect((await signInWith(again, await codeFor(email))).status).toBe(401);
});

// Guarantee: nobody is flooded with mails, and nobody who knows an address can keep its owner out from elsewhere; an
// address that nobody here has is throttled just the same.
test('codes are throttled', async () => {
  const { newCustomer, requestCode } = caller;
  const { email } = await newCustomer();
  const attacker = newAddress();
  for (const target of [email, 'no-customer@example.com']) {
    const from = target === email ? attacker : newAddress();
    const answers = [];
    for (let time = 0; time < 6; time += 1)
      answers.push(await requestCode(target, from, time % 2 ? portal : second));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = answers[5];
    expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(3000);
    expect(Number(refused?.headers.get('Retry-After'))).toBeLessThanOrEqual(3600);
    expect((await requestCode(target)).status).toBe(200);
  }
  const flood = await Promise.all(Array.from({ length: 40 }, () => requestCode(email)));
  expect(flood.filter(({ status }) => status === 200)).toHaveLength(20 - 6);
  expect((await mailsTo(portal.context, masterKey, email)).length).toBe(20);
});

// Guarantee: "sign out everywhere" ends every session and voids the codes that are on their way, in every process.
test('sign out everywhere', async () => {
  const { ask, newCustomer, requestCode, codeFor, signInWith, signIn } = caller;
  const { email } = await newCustomer();
  const tokens = [await signIn(email), await signIn(email)];
  const [first = '', other = ''] = tokens;
  const { body } = await ask(customersHttp.sessions, { as: first });
  expect(body.rows).toHaveLength(2);
  expect(body.rows.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  const { pending } = (await requestCode(email)).body;
  expect((await ask(customersHttp.signOutEverywhere, { as: first, at: second })).body).toEqual({ ended: 2 });
  for (const token of [first, other])
    expect((await ask(customersHttp.licenses, { as: token })).status).toBe(401);
  expect((await signInWith(pending, await codeFor(email))).status).toBe(401);
});

// Guarantee: a session ends a day after its last use, and a week after its beginning however much it is used; what is
// kept of it and of old codes is then deleted.
test('sessions end', async () => {
  const { ask, newCustomer, signIn } = caller;
  const { email } = await newCustomer();
  const idle = await signIn(email);
  const busy = await signIn(email);
  for (let hours = 0; hours < 6 * 24; hours += 20) {
    clock.pass(20 * 60 * minuteMs);
    expect((await ask(customersHttp.licenses, { as: busy })).status).toBe(200);
  }
  expect((await ask(customersHttp.licenses, { as: idle })).status).toBe(401);
  clock.pass(dayMs);
  expect((await ask(customersHttp.licenses, { as: busy })).status).toBe(401);
  await forgetOldSignIns(portal.context.pool, clock);
  for (const table of ['customer_sessions', 'customer_codes'])
    expect((await portal.context.pool.query(`select * from ${table}`)).rows).toEqual([]);
});

// Guarantee: whoever reads the database finds no code, no token, and no way to try codes against it.
test('codes and sessions rest hashed', async () => {
  const { newCustomer, requestCode, codeFor, signIn } = caller;
  const { email } = await newCustomer();
  const token = await signIn(email);
  const { pending } = (await requestCode(email)).body;
  const code = await codeFor(email);
  const { pool } = portal.context;
  const texts = await Promise.all(
    ['customer_codes', 'customer_sessions', 'customer_attempts', 'mail_outbox'].map(async (table) =>
      JSON.stringify((await pool.query(`select row_to_json(t)::text as row from ${table} as t`)).rows),
    ),
  );
  for (const secret of [token, pending, code, code.replace('-', '')])
    expect(texts.some((text) => text.includes(secret))).toBe(false);
});

// Guarantee: what has run out is deleted without waiting for whoever holds such a row, and later all the same.
test('deleting waits for nobody', async () => {
  const { newCustomer, requestCode, signIn } = caller;
  const { email } = await newCustomer();
  await signIn(email);
  await requestCode(email);
  clock.pass(8 * dayMs);
  const { pool } = portal.context;
  const left = async () =>
    (
      await pool.query(`
        select (select count(*)::int from customer_codes) as codes,
          (select count(*)::int from customer_sessions) as sessions`)
    ).rows;
  const holder = await pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from customer_codes for update');
    await holder.query('select from customer_sessions for update');
    await forgetOldSignIns(second.context.pool, clock);
    expect(await left()).not.toEqual([{ codes: 0, sessions: 0 }]);
    await holder.query('rollback');
  } finally {
    holder.release();
  }
  await forgetOldSignIns(second.context.pool, clock);
  expect(await left()).toEqual([{ codes: 0, sessions: 0 }]);
});
