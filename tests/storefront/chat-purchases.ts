import type { Secret } from '#runtime/secret.ts';
import { startTestApi } from '../../server/testing/test-api.ts';
import { whenInUse } from '../../server/testing/when-in-use.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { type Consent, type Counts, createCustomers, imitator } from './chat-customers.ts';
import { openMarket, openShop, pointsOfEach, type Stall } from './chat-market.ts';

export interface PurchasesOptions {
  readonly databaseUrl: Secret;
  readonly home: string;
  readonly purchases: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface PurchasesOutcome extends Counts {
  readonly purchases: number;
  readonly seed: number;
  readonly orders: number;
  /** Orders that no one agreed to, at that price. */
  readonly unconfirmed: number;
  /** Players with more orders than lines or numbers by which they agreed. */
  readonly doubled: number;
  /** The player was told of a purchase that is none. */
  readonly missing: number;
  /** Wallets that hold something else than their orders leave. */
  readonly wrong_wallets: number;
}

/** Of three servers together. */
const perMarket = 60;
const marketsAtOnce = 3;
/** Of one server. */
const customersAtOnce = 4;

/**
 * Players of three simulated games buy by chat, while others bear their names, lines are lost and repeated, and prices change.
 * Compares what they agreed to with what they paid.
 */
export const runPurchases = async (options: PurchasesOptions): Promise<PurchasesOutcome> => {
  const { databaseUrl, home, purchases, seed, say } = options;
  const random = randomOf(seed);
  await using owned = new AsyncDisposableStack();
  const api = owned.use(await startTestApi({ databaseUrl, home, workers: [], polling: { intervalMs: 500 } }));
  await whenInUse(api);
  await openShop(api);
  say(`${purchases} purchases with seed ${seed}`);
  const customers = createCustomers(random);
  /** Who has points at the beginning. */
  const rich = new Set<string>();

  const trade = async (stall: Stall, all: readonly string[]) => {
    await stall.gather(all, [imitator]);
    for (const name of all) rich.add(stall.members.get(name) ?? '');
    const waiting = [...all];
    const serve = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        if (random() < 0.4) await customers.imitate(stall, pickFrom(all, random));
        if (random() < 0.1) await stall.reprice(5 + Math.floor(random() * 20));
        await customers.buy(stall, name);
      }
    };
    await Promise.all(Array.from({ length: customersAtOnce }, serve));
  };
  let left = purchases;
  let markets = 0;
  const openMarkets = async () => {
    while (left > 0) {
      const share = Math.min(left, perMarket);
      left -= share;
      const stalls = await openMarket(api, owned, random);
      await Promise.all(
        stalls.map((stall, place) => {
          const count = Math.ceil((share - place) / stalls.length);
          markets += 1;
          return trade(
            stall,
            Array.from({ length: count }, (_, index) => `P${markets}x${index}`),
          );
        }),
      );
      say(`${purchases - left} of ${purchases}`);
    }
  };
  await Promise.all(Array.from({ length: marketsAtOnce }, openMarkets));

  const orders = await api.context.database.db
    .selectFrom('orders')
    .innerJoin('order_lines', 'order_lines.order_id', 'orders.id')
    .select(['orders.member_id', 'orders.total', 'product_id', 'quantity', 'source'])
    .execute();
  const wallets = await api.context.database.db
    .selectFrom('wallets')
    .select(['member_id', 'balance'])
    .execute();
  const matching = (consent: Consent) =>
    orders.filter(
      (order) =>
        order.member_id === consent.memberId &&
        order.product_id === consent.productId &&
        order.quantity === consent.quantity &&
        Number(order.total) === consent.total,
    ).length;
  const { consents, counts } = customers;
  const agreed = new Set(
    consents.map((one) => `${one.memberId} ${one.productId} ${one.quantity} ${one.total}`),
  );
  return {
    purchases,
    seed,
    orders: orders.length,
    unconfirmed: orders.filter(
      (order) =>
        order.source !== 'chat' ||
        !agreed.has(`${order.member_id} ${order.product_id} ${order.quantity} ${Number(order.total)}`),
    ).length,
    doubled: [...new Set(orders.map(({ member_id }) => member_id))].filter(
      (id) =>
        orders.filter(({ member_id }) => member_id === id).length >
        consents.filter(({ memberId }) => memberId === id).length,
    ).length,
    missing: consents.filter((consent) => consent.isAnswered && matching(consent) === 0).length,
    wrong_wallets: wallets.filter(({ member_id, balance }) => {
      const paid = orders
        .filter((order) => order.member_id === member_id)
        .reduce((sum, { total }) => sum + Number(total), 0);
      return Number(balance) !== (rich.has(member_id) ? pointsOfEach : 0) - paid;
    }).length,
    ...counts,
  };
};
