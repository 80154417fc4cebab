import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersHttp } from '#contracts/portal/customers.ts';
import type { TestDatabase } from '#harness/database.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
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

// Guarantee: programs can read the list of licenses, even with one that an older portal stored with the end of the year 9999.
test('a license for as long as people write', async () => {
  const { ask, signIn } = caller;
  const email = 'never@example.com';
  await portal.issue({ buyerEmail: email, expiresAt: new Date(Date.UTC(9999, 11, 32)) });
  const { body } = await ask(customersHttp.licenses, { as: await signIn(email) });
  const [license] = customersHttp.licenses.response.parse(body).rows;
  expect(license).toMatchObject({ expiresAt: '9999-12-31T23:59:59.999Z' });
});

// Guarantee: without a session, or with one that has ended or is another customer's, nothing of a customer is accessible.
test('whoever is not signed in gets nothing', async () => {
  const { ask, newCustomer, signIn } = caller;
  const { license } = await newCustomer();
  const stranger = await signIn((await newCustomer()).email);
  const bodies: Partial<Record<keyof typeof customersHttp, unknown>> = {
    requestTransfer: { hwid: newHwid() },
    reveal: { code: '0000-0000' },
  };
  const open: readonly string[] = ['requestCode', 'signIn'];
  const names = Object.keys(customersHttp) as (keyof typeof customersHttp)[];
  for (const name of names.filter((each) => !open.includes(each))) {
    const asked = { id: license.id, body: bodies[name] };
    for (const as of [undefined, 'cus_unknown', 'pend_unknown']) {
      const { status, body } = await ask(customersHttp[name], { ...asked, ...(as ? { as } : {}) });
      expect([name, status, body.code]).toEqual([name, 401, 'UNAUTHENTICATED']);
    }
    if (customersHttp[name].path.includes(':id'))
      expect([name, (await ask(customersHttp[name], { ...asked, as: stranger })).status]).toEqual([
        name,
        404,
      ]);
  }
  await ask(customersHttp.signOut, { as: stranger });
  expect((await ask(customersHttp.licenses, { as: stranger })).status).toBe(401);
});

// Guarantee: the wizard can transfer a license through JSON, and reads when the next transfer is free.
test('transfer by JSON', async () => {
  const { ask, newCustomer, signIn } = caller;
  const { email, license } = await newCustomer();
  await portal.activate(license.licenseKey, newHwid());
  const as = await signIn(email);
  const hwid = newHwid();
  const transfer = (to: string) =>
    ask(customersHttp.requestTransfer, { as, id: license.id, body: { hwid: ` ${to} ` } });
  expect((await transfer('sha256:12')).status).toBe(400);
  expect((await transfer(hwid)).body.transfer.pending.toHwid).toBe(hwid);
  expect((await portal.activate(license.licenseKey, hwid)).status).toBe(200);
  const refused = await transfer(newHwid());
  const nextFreeAt = new Date(clock.now().getTime() + 30 * dayMs).toISOString();
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'TRANSFER_REFUSED', reason: 'too-soon', nextFreeAt },
  ]);
  const { body } = await ask(customersHttp.license, { as, id: license.id });
  expect(body.license.machine.hwid).toBe(hwid);
});

// Guarantee: a stolen session cannot be used to flood the buyer with mails.
test('transfers are throttled', async () => {
  const { ask, newCustomer, signIn } = caller;
  const { email, license } = await newCustomer();
  await portal.activate(license.licenseKey, newHwid());
  const as = await signIn(email);
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      ask(customersHttp.requestTransfer, {
        as,
        id: license.id,
        body: { hwid: newHwid() },
        at: index % 2 ? portal : second,
      }),
    ),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect([count(200), count(409), count(429)]).toEqual([1, 19, 5]);
});

// Guarantee: a customer's key is shown only for a fresh code for that very license, once, and each time leaves an event.
test('the key is shown for a fresh code', async () => {
  const { ask, newCustomer, codeFor, signIn } = caller;
  const { email, license } = await newCustomer();
  const other = await portal.issue({ buyerEmail: email });
  const as = await signIn(email);
  const reveal = (code: string, id = license.id) => ask(customersHttp.reveal, { as, id, body: { code } });
  const signInCode = await codeFor(email);
  expect((await reveal(signInCode)).status).toBe(401);

  expect((await ask(customersHttp.requestRevealCode, { as, id: license.id })).status).toBe(200);
  const code = await codeFor(email);
  expect((await reveal(code, other.id)).status).toBe(401);
  expect((await reveal(code)).body).toEqual({ licenseKey: license.licenseKey });
  expect((await reveal(code)).status).toBe(401);

  await ask(customersHttp.requestRevealCode, { as, id: license.id });
  clock.pass(5 * minuteMs);
  expect((await reveal(await codeFor(email))).status).toBe(401);
  const { rows } = await portal.context.pool.query(
    `select actor, data from license_events where license_id = $1 and kind = 'key_revealed'`,
    [license.id],
  );
  expect(rows).toEqual([{ actor: 'customer', data: {} }]);
});
