import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuse } from '../../kernel/http/refusal.ts';
import { eraseMember } from '../../people/members/erase-member.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import { genericEvent, genericPaid } from './testing/documented-events.ts';
import { type ProductsOfAShop, productsOfAShop, vip } from './testing/products-of-a-shop.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let goods: ProductsOfAShop;
beforeAll(async () => {
  play = await shopsOfATest();
  goods = await productsOfAShop(play);
});
afterAll(() => play[Symbol.asyncDispose]());

// Guarantee: a refund that overtakes its purchase keeps it from ever being given.
test('a refund before its purchase', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericEvent('refunded', 'refunded-first'));
  await play.send(shop, genericPaid('refunded-first', [vip], receiver));
  expect(await play.order('refunded-first')).toMatchObject({ state: 'not-given', orderId: null });
  expect(await play.deliveries('refunded-first')).toEqual([]);
});

// Guarantee: a refund or a dispute takes back everything that was given, runs the counter-commands, and does so only once.
test.each(['refunded', 'disputed', 'dispute-lost'])('%s takes back', async (type) => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const id = `back-${type}`;
  await play.send(shop, genericPaid(id, [vip, { product: 'gold', quantity: 1 }], receiver));
  const { orderId } = await play.order(id);
  const rows = await play.store.query<{ id: string }>(
    `update deliveries set line = line || '{"counterCommand": "undo"}' where order_id = $1 returning id`,
    [orderId],
  );
  const ids = rows.map((row) => row.id);
  await play.store.setState(ids, 'delivered');
  await play.store.sent(ids);
  await play.send(shop, genericEvent(type, id));
  expect((await play.store.countered(orderId ?? '')).toSorted()).toEqual(ids.toSorted());
  await play.store.query(`update counter_commands set state = 'taken' where delivery_id = any ($1)`, [ids]);
  await play.shops.sweep();
  await play.send(shop, genericEvent(type, id));
  expect(await play.order(id)).toMatchObject({ state: 'taken-back' });
  expect(await goods.held(id)).toEqual([]);
  expect(await play.store.countered(orderId ?? '')).toHaveLength(2);
  const told = await play.store.query(
    `select 1 from event_logs where kind = 'shop.order-taken-back' and payload ->> 'order' = $1`,
    [id],
  );
  expect(told).toHaveLength(1);
});

// Guarantee: a dispute that was won gives nothing by itself; a person gives it again, once, and a new dispute asks again.
test('a dispute that was won', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('won', [vip], receiver));
  await play.send(shop, genericEvent('disputed', 'won', { disputeId: 'd1' }));
  await play.send(shop, genericEvent('dispute-won', 'won', { disputeId: 'd1' }));
  const waiting = await play.order('won');
  expect(waiting).toMatchObject({ state: 'person', reason: 'dispute-won' });
  expect(await goods.held('won')).toEqual([]);
  const again = await play.shops.orders.give(waiting.id, waiting.version, byOwner);
  expect(again).toMatchObject({ state: 'given' });
  expect(await play.shops.orders.give(waiting.id, waiting.version, byOwner)).toMatchObject({
    refused: 'CONFLICT',
  });
  await play.shops.sweep();
  expect(await goods.held('won')).toHaveLength(1);
  // A late event of the first dispute reopens nothing.
  await play.send(shop, genericEvent('disputed', 'won', { disputeId: 'd1' }));
  expect(await play.order('won')).toMatchObject({ state: 'given' });
  await play.send(shop, genericEvent('disputed', 'won', { disputeId: 'd2' }));
  expect(await play.order('won')).toMatchObject({ state: 'taken-back' });
  await play.send(shop, genericEvent('dispute-won', 'won', { disputeId: 'd2' }));
  expect(await play.order('won')).toMatchObject({ state: 'person', reason: 'dispute-won' });
});

// Guarantee: an order is given again to the person who had it, even if the name now belongs to another player.
test('a name that another player bears when the order is given again', async () => {
  const shop = await goods.newShop('generic', { allowsNames: true });
  const { memberId, platformId } = await play.newPlayer({ name: 'Celia' });
  await play.send(shop, genericPaid('renamed', [vip], { game: 'minecraft', name: 'Celia' }));
  await play.send(shop, genericEvent('disputed', 'renamed'));
  await play.store.query(
    `update players set name = 'Ganymede', name_key = 'ganymede' where platform_id = $1`,
    [platformId],
  );
  const other = await play.newPlayer({ name: 'Celia' });
  await play.send(shop, genericEvent('dispute-won', 'renamed'));
  const waiting = await play.order('renamed');
  const again = granted(await play.shops.orders.give(waiting.id, waiting.version, byOwner));
  expect(again).toMatchObject({ state: 'given', memberId });
  expect(other.memberId).not.toBe(memberId);
});

// Guarantee: if the person who had an order is erased, another receiver can be chosen before it is given again.
test('a receiver who is erased before the order is given again', async () => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid('erased-between', [vip], receiver));
  const { orderId } = await play.order('erased-between');
  await play.send(shop, genericEvent('disputed', 'erased-between'));
  expect(await goods.undone('erased-between')).toHaveLength(1);
  await play.store.database.db.transaction().execute((trx) => eraseMember(trx, memberId, 1));
  await play.send(shop, genericEvent('dispute-won', 'erased-between'));
  const won = await play.order('erased-between');
  const unknown = granted(await play.shops.orders.give(won.id, won.version, byOwner));
  expect(unknown).toMatchObject({ state: 'person', reason: 'receiver-unknown', orderId });
  const heir = await goods.someone();
  const change = { version: unknown.version, memberId: heir.memberId };
  const assigned = granted(await play.shops.orders.assign(unknown.id, change, byOwner));
  expect(assigned).toMatchObject({ state: 'given', memberId: heir.memberId });
  expect(await goods.held('erased-between')).toHaveLength(1);
  expect(await play.shops.orders.assign(unknown.id, change, byOwner)).toMatchObject({ refused: 'CONFLICT' });
});

// Guarantee: a shop's orders never share a key, whatever ids the shop gives them.
test('an order that is called as the second giving of another', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('key:2', [vip], receiver));
  await play.send(shop, genericPaid('key', [vip], receiver));
  await play.send(shop, genericEvent('disputed', 'key'));
  await play.send(shop, genericEvent('dispute-won', 'key'));
  const waiting = await play.order('key');
  const again = granted(await play.shops.orders.give(waiting.id, waiting.version, byOwner));
  expect(again).toMatchObject({ state: 'given' });
  expect(again.orderId).not.toBe((await play.order('key:2')).orderId);
  expect(await goods.held('key')).toHaveLength(1);
  expect(await goods.held('key:2')).toHaveLength(1);
});

// Guarantee: a partial refund takes back the lines that it names in full; an unclear one waits for a person.
test('a part is refunded', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const both = [vip, { product: 'gold', quantity: 2 }];
  await play.send(shop, genericPaid('part', both, receiver));
  await play.send(shop, genericEvent('refunded', 'part', { lines: [vip] }));
  expect(await play.order('part')).toMatchObject({ state: 'given' });
  expect(await goods.undone('part')).toEqual(['minecraft:diamond']);
  await play.send(shop, genericEvent('refunded', 'part', { lines: [vip, { product: 'gold', quantity: 1 }] }));
  const waiting = await play.order('part');
  expect(waiting).toMatchObject({ state: 'person', reason: 'part-refunded', detail: 'gold' });
  expect(await play.shops.orders.give(waiting.id, waiting.version, byOwner)).toMatchObject({
    state: 'given',
  });
  await play.send(shop, genericEvent('refunded', 'part', { lines: both }));
  expect(await play.order('part')).toMatchObject({ state: 'taken-back' });
  expect(await goods.undone('part')).toHaveLength((await play.deliveries('part')).length);
});

// Guarantee: if an order was partly refunded before it arrived, only the rest is given.
test('a part is refunded before the purchase', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericEvent('refunded', 'rest', { lines: [vip] }));
  await play.send(shop, genericPaid('rest', [vip, { product: 'gold', quantity: 1 }], receiver));
  expect((await play.deliveries('rest')).map(({ item }) => item)).toEqual(['minecraft:gold_ingot']);
});

// Guarantee: pieces that were refunded before the order was given are left out once: what is still paid for stays given.
test.each([
  { bought: 2, unseen: true },
  { bought: 2, unseen: false },
  { bought: 3, unseen: true },
])(
  'one of $bought pieces is refunded before they are given, player unseen: $unseen',
  async ({ bought, unseen }) => {
    const shop = await goods.newShop();
    const id = `before-${bought}-${unseen}`;
    const platformId = `minecraft:${randomUUID()}`;
    const paid = genericPaid(id, [{ product: 'gold', quantity: bought }], { game: 'minecraft', platformId });
    const refunded = genericEvent('refunded', id, { lines: [{ product: 'gold', quantity: 1 }] });
    if (!unseen) await play.newPlayer({ platform_id: platformId });
    for (const event of unseen ? [paid, refunded] : [refunded, paid]) await play.send(shop, event);
    if (unseen) await play.newPlayer({ platform_id: platformId });
    await play.shops.sweep();
    await play.shops.sweep();
    const order = await play.order(id);
    expect(order).toMatchObject({ state: 'given', reason: null });
    expect(granted(await play.store.orders.read(order.orderId ?? '')).lines).toMatchObject([
      { productId: goods.gold.id, quantity: (bought - 1) * 2 },
    ]);
    expect(await goods.undone(id)).toEqual([]);
    // The rest is taken back when it is refunded too.
    const all = [{ product: 'gold', quantity: bought }];
    await play.send(shop, genericEvent('refunded', id, { lines: all }));
    expect(await play.order(id)).toMatchObject({ state: 'taken-back' });
    expect(await goods.held(id)).toEqual([]);
  },
);

// Guarantee: what is given again after a won dispute is what is still paid for, and it stays given.
test('a dispute that was won over an order that was refunded in part', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('part-won', [{ product: 'gold', quantity: 2 }], receiver));
  await play.send(shop, genericEvent('disputed', 'part-won', { disputeId: 'd1' }));
  await play.send(shop, genericEvent('refunded', 'part-won', { lines: [{ product: 'gold', quantity: 1 }] }));
  await play.send(shop, genericEvent('dispute-won', 'part-won', { disputeId: 'd1' }));
  const waiting = await play.order('part-won');
  const again = granted(await play.shops.orders.give(waiting.id, waiting.version, byOwner));
  expect(again).toMatchObject({ state: 'given' });
  await play.shops.sweep();
  expect(granted(await play.store.orders.read(again.orderId ?? '')).lines).toMatchObject([{ quantity: 2 }]);
  expect(await goods.held('part-won')).not.toEqual([]);
});

// Guarantee: a process that dies between the refund and its mark takes back once.
test('a process that dies after the refund', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('half-back', [vip], receiver));
  const { orderId } = await play.order('half-back');
  const dying = play.another({
    orders: {
      ...play.store.orders,
      async takeBack(...asked) {
        await play.store.orders.takeBack(...asked);
        throw new Error('the process dies');
      },
    },
  });
  play.license.holds = false;
  await play.send(shop, genericEvent('refunded', 'half-back'));
  play.license.holds = true;
  await dying.sweep();
  expect(await play.order('half-back')).toMatchObject({ state: 'open' });
  await play.shops.sweep();
  expect(await play.order('half-back')).toMatchObject({ state: 'taken-back' });
  const audited = await play.store.query(
    `select 1 from audit_logs where action = 'orders.refund' and target = $1`,
    [`order:${orderId}`],
  );
  expect(audited).toHaveLength(1);
});

// Guarantee: a refund that arrives while the order is being placed is not overtaken by it.
test('a refund while the order is placed', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  play.license.holds = false;
  await play.send(shop, genericPaid('racing', [vip], receiver));
  play.license.holds = true;
  const racing = play.another({
    orders: {
      ...play.store.orders,
      async place(...asked) {
        const body = JSON.stringify(genericEvent('refunded', 'racing'));
        const answer = await play.sendRaw(shop, body, play.signatureOf(shop, body));
        expect(answer.status).toBe(200);
        return play.store.orders.place(...asked);
      },
    },
  });
  await racing.sweep();
  await play.settled();
  expect(await play.order('racing')).toMatchObject({ state: 'not-given', orderId: null });
});

// Guarantee: a delivery that is being sent at the time is taken back when it has ended.
test('a refund while a delivery is sent', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('sending', [vip], receiver));
  const { orderId } = await play.order('sending');
  const rows = await play.store.query<{ id: string }>('select id from deliveries where order_id = $1', [
    orderId,
  ]);
  const ids = rows.map(({ id }) => id);
  await play.store.setState(ids, 'sending');
  await play.send(shop, genericEvent('refunded', 'sending'));
  expect(await play.order('sending')).toMatchObject({ state: 'open', reason: 'taking-back' });
  await play.store.setState(ids, 'delivered');
  await play.shops.sweep();
  expect(await play.order('sending')).toMatchObject({ state: 'taken-back' });
});

// Guarantee: a refund whose lines do not match the purchase waits for a person, and each such refund is decided separately.
test.each([
  { product: 'VIP', quantity: 1 },
  { product: 'vip', quantity: 0 },
  { product: 'vip', quantity: -1 },
  { product: 'vip', quantity: 2 },
])('a refund of $quantity $product', async (line) => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const id = `odd-${line.product}${line.quantity}`;
  await play.send(shop, genericPaid(id, [vip], receiver));
  await play.send(shop, genericEvent('refunded', id, { lines: [line] }));
  const waiting = await play.order(id);
  expect(waiting).toMatchObject({ state: 'person', reason: 'part-refunded' });
  expect(granted(await play.shops.orders.give(waiting.id, waiting.version, byOwner))).toMatchObject({
    state: 'given',
  });
  await play.send(shop, genericEvent('refunded', id, { lines: [{ product: 'other', quantity: 1 }] }));
  expect(await play.order(id)).toMatchObject({ state: 'person', reason: 'part-refunded' });
});

// Guarantee: a contradiction that was set aside hides no later refund, and a third report of the purchase asks again.
test('refunds after a contradiction that was set aside', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('differs', [vip, { product: 'gold', quantity: 2 }], receiver));
  await play.send(shop, genericPaid('differs', [{ product: 'gold', quantity: 2 }, vip, vip], receiver));
  const first = await play.order('differs');
  expect(first).toMatchObject({ state: 'person', reason: 'contradicts' });
  granted(await play.shops.orders.dismiss(first.id, first.version, byOwner));
  await play.send(shop, genericEvent('refunded', 'differs', { lines: [vip] }));
  expect(await goods.undone('differs')).toEqual(['minecraft:diamond']);
  await play.send(
    shop,
    genericEvent('refunded', 'differs', { lines: [vip, { product: 'gold', quantity: 1 }] }),
  );
  const second = await play.order('differs');
  expect(second).toMatchObject({ state: 'person', reason: 'part-refunded', detail: 'gold' });
  granted(await play.shops.orders.dismiss(second.id, second.version, byOwner));
  await play.send(shop, genericPaid('differs', [vip, { product: 'gold', quantity: 3 }], receiver));
  expect(await play.order('differs')).toMatchObject({ state: 'person', reason: 'contradicts' });
});

// Guarantee: what another process gives in addition while an order is taken back is taken back, too.
test('given in addition meanwhile', async () => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid('meanwhile', [vip], receiver));
  const addOne = async () => {
    const { id } = granted(
      await play.store.orders.place(
        { memberId, isTest: false, lines: [{ productId: goods.diamonds.id, quantity: 1 }] },
        null,
        byOwner,
        { source: 'shop', isPaidOutside: true, ignoresLimits: true },
      ),
    );
    await play.store.query(
      `update shop_orders set added_order_ids = added_order_ids || $1::text, version = version + 1
        where external_id = 'meanwhile'`,
      [id],
    );
    return id;
  };
  let added: string | null = null;
  const racing = play.another({
    orders: {
      ...play.store.orders,
      async takeBack(...asked) {
        const taken = await play.store.orders.takeBack(...asked);
        added ??= await addOne();
        return taken;
      },
    },
  });
  play.license.holds = false;
  await play.send(shop, genericEvent('refunded', 'meanwhile'));
  play.license.holds = true;
  await racing.sweep();
  expect(await play.order('meanwhile')).toMatchObject({ state: 'taken-back' });
  expect(granted(await play.store.orders.read(added ?? '')).deliveries).toMatchObject([
    { state: 'cancelled' },
  ]);
});

// Guarantee: many orders that cannot be taken back now keep neither others nor each other from their turn.
test('a sweep among orders that cannot be taken back', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const ids = ['stuck-1', 'stuck-2', 'stuck-3'];
  for (const id of ids) await play.send(shop, genericPaid(id, [vip], receiver));
  play.license.holds = false;
  for (const id of ids) await play.send(shop, genericEvent('refunded', id));
  await play.send(shop, genericPaid('behind', [vip], receiver));
  play.license.holds = true;
  const tried: string[] = [];
  const takeBack = async (orderId: string) => {
    tried.push(orderId);
    return refuse('DELIVERY_STATE', 'A delivery is being sent at this moment; try again.');
  };
  const sweeping = play.another({ mostSwept: 2, orders: { ...play.store.orders, takeBack } });
  for (let count = 0; count < 2; count += 1) await sweeping.sweep();
  expect(await play.order('behind')).toMatchObject({ state: 'given' });
  tried.length = 0;
  for (let count = 0; count < 3; count += 1) await sweeping.sweep();
  expect(new Set(tried).size).toBe(ids.length);
  await play.shops.sweep();
  for (const id of ids) expect(await play.order(id)).toMatchObject({ state: 'taken-back' });
});
