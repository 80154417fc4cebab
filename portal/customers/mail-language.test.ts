import { afterAll, beforeAll, expect, test } from 'vitest';
import { customersHttp } from '#contracts/portal/customers.ts';
import type { TestDatabase } from '#harness/database.ts';
import { mailsTo } from '#harness/mailbox.ts';
import { newHwid, newMasterKey, portalDatabase, startTestPortal, type TestPortal } from '#harness/portal.ts';
import { createCaller } from './testing/customer-caller.ts';
import { openTabOf } from './testing/open-tab.ts';

const masterKey = newMasterKey();
let database: TestDatabase;
let portal: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  portal = await startTestPortal({ databaseUrl: database.url, masterKey });
});
afterAll(async () => {
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const english = {
  signIn: 'Your Castellan sign-in code',
  moved: 'Transfer of your Castellan license requested',
};
const portuguese = {
  signIn: 'Seu código para entrar no Castellan',
  moved: 'Transferência da sua licença do Castellan solicitada',
};

const subjects = async (email: string) =>
  (await mailsTo(portal.context, masterKey, email)).map(({ subject }) => subject);

// Guarantee: a code is mailed in the language of the page that asks for it.
test.each([
  ['en', english.signIn],
  ['pt-BR', portuguese.signIn],
  ['de', english.signIn],
])('a code asked for in %s', async (language, subject) => {
  const email = `asker-${language}@example.com`;
  await portal.issue({ buyerEmail: email });
  await openTabOf(portal, masterKey, { language }).signIn(email);
  expect(await subjects(email)).toEqual([subject]);
});

// Guarantee: a program that names no language gets that of the last visit, and both if there was none.
test('mails follow the last visit', async () => {
  const { ask, newCustomer, requestCode, signIn } = createCaller(portal, masterKey);
  const { email, license } = await newCustomer();
  const as = await signIn(email);
  expect(await subjects(email)).toEqual([`${english.signIn} · ${portuguese.signIn}`]);
  await portal.activate(license.licenseKey, newHwid());
  const move = () => ask(customersHttp.requestTransfer, { as, id: license.id, body: { hwid: newHwid() } });
  expect((await move()).status).toBe(200);
  expect((await subjects(email)).at(-1)).toBe(`${english.moved} · ${portuguese.moved}`);

  const tab = openTabOf(portal, masterKey, { language: 'pt-BR' });
  await tab.signIn(email);
  await tab.send('/account');
  await requestCode(email);
  expect((await subjects(email)).at(-1)).toBe(portuguese.signIn);
  await tab.post('/language', { language: 'en', place: '/account' });
  await tab.send('/account');
  await requestCode(email);
  expect((await subjects(email)).at(-1)).toBe(english.signIn);
});

// Guarantee: buyer and account holder of one license are each told of a transfer in their own language.
test('two readers of one transfer', async () => {
  const { ask, newCustomer, signIn } = createCaller(portal, masterKey);
  const [{ email, license }, other] = [await newCustomer(), await newCustomer()];
  await portal.context.pool.query('update licenses set buyer_email = $1 where id = $2', [
    other.email,
    license.id,
  ]);
  const read = (language: string, address: string) =>
    portal.context.pool.query('update tenants set language = $1 where email = $2', [language, address]);
  await read('pt-BR', email);
  await read('en', other.email);
  await portal.activate(license.licenseKey, newHwid());
  const as = await signIn(email);
  await ask(customersHttp.requestTransfer, { as, id: license.id, body: { hwid: newHwid() } });
  expect((await subjects(email)).at(-1)).toBe(portuguese.moved);
  expect(await subjects(other.email)).toEqual([english.moved]);
});
