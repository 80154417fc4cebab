import { openDatabase } from '#runtime/database/pool.ts';
import { createLog } from '#runtime/log.ts';
import type { Secret } from '#runtime/secret.ts';
import type { Tables } from '../../server/kernel/database/tables.ts';
import { grantPoints } from '../../server/kernel/testing/store-rows.ts';
import { pickFrom, randomOf } from '../bench/harness/seeded-random.ts';
import { type Customers, createCustomers } from './chat-customers.ts';
import { openMarket, openShop, type Stall } from './chat-market.ts';
import { createTalk, type Talk } from './chat-talk.ts';
import { type ChatTally, tally } from './chat-tally.ts';
import { traceOf } from './chat-trace.ts';
import { createTroubles, imitator, type Troubles } from './chat-troubles.ts';
import { type ShopProcess, startShopProcess } from './shop-process.ts';

export interface PurchasesOptions {
  readonly databaseUrl: Secret;
  readonly home: string;
  readonly purchases: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

type Counts = Talk['counts'] & Customers['counts'] & Troubles['counts'] & ShopProcess['counts'];

export interface PurchasesOutcome extends Counts, ChatTally {
  readonly purchases: number;
  readonly seed: number;
  /** Purchases by players who were on two servers at the same time. */
  readonly twins: number;
  /** Purchases in a game that answers late, or after the API has stopped waiting. */
  readonly slow: number;
}

const pointsOfEach = 100_000;
/** Purchases on all servers of a market together. */
const perMarket = 60;
const marketsAtOnce = 17;
/** Concurrent customers on one server. */
const customersAtOnce = 4;
/** One purchase in this many is made by a player who is on two servers and buys on both. */
const perTwin = 10;
const purchasesPerKill = 30;
/** Per market: some change their mind, and some are never reached. */
const mostSlow = 5;

/**
 * Players of simulated games buy by chat, while others use their names, lines are lost and repeated, prices change, private
 * messages reach no one, games answer late, and the API is killed. Compares what they agreed to with what they paid.
 */
export const runPurchases = async (options: PurchasesOptions): Promise<PurchasesOutcome> => {
  const { databaseUrl, home, purchases, seed, say } = options;
  const random = randomOf(seed);
  await using owned = new AsyncDisposableStack();
  const log = createLog({ component: 'trial', level: 'silent' });
  const { pool } = owned.use(openDatabase<Tables>({ url: databaseUrl, applicationName: 'trial', log }));
  const shop = owned.use(await startShopProcess({ databaseUrl, home, random }));
  const market = { shop, pool, random };
  await openShop(market);
  say(`${purchases} purchases with seed ${seed}`);

  const talk = createTalk(random, shop);
  let begun = 0;
  const customers = createCustomers({
    talk,
    random,
    onSpending: () => {
      if (begun >= (shop.counts.kills + 1) * purchasesPerKill) shop.killSoon();
    },
  });
  const troubles = createTroubles(random, { talk, spoken: customers.spoken });
  const points = new Map<string, number>();
  const bought = { twins: 0, slow: 0 };
  const visited: Stall[] = [];

  const buy: Customers['buy'] = (...asked) => {
    begun += 1;
    return customers.buy(...asked);
  };
  const gather = async (stall: Stall, names: readonly string[]) => {
    await stall.gather([...names, imitator]);
    for (const name of names) {
      const memberId = stall.members.get(name) ?? '';
      if (points.has(memberId)) continue;
      points.set(memberId, pointsOfEach);
      await grantPoints(pool, memberId, pointsOfEach);
    }
  };
  const trade = async (stall: Stall, all: readonly string[]) => {
    const waiting = [...all];
    const serve = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        if (random() < 0.4) troubles.imitate(stall, pickFrom(all, random));
        if (random() < 0.1) await stall.reprice(5 + Math.floor(random() * 20));
        await buy(stall, name);
      }
    };
    await Promise.all(Array.from({ length: customersAtOnce }, serve));
  };
  const namesOf = (count: number, kind: string) =>
    Array.from({ length: count }, (_, index) => `${kind}x${index}`);

  let left = purchases;
  let stalls = 0;
  const visit = async (share: number) => {
    const { shops, second } = await openMarket(market, owned);
    const twins = namesOf(Math.max(1, Math.floor(share / 2 / perTwin)), `T${stalls}`);
    const alone = share - 2 * twins.length - 1;
    visited.push(...shops, second);
    const [first] = shops;
    if (!first) throw new Error('a market has no stall');
    const crowds = shops.map((stall, place) => {
      stalls += 1;
      const names = namesOf(Math.ceil((alone - place) / shops.length), `P${stalls}`);
      return { stall, names, deaf: `D${stalls}` };
    });
    const deaf = `E${stalls}`;
    const slow = namesOf(mostSlow, `S${stalls}`);
    await gather(second, [...twins, ...slow, deaf]);
    await Promise.all(
      crowds.map((crowd) =>
        gather(crowd.stall, [...crowd.names, crowd.deaf, ...(crowd.stall === first ? twins : [])]),
      ),
    );
    await Promise.all([
      ...crowds.map(async (crowd) => {
        await troubles.askUnheard(crowd.stall, crowd.deaf);
        await trade(crowd.stall, crowd.names);
      }),
      (async () => {
        await troubles.askUnheard(second, deaf);
        for (const name of twins) {
          const both = await Promise.all([buy(first, name, second), buy(second, name, first)]);
          bought.twins += both.filter(Boolean).length;
        }
        second.slowDown();
        for (const name of slow)
          if (await buy(second, name)) {
            bought.slow += 1;
            break;
          }
      })(),
    ]);
  };
  const openMarkets = async () => {
    while (left > 0) {
      const share = Math.min(left, perMarket);
      left -= share;
      await visit(share);
      say(`${begun} of ${purchases}, ${shop.counts.kills} kills`);
    }
  };
  await Promise.all(Array.from({ length: marketsAtOnce }, openMarkets));

  const { suspects, ...found } = await tally(pool, customers.consents, points);
  for (const memberId of suspects) {
    const consents = customers.consents.filter((consent) => consent.memberId === memberId);
    say(JSON.stringify({ ...(await traceOf(pool, visited, memberId)), consents }, null, 1));
  }
  const counts = { ...talk.counts, ...customers.counts, ...troubles.counts, ...shop.counts };
  return { purchases, seed, ...found, ...bought, ...counts };
};
