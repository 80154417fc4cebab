import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersHttp } from '#contracts/portal/customers.ts';
import type { TestDatabase } from '#harness/database.ts';
import { mailsTo } from '#harness/mailbox.ts';
import {
  movableClock,
  newAddress,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
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
  database = await portalDatabase();
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

// Guarantee: a code signs in the client that asked for it, once, at any portal process, in whatever form it is typed.
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

// Guarantee: a code is worth nothing to anyone but the browser or program that asked for it.
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

// Guarantee: five wrong codes end it, counted over all portal processes; then even the right one fails.
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

// Guarantee: if the right code is sent twice at the same moment, one sender is signed in.
test('a code sent twice', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { email } = await newCustomer();
  const { pending } = (await requestCode(email)).body;
  const code = await codeFor(email);
  const answers = await Promise.all([signInWith(pending, code), signInWith(pending, code, second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

// Guarantee: a code expires after ten minutes, and text that cannot be a code costs no try.
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

// Guarantee: no one is flooded with mails, and an address without a customer is throttled just the same.
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
  expect(flood.filter(({ status }) => status === 200)).toHaveLength(40);
  // Twelve codes for those who asked, and one shared code for all others.
  expect((await mailsTo(portal.context, masterKey, email)).length).toBe(13);
  for (let minutes = 0; minutes < 50; minutes += 1) {
    clock.pass(minuteMs);
    await requestCode(email);
  }
  expect((await mailsTo(portal.context, masterKey, email)).length).toBeLessThanOrEqual(20);
});

const sharedCodes = async (email: string) =>
  (await mailsTo(portal.context, masterKey, email)).flatMap(
    ({ text }) => /\b\w{4}-\w{4}-\w{4}\b/.exec(text) ?? [],
  );

// Guarantee: thirty requests from thirty addresses, repeated any number of times, lock out no one who reads the
// mailbox; nor do they let anyone in.
test('strangers keep the owner out of nothing', async () => {
  const { newCustomer, requestCode, signInWith } = caller;
  const { email } = await newCustomer();
  const wave = () => Promise.all(Array.from({ length: 30 }, () => requestCode(email)));
  for (const minutes of [0, 5, 31, 7, 8]) {
    clock.pass(minutes * minuteMs);
    const strangers = await wave();
    const mine = await requestCode(email, newAddress(), second);
    expect(mine.status).toBe(200);
    const code = (await sharedCodes(email)).at(-1) ?? '';
    const guesses = await Promise.all(
      strangers.flatMap(({ body }) =>
        Array.from({ length: 5 }, () => signInWith(body.pending, wrongFor(code))),
      ),
    );
    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await signInWith(mine.body.pending, code)).status).toBe(200);
    // It was valid once, and never for a client that has not asked.
    expect((await signInWith((await requestCode(email)).body.pending, code)).status).toBe(401);
    expect((await signInWith('pend_unknown', code)).status).toBe(401);
  }
});

// Guarantee: a shared code is for one mailbox, and "sign out everywhere" voids it.
test('a shared code of another mailbox', async () => {
  const { ask, newCustomer, requestCode, signInWith, signIn } = caller;
  const [{ email }, other] = [await newCustomer(), await newCustomer()];
  const session = await signIn(email);
  for (let time = 0; time < 20; time += 1) await requestCode(email);
  const theirs = (await requestCode(other.email)).body.pending;
  const mine = (await requestCode(email)).body.pending;
  const [code = ''] = await sharedCodes(email);
  expect((await signInWith(theirs, code)).status).toBe(401);
  await ask(customersHttp.signOutEverywhere, { as: session });
  expect((await signInWith(mine, code)).status).toBe(401);
});

// Guarantee: a browser that has signed in before gets its own codes, whatever others request from anywhere, even from
// its own address; a secret that is made up, or of another customer, counts for nothing.
test('a known device', async () => {
  const { newCustomer, codeFor } = caller;
  const { signIn } = second.context.customers;
  const [{ email }, other] = [await newCustomer(), await newCustomer()];
  const address = newAddress();
  const browser = { kind: 'browser', address, userAgent: '' } as const;
  const enter = async (who: string, device: string | null) => {
    const pending = signIn.newPending();
    await signIn.requestCode(who, pending, { address: newAddress(), device });
    const answer = await signIn.signIn(pending, await codeFor(who), browser, { token: null, device });
    return answer.outcome === 'signed-in' ? answer.device : '';
  };
  const [device, stranger] = [await enter(email, null), await enter(other.email, null)];
  for (let time = 0; time < 40; time += 1) {
    await signIn.requestCode(email, signIn.newPending(), { address });
    await signIn.requestCode(email, signIn.newPending(), { address: newAddress() });
  }
  for (const unknown of [null, 'dev_made_up', stranger])
    expect(await signIn.requestCode(email, signIn.newPending(), { address, device: unknown })).toMatchObject({
      outcome: 'rate-limited',
    });
  const renewed = await enter(email, device);
  expect(renewed).toMatch(/^dev_/);
  expect(await enter(email, renewed)).toMatch(/^dev_/);
  // Its own requests are limited, too.
  const own = await Promise.all(
    Array.from({ length: 12 }, () =>
      signIn.requestCode(email, signIn.newPending(), { address, device: renewed }),
    ),
  );
  expect(own.some(({ outcome }) => outcome === 'rate-limited')).toBe(true);
});

// Guarantee: scripts that sign in make no browser forgotten, and are given no device secret, which they would not keep.
test('scripts beside a known device', async () => {
  const { newCustomer, requestCode, codeFor, signInWith } = caller;
  const { signIn } = portal.context.customers;
  const { email } = await newCustomer();
  const enter = async (kind: 'browser' | 'program', device: string | null = null) => {
    const pending = signIn.newPending();
    await signIn.requestCode(email, pending, { address: newAddress(), device });
    const client = { kind, address: newAddress(), userAgent: '' };
    return signIn.signIn(pending, await codeFor(email), client);
  };
  const browser = await enter('browser');
  const device = browser.outcome === 'signed-in' ? browser.device : null;
  expect(device).toMatch(/^dev_/);
  const { pending } = (await requestCode(email)).body;
  expect((await signInWith(pending, await codeFor(email))).status).toBe(200);
  const { rows } = await portal.context.pool.query(
    'select from customer_devices where tenant_id = (select id from tenants where email = $1)',
    [email],
  );
  expect(rows).toHaveLength(1);
  expect(await enter('program')).toMatchObject({ outcome: 'signed-in', device: null });
});

// Guarantee: "sign out everywhere" ends every session and voids pending codes, in every process.
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

// Guarantee: a session ends a day after its last use, and a week after its beginning however much it is used; the
// stored data of it and of old codes is then deleted.
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

// Guarantee: a reader of the database finds no code, no token, and no way to try codes against it.
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

// Guarantee: what has expired is deleted without waiting for transactions that lock such a row, and those rows are deleted later.
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

// Guarantee: what began while the clock was ahead is not valid for years once it is put right.
test('a clock that was ahead', async () => {
  const { ask, newCustomer, requestCode, signIn } = caller;
  const { email } = await newCustomer();
  const { pool } = portal.context;
  const token = await signIn(email);
  await requestCode(email);
  for (const column of ['customer_sessions.created_at', 'customer_codes.expires_at']) {
    const [table, name] = column.split('.');
    await pool.query(`update ${table} set ${name} = ${name} + interval '70 years'`);
  }
  await forgetOldSignIns(portal.context.pool, clock);
  expect((await ask(customersHttp.licenses, { as: token })).status).toBe(401);
  for (const table of ['customer_sessions', 'customer_codes'])
    expect((await pool.query(`select from ${table}`)).rows).toEqual([]);
});
