import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCount } from '#harness/kill-count.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { isOverdrawn } from '../points/check-violation.ts';
import { ledgerSum } from '../points/store-accounts.ts';
import { byOwner, deliveryIds, orderOf, type StoreOfATest, storeOfATest } from './testing/store-of-a-test.ts';

const runs = runCount({ day: 12, night: 40 });
const seed = 15;
const price = 10;
const granted = 120;
const perMember = 5;
const firstStock = 9;

/** Half of the deliveries go to games that keep no record. */
const isWithdrawn = (id: string) => Number.parseInt(id.slice(-1), 16) % 2 === 0;

let store: StoreOfATest;
beforeAll(async () => {
  store = await storeOfATest({
    withdraw: async (ids) => new Map(ids.map((id) => [id, isWithdrawn(id) ? 'safe' : 'uncertain'])),
  });
});
afterAll(() => store[Symbol.asyncDispose]());

type Act =
  | { readonly kind: 'buy'; readonly member: number; readonly quantity: number }
  | { readonly kind: 'end'; readonly delivery: number; readonly as: 'delivered' | 'unknown' }
  | { readonly kind: 'cancel' | 'charge'; readonly delivery: number }
  | { readonly kind: 'refund'; readonly order: number }
  | { readonly kind: 'stock'; readonly stock: number | null };
const anyDelivery = fc.nat(11);
const anyAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      member: fc.nat(1),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      delivery: anyDelivery,
      as: fc.constantFrom('delivered' as const, 'unknown' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'charge' as const),
      delivery: anyDelivery,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), order: fc.nat(5) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('stock' as const),
      stock: fc.option(fc.integer({ min: 0, max: 8 })),
    }),
  },
);

interface Delivery {
  readonly id: string;
  readonly order: Order;
  state: 'pending' | 'delivered' | 'unknown' | 'cancelled';
  isRefunded: boolean;
  mayHaveArrived: boolean;
}
interface Order {
  readonly id: string;
  readonly member: number;
  readonly quantity: number;
  readonly deliveries: Delivery[];
  /** Taken from a counted stock. */
  isTaken: boolean;
  isBack: boolean;
}

/** The expected result, in memory. */
class Expected {
  readonly balances = [granted, granted];
  readonly orders: Order[] = [];
  stock: number | null = firstStock;

  get deliveries(): Delivery[] {
    return this.orders.flatMap(({ deliveries }) => deliveries);
  }

  held(member: number): number {
    return this.orders
      .filter((order) => order.member === member && !this.isUndone(order))
      .reduce((sum, { quantity }) => sum + quantity, 0);
  }

  isUndone({ deliveries }: Order): boolean {
    return deliveries.every(({ state, isRefunded }) => state === 'cancelled' || isRefunded);
  }

  mayBuy(member: number, quantity: number): boolean {
    return (
      this.held(member) + quantity <= perMember &&
      (this.stock === null || this.stock >= quantity) &&
      (this.balances[member] ?? 0) >= quantity * price
    );
  }

  pay(member: number, points: number) {
    this.balances[member] = (this.balances[member] ?? 0) + points;
  }

  refund(delivery: Delivery) {
    if (delivery.state === 'unknown') delivery.mayHaveArrived = !isWithdrawn(delivery.id);
    if (delivery.state !== 'delivered') delivery.state = 'cancelled';
    delivery.isRefunded = true;
    const { order } = delivery;
    this.pay(order.member, price);
    const isGone = order.deliveries.every(
      ({ state, mayHaveArrived }) => state === 'cancelled' && !mayHaveArrived,
    );
    if (!isGone || !order.isTaken || order.isBack) return;
    if (this.stock === null) order.isTaken = false;
    else {
      order.isBack = true;
      this.stock += order.quantity;
    }
  }

  chargeAgain(delivery: Delivery) {
    Object.assign(delivery, { state: 'delivered', isRefunded: false, mayHaveArrived: false });
    const { order } = delivery;
    this.pay(order.member, -price);
    if (!order.isBack) return;
    order.isBack = false;
    if (this.stock !== null) this.stock = Math.max(0, this.stock - order.quantity);
  }
}

const carryOut = async (act: Act, expected: Expected, productId: string, ids: readonly string[]) => {
  switch (act.kind) {
    case 'buy': {
      const { member, quantity } = act;
      const request = orderOf({ memberId: ids[member] ?? '', lines: [{ productId, quantity }] });
      const mayBuy = expected.mayBuy(member, quantity);
      const placed = await store.orders.place(request, null, byOwner);
      expect(!isRefusal(placed)).toBe(mayBuy);
      if (isRefusal(placed)) return;
      const isTaken = expected.stock !== null;
      const order: Order = { id: placed.id, member, quantity, deliveries: [], isTaken, isBack: false };
      for (const id of deliveryIds(placed))
        order.deliveries.push({ id, order, state: 'pending', isRefunded: false, mayHaveArrived: false });
      expected.orders.push(order);
      expected.pay(member, -quantity * price);
      if (expected.stock !== null) expected.stock -= quantity;
      return;
    }
    case 'end': {
      const delivery = expected.deliveries[act.delivery];
      if (delivery?.state !== 'pending') return;
      await store.setState([delivery.id], act.as);
      delivery.state = act.as;
      return;
    }
    case 'cancel': {
      const delivery = expected.deliveries[act.delivery];
      if (!delivery) return;
      const cancelled = store.query(`select castellan_cancel_delivery($1, 'by a test', 'test', null)`, [
        delivery.id,
      ]);
      if (delivery.state !== 'pending') return expect(cancelled).rejects.toMatchObject({ code: '55000' });
      await cancelled;
      return expected.refund(delivery);
    }
    case 'charge': {
      const delivery = expected.deliveries[act.delivery];
      if (!delivery?.isRefunded || delivery.state !== 'cancelled') return;
      const charged = store.query(`select castellan_charge_again($1, 'test', null)`, [delivery.id]);
      if ((expected.balances[delivery.order.member] ?? 0) < price)
        return expect(charged).rejects.toSatisfy(isOverdrawn);
      await charged;
      return expected.chargeAgain(delivery);
    }
    case 'refund': {
      const order = expected.orders[act.order];
      if (!order) return;
      expect(isRefusal(await store.orders.refund(order.id, null, byOwner))).toBe(false);
      for (const delivery of order.deliveries) if (!delivery.isRefunded) expected.refund(delivery);
      return;
    }
    case 'stock':
      await store.query('update products set stock = $2 where id = $1', [productId, act.stock]);
      expected.stock = act.stock;
  }
};

// Guarantee: after any sequence of purchases, deliveries, cancellations, refunds, second charges and stock changes, every
// wallet, the stock and the counts for the limits are exactly what they should be.
test(`any order of things, ${runs} runs`, { timeout: 120_000, tags: 'kills' }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 5, maxLength: 25 }), async (acts) => {
      const ids = [await store.newMember(granted), await store.newMember(granted)];
      const { id: productId } = await store.newProduct({
        price,
        stock: firstStock,
        limits: { perMember },
        lines: [{ kind: 'command', command: 'say {player}' }],
      });
      const expected = new Expected();
      for (const act of acts) await carryOut(act, expected, productId, ids);
      expect(await Promise.all(ids.map((id) => store.balance(id)))).toEqual(expected.balances);
      expect(await store.query('select stock from products where id = $1', [productId])).toEqual([
        { stock: expected.stock },
      ]);
      const held = await store.query<{ held: number }>(
        `select coalesce(sum(quantity) filter (where undone_at is null), 0)::int as held
         from unnest($1::bigint[]) with ordinality as given (id, place)
           left join order_lines on receiver_id = given.id group by place order by place`,
        [ids],
      );
      expect(held.map((row) => row.held)).toEqual([expected.held(0), expected.held(1)]);
      const states = await store.query(
        `select id, state, refunded_at is not null as "isRefunded" from deliveries
         where order_id = any ($1) order by number`,
        [expected.orders.map(({ id }) => id)],
      );
      expect(states).toEqual(
        expected.deliveries.map(({ id, state, isRefunded }) => ({ id, state, isRefunded })),
      );
    }),
    { numRuns: runs, seed },
  );
  expect(await ledgerSum(store.database.db)).toBe(0);
});
