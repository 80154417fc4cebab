import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { mergeMembers } from '../../people/members/merging.ts';
import { inParallel } from './testing/in-parallel.ts';
import { byOwner, granted, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest();
});
afterAll(() => store[Symbol.asyncDispose]());

/** A sequence of numbers from 0 to 1 that is the same in every run. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
  return seed / 2 ** 32;
};

// Guarantee: a wallet pays only for what it holds, however many orders come at the same time.
test('many orders against a balance that pays for 10', { timeout: 120_000, tags: 'kills' }, async () => {
  const member = await store.newMember(100);
  const { id: productId } = await store.newProduct({ price: 10 });
  const request = orderOf({ memberId: member, lines: [{ productId }] });
  const outcomes = new Map<string, number>();
  const tried = runCount({ day: 250, night: 1000 });
  await inParallel(tried, 32, async () => {
    const answer = await store.orders.place(request, null, byOwner);
    const outcome = isRefusal(answer) ? answer.refused : 'placed';
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  });
  expect(Object.fromEntries(outcomes)).toEqual({ placed: 10, INSUFFICIENT_POINTS: tried - 10 });
  expect(await store.balance(member)).toBe(0);
  const counted = await store.query(
    `select (select count(*)::int from orders where member_id = $1) as orders,
            (select count(*)::int from deliveries where member_id = $1) as deliveries,
            (select count(*)::int from ledger where from_member = $1) as charges`,
    [member],
  );
  expect(counted).toEqual([{ orders: 10, deliveries: 10, charges: 10 }]);
});

// Guarantee: concurrent orders of several products, gifts, refunds, transfers and merges end without a deadlock for any
// caller; every piece is in stock or in an order, and every point in a wallet or in an order.
test('200 members and 20 products at once', { tags: ['slow', 'kills'], timeout: 300_000 }, async () => {
  const random = seeded(15);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const [pieces, points] = [40, 500];
  const members: string[] = [];
  for (let index = 0; index < 200; index += 1) members.push(await store.newMember(points));
  const products: string[] = [];
  for (let index = 0; index < 20; index += 1)
    products.push((await store.newProduct({ price: 7 + index, stock: pieces, limits: { perMember: 6 } })).id);
  const placed: string[] = [];
  const refusals = new Set<string>();

  const buy = async () => {
    const lines = [...new Set([pick(products), pick(products), pick(products)])].map((productId) => ({
      productId,
      quantity: 1 + Math.floor(random() * 3),
    }));
    const request = orderOf({ memberId: pick(members), receiverId: pick(members), lines });
    const answer = await store.orders.place(request, null, byOwner);
    if (isRefusal(answer)) refusals.add(answer.refused);
    else placed.push(answer.id);
  };
  const refund = async () => {
    if (placed.length > 0) granted(await store.orders.refund(pick(placed), null, byOwner));
  };
  const transfer = async () => {
    const [from, to] = [pick(members), pick(members)];
    if (from === to) return;
    await store
      .query(
        `insert into ledger (kind, from_account, from_member, to_account, to_member, amount, actor)
         values ('transfer', 'wallet', $1, 'wallet', $2, 5, 'test')`,
        [from, to],
      )
      // A transfer to a member who was merged in between is refused, too.
      .catch((error: { constraint?: string; code?: string }) =>
        expect(error.constraint ?? error.code).toMatch(/^(wallets_balance|40001)$/),
      );
  };
  const by = { actor: 'test', actorName: null };
  let merges = 0;
  const merge = async () => {
    const pair = { keptId: pick(members), mergedId: pick(members) };
    const merged = await retryDeadlocks(store.database.db, (trx) => mergeMembers(trx, pair, by));
    if (isRefusal(merged)) refusals.add(merged.refused);
    else merges += 1;
  };
  await inParallel(runCount({ day: 700, night: 1500 }), 24, () => {
    const chance = random();
    if (chance < 0.6) return buy();
    if (chance < 0.82) return refund();
    return chance < 0.95 ? transfer() : merge();
  });

  expect(placed.length).toBeGreaterThan(100);
  expect(merges).toBeGreaterThan(20);
  expect([...refusals].toSorted()).toEqual(
    ['INSUFFICIENT_POINTS', 'LIMIT_REACHED', 'MEMBER_GONE', 'MERGE_REFUSED', 'OUT_OF_STOCK'].filter((code) =>
      refusals.has(code),
    ),
  );
  const stocks = await store.query<{ id: string; stock: number; held: number }>(
    `select products.id, stock, coalesce((
       select sum(quantity)::int from order_lines where product_id = products.id and restocked_at is null), 0) as held
     from products where id = any ($1)`,
    [products],
  );
  expect(stocks.map(({ stock, held }) => stock + held)).toEqual(products.map(() => pieces));
  const [sums] = await store.query<{ wallets: number; paid: number; unrefunded: number; lowest: number }>(
    `select (select sum(balance)::int from wallets where member_id = any ($1)) as wallets,
            (select min(balance)::int from wallets) as lowest,
            (select coalesce(sum(total), 0)::int from orders where id = any ($2)) as paid,
            (select coalesce(sum(points), 0)::int from deliveries
              where order_id = any ($2) and refunded_at is null) as unrefunded`,
    [members, placed],
  );
  expect((sums?.wallets ?? 0) + (sums?.unrefunded ?? 0)).toBe(members.length * points);
  expect(sums?.lowest).toBeGreaterThanOrEqual(0);
  const over = await store.query(
    `select receiver_id, product_id from order_lines where undone_at is null and product_id = any ($1)
     group by 1, 2 having sum(quantity) > 6`,
    [products],
  );
  expect(over).toEqual([]);
});
