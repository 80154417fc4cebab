import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as z from 'zod';
import { discountDraft } from '#contracts/store/discounts.ts';
import { eventually } from '#harness/eventually.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { testOwner } from '../../kernel/testing/feature-api.ts';
import { mergeMembers } from '../../people/members/merging.ts';
import {
  byOwner,
  deliveryIds,
  granted,
  orderOf,
  type StoreOfATest,
  storeOfATest,
} from '../orders/testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

/** For one product, so that tests do not share discounts. */
const newDiscount = async (draft: Partial<z.input<typeof discountDraft>>) =>
  granted(
    await store.discounts.create(
      discountDraft.parse({ name: 'Sale', off: { kind: 'percent', percent: 50 }, ...draft }),
      byOwner,
    ),
  );
const request = (memberId: string, productId: string, more: Partial<Parameters<typeof orderOf>[0]> = {}) =>
  orderOf({ memberId, lines: [{ productId }], ...more });
const place = (...asked: Parameters<typeof request>) => store.orders.place(request(...asked), null, byOwner);
const preview = async (...asked: Parameters<typeof request>) =>
  granted(await store.orders.preview(request(...asked), testOwner));
let guild = 700_000_000_000_000_000n;
const inDiscord = async (memberId: string, roleIds: readonly string[]) => {
  guild += 1n;
  await store.query('update members set discord_id = $2 where id = $1', [memberId, String(guild)]);
  await store.query(
    `insert into discord_guild_members (discord_id, name, name_key, role_ids, is_bot, seen_in)
     values ($1, 'X', 'x', $2, false, 'run')`,
    [String(guild), roleIds],
  );
  return String(guild);
};

// Guarantee: the order costs what its preview says, its deliveries' points add up to that, a refund gives back that and
// no more, and the order names its discount.
test('an order with a discount that applies by itself', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct({ price: 15 });
  await newDiscount({ name: 'Ten off', off: { kind: 'percent', percent: 10 }, productIds: [product.id] });
  const more = { lines: [{ productId: product.id, quantity: 3 }] };
  expect(await preview(member, product.id, more)).toMatchObject({
    total: 39,
    discount: { name: 'Ten off', saved: 6, isByCode: false },
    lines: [{ price: 15, unitPrice: 13 }],
    refusals: [],
  });
  expect(await place(member, product.id, { ...more, expectedTotal: 45 })).toMatchObject({
    refused: 'PRICE_CHANGED',
  });
  const order = granted(await place(member, product.id, { ...more, expectedTotal: 39 }));
  expect(order).toMatchObject({ total: 39, discountName: 'Ten off', lines: [{ unitPrice: 13, paid: 39 }] });
  expect(order.deliveries.reduce((sum, { points }) => sum + points, 0)).toBe(39);
  expect(await store.balance(member)).toBe(61);
  await store.setState(deliveryIds(order), 'delivered');
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(await store.balance(member)).toBe(100);
});

// Guarantee: a code counts however it is written; if it gives nothing, the order is refused and the preview says why.
test('codes', async () => {
  const member = await store.newMember(1000);
  const product = await store.newProduct({ price: 100 });
  const other = await store.newProduct({ price: 100 });
  await newDiscount({ name: 'By code', code: 'Férias-26', productIds: [product.id], mostPerMember: 1 });
  expect((await preview(member, product.id)).discount).toBeNull();
  const typed = { discountCode: ' fÉRIAS-26 ' };
  expect(await preview(member, product.id, typed)).toMatchObject({
    total: 50,
    discount: { name: 'By code', isByCode: true },
  });
  const why = async (code: string, productId = product.id) =>
    (await preview(member, productId, { discountCode: code })).refusals.map(({ why }) => why);
  expect(await why('férias-27')).toEqual([{ kind: 'code', fault: 'unknown' }]);
  expect(await why('férias-26', other.id)).toEqual([{ kind: 'code', fault: 'products' }]);
  expect(await place(member, product.id, { discountCode: 'férias-27' })).toMatchObject({
    refused: 'DISCOUNT_CODE_INVALID',
  });
  const order = granted(await place(member, product.id, typed));
  expect(order.total).toBe(50);
  expect(await why('férias-26')).toEqual([{ kind: 'code', fault: 'used' }]);
  expect(await place(member, product.id, typed)).toMatchObject({ refused: 'DISCOUNT_CODE_INVALID' });
  // The use comes back with the refund.
  granted(await store.orders.refund(order.id, null, byOwner));
  expect(granted(await place(member, product.id, typed)).total).toBe(50);
});

// Guarantee: only the best discount counts, and a code that is not the best is not used up.
test('a code beside a better discount', async () => {
  const member = await store.newMember(1000);
  const product = await store.newProduct({ price: 100 });
  const coded = await newDiscount({
    code: 'SMALL',
    off: { kind: 'points', points: 10 },
    productIds: [product.id],
    mostUses: 1,
  });
  await newDiscount({ name: 'Half', productIds: [product.id] });
  const order = granted(await place(member, product.id, { discountCode: 'small' }));
  expect(order).toMatchObject({ total: 50, discountName: 'Half' });
  expect(granted(await store.discounts.read(coded.id)).uses).toBe(0);
});

// Guarantee: of many concurrent orders, exactly as many get the discount as it has uses; the others are refused and pay nothing.
test('100 members race for the last uses of a code', { timeout: 120_000 }, async () => {
  const product = await store.newProduct({ price: 10 });
  const { id } = await newDiscount({ code: 'LAST-ONES', productIds: [product.id], mostUses: 3 });
  const members = await Promise.all(Array.from({ length: 100 }, () => store.newMember(10)));
  const answers = await Promise.all(
    members.map((member) => place(member, product.id, { discountCode: 'last-ones' })),
  );
  const placed = answers.filter((answer) => !isRefusal(answer));
  expect(placed).toHaveLength(3);
  expect(answers.flatMap((answer) => (isRefusal(answer) ? [answer.refused] : []))).toEqual(
    Array.from({ length: 97 }, () => 'DISCOUNT_CODE_INVALID'),
  );
  expect(granted(await store.discounts.read(id)).uses).toBe(3);
  const balances = await Promise.all(members.map(store.balance));
  expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(985);
});

// Guarantee: a counted discount delays no order that it does not apply to, and one that is counted by member delays no
// other member's orders.
test('orders beside a counted discount', async () => {
  const [member, other] = [await store.newMember(100), await store.newMember(100)];
  const [product, plain] = [await store.newProduct(), await store.newProduct()];
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id: counted } = await newDiscount({ productIds: [product.id], mostUses: 50 });
  await newDiscount({ productIds: [plain.id], mostUses: 50, validFrom: later });
  const personal = await store.newProduct();
  await newDiscount({ productIds: [personal.id], mostPerMember: 1 });
  const { pool } = store.database;
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select from discounts for no key update');
  granted(await place(member, plain.id));
  expect(await Promise.all([place(member, personal.id), place(other, personal.id)])).toMatchObject([
    { total: 5 },
    { total: 5 },
  ]);
  let isPlaced = false;
  const waiting = place(member, product.id).then((order) => {
    isPlaced = true;
    return granted(order);
  });
  await eventually(async () => {
    const blocked = await store.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (blocked.length === 0) throw new Error('the order does not wait yet');
  });
  expect(isPlaced).toBe(false);
  await holder.query('commit');
  holder.release();
  expect((await waiting).total).toBe(5);
  expect(granted(await store.discounts.read(counted)).uses).toBe(1);
});

// Guarantee: of a member's concurrent orders, no more have the discount than the member may have; the others cost the full price.
test('one member orders 20 times at once', async () => {
  const member = await store.newMember(1000);
  const product = await store.newProduct({ price: 10 });
  const { id } = await newDiscount({ productIds: [product.id], mostPerMember: 2 });
  const orders = await Promise.all(Array.from({ length: 20 }, () => place(member, product.id)));
  const totals = orders.map((order) => granted(order).total);
  expect(totals.filter((total) => total === 5)).toHaveLength(2);
  expect(totals.filter((total) => total === 10)).toHaveLength(18);
  expect(granted(await store.discounts.read(id)).uses).toBe(2);
});

// Guarantee: the same key creates one order with one use of the code, even when it comes many times concurrently, and
// after the code is used up.
test('one order by one key', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct({ price: 10 });
  const { id } = await newDiscount({ code: 'ONE-KEY', productIds: [product.id], mostUses: 1 });
  const asked = request(member, product.id, { discountCode: 'one-key' });
  const keyed = () => store.orders.place(asked, 'a key of a code', byOwner);
  const answers = await Promise.all([keyed(), keyed(), keyed()]);
  const later = await keyed();
  expect(new Set([...answers, later].map((answer) => granted(answer).id)).size).toBe(1);
  expect(granted(await store.discounts.read(id)).uses).toBe(1);
  expect(await store.balance(member)).toBe(95);
});

// Guarantee: guessing is stopped long before it finds a code: then the right code is refused as well, until time has
// passed. Other members are not affected.
test('a code is guessed 1,000 times', { timeout: 120_000 }, async () => {
  const member = await store.newMember(100);
  const other = await store.newMember(100);
  const product = await store.newProduct({ price: 10 });
  await newDiscount({ code: 'GUESS-ME', productIds: [product.id] });
  const outcomes = new Map<string, number>();
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  for (let guess = 0; guess < 1000; guess += 1) {
    const typed = { discountCode: `guess-${guess}` };
    if (guess % 2 === 0) {
      const answer = await place(member, product.id, typed);
      count(isRefusal(answer) ? answer.refused : 'placed');
      continue;
    }
    const answer = await store.orders.preview(request(member, product.id, typed), testOwner);
    count(isRefusal(answer) ? answer.refused : (answer.refusals[0]?.code ?? 'none'));
  }
  expect(outcomes.get('placed')).toBeUndefined();
  expect(outcomes.get('DISCOUNT_CODE_INVALID') ?? 0).toBeLessThan(30);
  expect(outcomes.get('RATE_LIMITED') ?? 0).toBeGreaterThan(970);
  const right = { discountCode: 'guess-me' };
  expect(await place(member, product.id, right)).toMatchObject({ refused: 'RATE_LIMITED' });
  expect(granted(await place(member, product.id)).total).toBe(10);
  expect(granted(await place(other, product.id, right)).total).toBe(5);
  store.advance(120_000);
  expect(granted(await place(member, product.id, right)).total).toBe(5);
});

// Guarantee: a preview that is read repeatedly with one wrong code is one guess.
test('a preview that is read 50 times', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct({ price: 10 });
  await newDiscount({ code: 'AT-LAST', productIds: [product.id] });
  for (let read = 0; read < 50; read += 1)
    expect((await preview(member, product.id, { discountCode: 'typo' })).refusals).toHaveLength(1);
  expect((await preview(member, product.id, { discountCode: 'at-last' })).total).toBe(5);
});

// Guarantee: uses of a member who was merged count for the remaining one.
test('a member who used the code is merged', async () => {
  const [kept, merged] = [await store.newMember(100), await store.newMember(100)];
  const product = await store.newProduct({ price: 10 });
  await newDiscount({ code: 'MERGED', productIds: [product.id], mostPerMember: 1 });
  granted(await place(merged, product.id, { discountCode: 'merged' }));
  granted(
    await retryDeadlocks(store.database.db, (trx) =>
      mergeMembers(trx, { keptId: kept, mergedId: merged }, { actor: 'test', actorName: null }),
    ),
  );
  expect((await preview(kept, product.id, { discountCode: 'merged' })).refusals).toMatchObject([
    { why: { kind: 'code', fault: 'used' } },
  ]);
  expect(await place(kept, product.id, { discountCode: 'merged' })).toMatchObject({
    refused: 'DISCOUNT_CODE_INVALID',
  });
});

// Guarantee: a discount for a role counts as long as the payer has the role on the Discord server; a payer who loses it
// between preview and order is not charged another price than was shown.
test('a role is lost between preview and order', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct({ price: 10 });
  const role = '800000000000000001';
  await newDiscount({ name: 'Rank', roleIds: [role, '800000000000000002'], productIds: [product.id] });
  expect((await preview(member, product.id)).total).toBe(10);
  const account = await inDiscord(member, [role]);
  const { total } = await preview(member, product.id);
  expect(total).toBe(5);
  await store.query(`update discord_guild_members set role_ids = '{}' where discord_id = $1`, [account]);
  expect(await place(member, product.id, { expectedTotal: total })).toMatchObject({
    refused: 'PRICE_CHANGED',
    detail: 'The order now costs 10 points.',
  });
  expect(await store.balance(member)).toBe(100);
  await store.query('update discord_guild_members set role_ids = $2, left_at = now() where discord_id = $1', [
    account,
    [role],
  ]);
  expect((await preview(member, product.id)).total).toBe(10);
});

// Guarantee: an order that is free or was paid externally takes no discount and uses none.
test('a test order and an order that was paid outside', async () => {
  const member = await store.newMember(0, 'minecraft');
  const product = await store.newProduct({ price: 10 });
  const { id } = await newDiscount({ code: 'OUTSIDE', productIds: [product.id], mostUses: 5 });
  const typed = request(member, product.id, { discountCode: 'outside' });
  const paid = { source: 'shop' as const, isPaidOutside: true };
  for (const order of [
    granted(await store.orders.place(typed, null, byOwner, paid)),
    granted(await store.orders.place({ ...typed, isTest: true }, null, byOwner)),
  ])
    expect(order).toMatchObject({ total: 0, discountName: null });
  expect(granted(await store.discounts.read(id)).uses).toBe(0);
});

// Guarantee: a code has its time, and belongs to one discount; a removed discount frees its code, and its orders keep its name.
test('the time of a code, and its removal', async () => {
  const member = await store.newMember(100);
  const product = await store.newProduct({ price: 10 });
  const validUntil = new Date(Date.now() + 3_600_000).toISOString();
  const draft = { code: 'SOON', productIds: [product.id], validUntil };
  const discount = await newDiscount(draft);
  const again = discountDraft.parse({ name: 'Again', off: discount.off, ...draft, code: 'soon' });
  expect(await store.discounts.create(again, byOwner)).toMatchObject({
    refused: 'NAME_TAKEN',
    field: 'body.code',
  });
  const order = granted(await place(member, product.id, { discountCode: 'soon' }));
  store.advance(3_600_000);
  expect((await preview(member, product.id, { discountCode: 'soon' })).refusals).toMatchObject([
    { why: { kind: 'code', fault: 'ended' } },
  ]);
  store.advance(-3_600_000);
  granted(await store.discounts.remove(discount.id, byOwner));
  expect(await place(member, product.id, { discountCode: 'soon' })).toMatchObject({
    refused: 'DISCOUNT_CODE_INVALID',
  });
  granted(await store.discounts.create(again, byOwner));
  expect(granted(await store.orders.read(order.id))).toMatchObject({ total: 5, discountName: 'Sale' });
});
