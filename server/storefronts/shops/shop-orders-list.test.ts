import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { genericPaid } from './testing/documented-events.ts';
import { type ProductsOfAShop, productsOfAShop, vip } from './testing/products-of-a-shop.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let goods: ProductsOfAShop;
beforeAll(async () => {
  play = await shopsOfATest();
  goods = await productsOfAShop(play);
  await fillShop();
});
afterAll(() => play[Symbol.asyncDispose]());

// Guarantee: a page of orders takes as many queries as one order, and shows what each event said.
test('a page of orders', async () => {
  const shop = await goods.newShop();
  let queries = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const counted = play.another({ db: play.store.database.db.withPlugin(counter) });
  const countFor = async () => {
    queries = 0;
    const { rows } = await counted.orders.list({ limit: 50 });
    return { rows, queries };
  };
  await play.send(shop, genericPaid('one', [vip]));
  const one = await countFor();
  for (const id of ['two', 'three', 'four', 'five']) {
    const { receiver } = await goods.someone();
    await play.send(shop, genericPaid(id, [vip], receiver));
  }
  const five = await countFor();
  expect(five.rows.map(({ externalId }) => externalId)).toEqual(['five', 'four', 'three', 'two', 'one']);
  for (const row of five.rows) expect(row).toMatchObject({ lines: [vip], amount: { value: '12.90' } });
  expect(five.queries).toBe(one.queries);
});

/** A shop that mostly reports events without consequences, so that the planner has a choice. */
const fillShop = async (): Promise<void> => {
  const { pool } = play.store.database;
  await pool.query(
    `insert into shops (id, kind, name, is_enabled, game, allows_names, checks_address)
     values ('a', 'generic', 'A', true, 'minecraft', false, false)`,
  );
  await pool.query(
    `insert into shop_events (shop_id, event_id, type, digest, refs, facts)
     select 'a', number, 'x', '', array['order:' || number],
       jsonb_build_object('kind', case when number % 1000 = 0 then 'paid' else 'nothing' end)
     from generate_series(1, 5000) as number`,
  );
  await pool.query('analyze shop_events');
};

// Guarantee: what is looked up with every event, sweep and view of the settings is found through an index.
test.each([
  `select id from shop_orders where refs && array['order:1']`,
  `select from shop_events where shop_order_id = 'a'`,
  `select sum(conflicts) from shop_events where shop_id = 'a' and conflicts > 0`,
  `select count(distinct refs) from shop_events
     where shop_id = 'a' and shop_order_id is null and facts ->> 'kind' <> 'nothing'`,
  `select from players where name_key = 'a' and game = 'minecraft'`,
])('%s', async (query) => {
  const lines = await play.store.database.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const { rows } = await sql<Record<string, string>>`explain ${sql.raw(query)}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN'] ?? '');
  });
  const plan = lines.join('\n');
  expect(plan).not.toContain('Seq Scan');
  // The primary key begins with the shop: through it, all events of the shop would be read.
  expect(plan).toMatch(/shop_orders_refs|shop_events_(?:order|conflicts|of_no_order)|players_name_key/);
});
