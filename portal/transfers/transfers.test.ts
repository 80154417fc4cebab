import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '#harness/database.ts';
import { mailsTo } from '#harness/mailbox.ts';
import {
  movableClock,
  newHwid,
  newMasterKey,
  portalDatabase,
  startTestPortal,
  type TestPortal,
} from '#harness/portal.ts';
import type { RateLimited } from '../customers/sign-in.ts';
import { grantTransfer } from './grant-transfer.ts';
import type { TransferAnswer } from './transfers.ts';

const dayMs = 86_400_000;
const masterKey = newMasterKey();
const clock = movableClock();
let database: TestDatabase;
/** Two processes of one portal. */
let portal: TestPortal;
let second: TestPortal;

beforeAll(async () => {
  database = await portalDatabase();
  const options = { databaseUrl: database.url, masterKey, clock };
  portal = await startTestPortal(options);
  second = await startTestPortal(options);
});
afterAll(async () => {
  await second?.[Symbol.asyncDispose]();
  await portal?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

let customers = 0;
const activated = async () => {
  customers += 1;
  const buyerEmail = `buyer-${customers}@example.com`;
  const license = await portal.issue({ buyerEmail });
  const hwid = newHwid();
  const { status, body } = await portal.activate(license.licenseKey, hwid);
  expect(status).toBe(200);
  const request = (to: string, replaces: string | null = null, at = portal) =>
    at.context.customers.transfers.request({
      tenantId: license.tenantId,
      licenseId: license.id,
      hwid: to,
      replaces,
    });
  const standing = async () => {
    const found = await portal.context.customers.licenses.find(license.tenantId, license.id);
    if (!found) throw new Error('the license is gone');
    return found;
  };
  const mails = async () => (await mailsTo(portal.context, masterKey, buyerEmail)).map(({ kind }) => kind);
  /** A transfer from the request to the activation on the new machine. */
  const move = async (to = newHwid()) => {
    const answer = await request(to);
    if (answer.outcome === 'pending')
      expect((await portal.activate(license.licenseKey, to)).status).toBe(200);
    return answer;
  };
  return { license, hwid, token: body.token as string, request, standing, mails, move };
};
const grant = (licenseId: string) =>
  portal.context.db
    .transaction()
    .execute((trx) => grantTransfer(trx, { licenseId, by: 'support', at: clock.now() }));
const tooSoon = (answer: TransferAnswer | RateLimited) =>
  answer.outcome === 'refused' && answer.refusal.reason === 'too-soon' ? answer.refusal.nextFreeAt : null;

// Guarantee: until the new machine is bound, the old one keeps working; from then on its checks are refused, and the
// buyer has been told of both.
test('a transfer from request to binding', async () => {
  const { license, hwid, token, request, standing, mails } = await activated();
  const to = newHwid();
  expect(await request(to)).toEqual({ outcome: 'pending' });
  expect((await portal.validate(license, token, hwid)).status).toBe(200);
  expect((await portal.activate(license.licenseKey, newHwid())).body.code).toBe('UNAUTHORIZED');
  expect((await second.activate(license.licenseKey, to)).status).toBe(200);
  expect((await portal.validate(license, token, hwid)).body.code).toBe('HWID_MISMATCH');
  expect(await standing()).toMatchObject({ machine: { hwid: to }, transfer: { pending: null, extra: 0 } });
  expect((await mails()).filter((kind) => kind.startsWith('transfer'))).toEqual([
    'transfer_requested',
    'transfer_completed',
  ]);
});

// Guarantee: a corrected or cancelled request costs nothing; only binding the new machine uses up the free transfer.
test('only a binding is spent', async () => {
  const { license, request, standing, move } = await activated();
  await request(newHwid());
  const mistyped = (await standing()).transfer.pending?.id ?? null;
  expect(await request(newHwid(), mistyped)).toEqual({ outcome: 'pending' });
  const { transfers } = portal.context.customers;
  expect(await transfers.cancel(license.tenantId, license.id)).toBe('cancelled');
  expect(await transfers.cancel(license.tenantId, license.id)).toBe('nothing-pending');
  expect((await standing()).transfer).toEqual({ pending: null, nextFreeAt: null, extra: 0 });
  expect(await move()).toEqual({ outcome: 'pending' });
  const nextFreeAt = new Date(clock.now().getTime() + 30 * dayMs);
  expect((await standing()).transfer.nextFreeAt).toBe(nextFreeAt.toISOString());
  expect(tooSoon(await move())).toEqual(nextFreeAt);
});

// Guarantee: a grant allows one transfer beyond the free ones, is used up once, and only when it is needed.
test('the vendor grants one more', async () => {
  const { license, move, standing } = await activated();
  await grant(license.id);
  expect((await move()).outcome).toBe('pending');
  expect((await standing()).transfer.extra).toBe(1);
  expect((await move()).outcome).toBe('pending');
  expect((await standing()).transfer.extra).toBe(0);
  expect(tooSoon(await move())).not.toBeNull();
  clock.pass(30 * dayMs);
  expect((await move()).outcome).toBe('pending');
});

// Guarantee: of any number of transfers requested at the same moment through different processes, exactly one is
// accepted, only its requester was told so, and only its machine can be bound.
test('many transfers at once, one wins', async () => {
  const { license, request, standing } = await activated();
  const hwids = Array.from({ length: 12 }, newHwid);
  const answers = await Promise.all(
    hwids.map((to, index) => request(to, null, index % 2 === 0 ? portal : second)),
  );
  const winners = hwids.filter((_, index) => answers[index]?.outcome === 'pending');
  expect(winners).toHaveLength(1);
  expect((await standing()).transfer.pending?.toHwid).toBe(winners[0]);
  const bindings = await Promise.all(
    hwids.map(async (to, index) => (index % 2 ? portal : second).activate(license.licenseKey, to)),
  );
  expect(hwids.filter((_, index) => bindings[index]?.status === 200)).toEqual(winners);
});

// Guarantee: the same request sent twice is one request, one event and one mail.
test('a request sent twice', async () => {
  const { license, request, mails } = await activated();
  const to = newHwid();
  const answers = await Promise.all([request(to), request(to), request(to, null, second)]);
  expect(answers.map(({ outcome }) => outcome)).toEqual(['pending', 'pending', 'pending']);
  const { rows } = await portal.context.pool.query(
    `select count(*)::int as count from license_events where license_id = $1 and kind = 'transfer_requested'`,
    [license.id],
  );
  expect(rows).toEqual([{ count: 1 }]);
  expect((await mails()).filter((kind) => kind === 'transfer_requested')).toHaveLength(1);
});

// Guarantee: no one can transfer a license of another customer, or learn that it exists.
test('a foreign license is unknown', async () => {
  const { license } = await activated();
  const stranger = await portal.issue({ buyerEmail: 'stranger@example.com' });
  const { transfers, licenses } = portal.context.customers;
  const theirs = { tenantId: stranger.tenantId, licenseId: license.id, hwid: newHwid(), replaces: null };
  expect(await transfers.request(theirs)).toEqual({ outcome: 'not-found' });
  expect(await transfers.cancel(stranger.tenantId, license.id)).toBe('not-found');
  expect(await licenses.find(stranger.tenantId, license.id)).toBeNull();
});

// Guarantee: a buyer's address that accepts no mail does not prevent a transfer.
test('an address that takes no mail', async () => {
  const { license, move } = await activated();
  await portal.context.pool.query(`update licenses set buyer_email = 'no address' where id = $1`, [
    license.id,
  ]);
  expect((await move()).outcome).toBe('pending');
});

// Guarantee: a license's history, as the customer reads it, is in plain words, in order, and only about their license.
test('the history', async () => {
  const { license, hwid, move } = await activated();
  await move();
  const history = await portal.context.customers.licenses.history(license.id, 'en');
  expect(history.map(({ text }) => text.replace(/sha256:[0-9a-f]+…/g, 'M'))).toEqual([
    'Activated on machine M',
    'Transferred from machine M to M',
    'You requested a transfer to machine M',
    'Activated on machine M',
    'License issued',
  ]);
  expect(history.at(-2)?.text).toContain(hwid.slice(0, 15));
});
