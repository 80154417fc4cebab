import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { eraseMember } from '../../people/members/erase-member.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import {
  genericEvent,
  genericPaid,
  stripeDispute,
  stripeInvoice,
  stripeInvoicePayment,
  stripeRefund,
  stripeSession,
  tebexPayment,
} from './testing/documented-events.ts';
import { type ProductsOfAShop, productsOfAShop, vip } from './testing/products-of-a-shop.ts';
import { type ShopsOfATest, shopsOfATest } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let goods: ProductsOfAShop;
beforeAll(async () => {
  play = await shopsOfATest();
  goods = await productsOfAShop(play);
});
afterAll(() => play[Symbol.asyncDispose]());

// Guarantee: a shop's order costs no points, ignores limits and a stopped sale, and is reported as the shop's.
test('what was paid outside is given', async () => {
  const closed = await play.store.newProduct({ price: 500, isEnabled: false, limits: { perMember: 1 } });
  const shop = await play.newShop('generic', {}, [{ key: 'closed', productId: closed.id, quantity: 3 }]);
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid('paid-outside', [{ product: 'closed', quantity: 2 }], receiver));
  const order = await play.order('paid-outside');
  expect(order).toMatchObject({ state: 'given', memberId, amount: { value: '12.90', currency: 'BRL' } });
  expect(granted(await play.store.orders.read(order.orderId ?? ''))).toMatchObject({
    source: 'shop',
    total: 0,
    receiverId: memberId,
    lines: [{ productId: closed.id, quantity: 6, unitPrice: 0 }],
  });
  expect(await play.store.balance(memberId)).toBe(0);
  const audit = await play.store.query(`select actor from audit_logs where target = $1`, [
    `order:${order.orderId}`,
  ]);
  expect(audit).toEqual([{ actor: `shop:${shop.id}` }]);
});

// Guarantee: what exceeds the stock is still given, and marked as oversold.
test('a stock of one', async () => {
  const rare = await play.store.newProduct({ stock: 1 });
  const shop = await play.newShop('generic', {}, [{ key: 'rare', productId: rare.id, quantity: 1 }]);
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('oversold', [{ product: 'rare', quantity: 3 }], receiver));
  const { orderId } = await play.order('oversold');
  expect(granted(await play.store.orders.read(orderId ?? '')).lines).toMatchObject([{ oversold: 2 }]);
});

// Guarantee: other things that a shop sells are no error, alone or next to a product.
test('products that are nothing in a game', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const shirt = { product: 'shirt', quantity: 1 };
  await play.send(shop, genericPaid('shirt', [shirt], receiver));
  expect(await play.order('shirt')).toMatchObject({ state: 'not-given', reason: 'nothing-to-give' });
  await play.send(shop, genericPaid('shirt-and-vip', [shirt, vip], receiver));
  expect(await play.order('shirt-and-vip')).toMatchObject({ state: 'given' });
});

// Guarantee: invalid and huge quantities give nothing.
test.each([0, -1, 1001, Number.MAX_SAFE_INTEGER])('a quantity of %d', async (quantity) => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  const id = `quantity${quantity}`;
  await play.send(shop, genericPaid(id, [vip, { product: 'gold', quantity }], receiver));
  expect(await play.order(id)).toMatchObject({ state: 'person', reason: 'quantity', orderId: null });
});

// Guarantee: an order of a product that no one has entered continues once it is entered.
test('a product without an entry', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('unmapped', [vip, { product: 'new', quantity: 1 }], receiver));
  expect(await play.order('unmapped')).toMatchObject({
    state: 'person',
    reason: 'product-unmapped',
    detail: 'new',
  });
  const products = [...shop.products, { key: 'new', productId: goods.gold.id, quantity: 1 }].map(
    ({ key, productId, quantity }) => ({ key, productId, quantity }),
  );
  granted(await play.shops.settings.setProducts(shop.id, { version: shop.version, products }, byOwner));
  await eventually(async () => expect(await play.order('unmapped')).toMatchObject({ state: 'given' }));
});

// Guarantee: a product that can never be given waits with the store's own reason, and is retried on demand.
test('an archived product', async () => {
  const gone = await play.store.newProduct();
  const shop = await play.newShop('generic', {}, [{ key: 'gone', productId: gone.id, quantity: 1 }]);
  granted(await play.store.catalogue.archive(gone.id, { version: gone.version, archived: true }, byOwner));
  const { receiver } = await goods.someone();
  await play.send(shop, genericPaid('archived', [{ product: 'gone', quantity: 1 }], receiver));
  const order = await play.order('archived');
  expect(order).toMatchObject({ state: 'person', reason: 'product-refused', orderId: null });
  expect(order).toMatchObject({ detail: gone.name, said: { reason: { code: 'archived' } } });
  await play.store.query('update products set archived_at = null where id = $1', [gone.id]);
  expect(await play.shops.orders.retry(order.id, order.version, byOwner)).toMatchObject({ state: 'given' });
});

// Guarantee: an order for a player who was never seen is given when they first come, by id alone.
test('a player who was not seen yet', async () => {
  const shop = await goods.newShop();
  const platformId = 'minecraft:11111111-2222-4333-8444-555555555555';
  await play.send(shop, genericPaid('unseen', [vip], { game: 'minecraft', platformId }));
  expect(await play.order('unseen')).toMatchObject({ state: 'waiting', reason: 'receiver-unseen' });
  await play.shops.sweep();
  expect(await play.order('unseen')).toMatchObject({ state: 'waiting' });
  const { memberId } = await play.newPlayer({ platform_id: platformId });
  play.shops.onPlayersPresent();
  await eventually(async () =>
    expect(await play.order('unseen')).toMatchObject({ state: 'given', memberId }),
  );
});

// Guarantee: giving to a bare name requires that the shop allows it and exactly one player of the game has that name.
test('a bare name', async () => {
  const strict = await goods.newShop();
  const lenient = await goods.newShop('generic', { allowsNames: true });
  const { memberId } = await play.newPlayer({ name: 'Rosalind' });
  const named = { game: 'minecraft', name: 'ROSALIND' };
  await play.send(strict, genericPaid('name-strict', [vip], named));
  const waiting = await play.order('name-strict');
  expect(waiting).toMatchObject({ state: 'person', reason: 'receiver-by-name', receiver: 'ROSALIND' });
  const assigned = await play.shops.orders.assign(
    waiting.id,
    { version: waiting.version, memberId },
    byOwner,
  );
  expect(assigned).toMatchObject({ state: 'given', memberId });
  await play.send(lenient, genericPaid('name-lenient', [vip], named));
  expect(await play.order('name-lenient')).toMatchObject({ state: 'given', memberId });
  await play.newPlayer({ name: 'rosalind' });
  await play.send(lenient, genericPaid('name-twice', [vip], named));
  expect(await play.order('name-twice')).toMatchObject({ state: 'person', reason: 'receiver-by-name' });
});

// Guarantee: an order that waits for a name is only checked for players of its game, not for every player of that name.
test('a name that a player of another game bears', async () => {
  const shop = await goods.newShop('generic', { allowsNames: true });
  await play.newPlayer({ name: 'Orlando', game: 'ark-se', platform_id: 'steam:76561190000000001' });
  await play.send(shop, genericPaid('other-game', [vip], { game: 'minecraft', name: 'Orlando' }));
  expect(await play.order('other-game')).toMatchObject({ state: 'waiting', reason: 'receiver-unseen' });
  /** How many orders were locked for a check. */
  let looks = 0;
  const db = play.store.database.db.withPlugin({
    transformQuery({ node }) {
      if (/ForUpdate/i.test(JSON.stringify(node))) looks += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await play.another({ db }).sweep();
  expect(looks).toBe(0);
  const { memberId } = await play.newPlayer({ name: 'Orlando' });
  await play.another({ db }).sweep();
  expect(looks).toBeGreaterThan(0);
  expect(await play.order('other-game')).toMatchObject({ state: 'given', memberId });
});

// Guarantee: when giving by name alone is allowed later, the orders that wait for a person because of it continue.
test('a shop that allows names later', async () => {
  const shop = await goods.newShop();
  const { memberId } = await play.newPlayer({ name: 'Touchstone' });
  await play.send(shop, genericPaid('allowed-later', [vip], { game: 'minecraft', name: 'Touchstone' }));
  expect(await play.order('allowed-later')).toMatchObject({ state: 'person', reason: 'receiver-by-name' });
  const { name, isEnabled, game, checksAddress, id, version } = shop;
  const change = { name, isEnabled, game, checksAddress, version, allowsNames: true };
  granted(await play.shops.settings.change(id, change, byOwner));
  await eventually(async () =>
    expect(await play.order('allowed-later')).toMatchObject({ state: 'given', memberId }),
  );
});

// Guarantee: what a person set aside is not given by a later event, and comes back on demand.
test('an order that was set aside', async () => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid('aside', [vip]));
  const waiting = await play.order('aside');
  expect(waiting).toMatchObject({ state: 'person', reason: 'receiver-missing' });
  const aside = granted(await play.shops.orders.dismiss(waiting.id, waiting.version, byOwner));
  expect(aside).toMatchObject({ state: 'set-aside' });
  // An assigned receiver would leave it set aside without a reason.
  expect(
    await play.shops.orders.assign(aside.id, { version: aside.version, memberId }, byOwner),
  ).toMatchObject({ refused: 'CONFLICT' });
  await play.send(shop, genericEvent('dispute-won', 'aside'));
  await play.send(shop, genericPaid('aside', [vip], receiver));
  const later = await play.order('aside');
  expect(later.orderId).toBeNull();
  const back = granted(await play.shops.orders.retry(later.id, later.version, byOwner));
  expect(back).toMatchObject({ state: 'person', reason: 'contradicts' });
});

// Guarantee: an order that arrived while the license was not valid is given when it is valid again.
test('a license that does not hold', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  play.license.holds = false;
  expect((await play.send(shop, genericPaid('unlicensed', [vip], receiver))).status).toBe(200);
  await play.shops.sweep();
  expect(await play.order('unlicensed')).toMatchObject({ state: 'open', orderId: null });
  play.license.holds = true;
  await play.shops.sweep();
  expect(await play.order('unlicensed')).toMatchObject({ state: 'given' });
});

// Guarantee: a process that dies between the event and the order loses nothing, and two that sweep at the same time give it once.
test('a process that dies before the order', async () => {
  const shop = await goods.newShop();
  const { receiver } = await goods.someone();
  play.license.holds = false;
  await play.send(shop, genericPaid('killed', [vip], receiver));
  play.license.holds = true;
  const others = Array.from({ length: 4 }, () => play.another());
  await Promise.all([play.shops.sweep(), ...others.map((other) => other.sweep())]);
  expect(await play.order('killed')).toMatchObject({ state: 'given' });
  expect(await play.deliveries('killed')).toHaveLength(1);
});

// Guarantee: a gift at Tebex goes to the product's player, by an id without hyphens; with several receivers, a person is asked.
test('payments of Tebex', async () => {
  const shop = await play.newShop('tebex', {}, [{ key: '42', productId: goods.diamonds.id, quantity: 1 }]);
  const friend = { id: '0f3a0c1e11114222833344445555aaaa', username: 'Friend' };
  const { memberId } = await play.newPlayer({
    platform_id: 'minecraft:0f3a0c1e-1111-4222-8333-44445555aaaa',
  });
  const product = { id: 42, quantity: 1, username: friend };
  await play.send(shop, tebexPayment('payment.completed', 'tbx-1', [product]));
  expect(await play.order('tbx-1')).toMatchObject({ state: 'given', memberId });
  await play.send(shop, tebexPayment('payment.dispute.opened', 'tbx-1', [product]));
  expect(await play.order('tbx-1')).toMatchObject({ state: 'taken-back', reason: 'disputed' });
  await play.send(shop, tebexPayment('payment.dispute.closed', 'tbx-1', [product]));
  expect(await play.order('tbx-1')).toMatchObject({ state: 'person', reason: 'dispute-won' });
  await play.send(shop, tebexPayment('payment.declined', 'tbx-2', [product]));
  await play.send(
    shop,
    tebexPayment('payment.completed', 'tbx-3', [product, { id: 42, quantity: 1, username: null }]),
  );
  expect(await play.order('tbx-3')).toMatchObject({ state: 'person', reason: 'receiver-several' });
  await play.send(shop, tebexPayment('payment.refunded', 'tbx-3', [product]));
  expect(await play.order('tbx-3')).toMatchObject({ state: 'not-given', reason: 'refunded' });
});

// Guarantee: a Tebex payment whose player has an empty id uses the name; without a name it counts as having no receiver.
test.each([
  ['Notch', 'receiver-by-name'],
  ['', 'receiver-missing'],
])('an empty id at Tebex, name "%s"', async (name, reason) => {
  const shop = await play.newShop('tebex', {}, [{ key: '42', productId: goods.diamonds.id, quantity: 1 }]);
  const id = `tbx-empty-${reason}`;
  const payment = tebexPayment('payment.completed', id, [
    { id: 42, quantity: 1, username: { id: '', username: name } },
  ]);
  payment.subject.customer.username = { id: '', username: name };
  expect((await play.send(shop, payment)).status).toBe(200);
  expect(await play.order(id)).toMatchObject({ state: 'person', reason });
});

// Guarantee: a Stripe session is given when it is paid, and a refund or dispute finds it by its payment, even one that came first.
test('sessions of Stripe', async () => {
  const shop = await play.newShop('stripe', {}, [
    { key: 'vip', productId: goods.diamonds.id, quantity: 1 },
    { key: 'plink_1', productId: goods.gold.id, quantity: 1 },
  ]);
  const { platformId } = await play.newPlayer();
  const metadata = { castellan_product: 'vip', castellan_quantity: '2', castellan_player: platformId };
  await play.send(shop, stripeSession('cs_late', { metadata, payment_status: 'unpaid' }));
  await expect(play.order('cs_late')).rejects.toThrow('no order');
  const paid = { metadata, payment_status: 'paid' };
  await play.send(shop, stripeSession('cs_late', paid, 'checkout.session.async_payment_succeeded'));
  await play.send(shop, stripeSession('cs_late', paid));
  expect(await play.order('cs_late')).toMatchObject({
    state: 'given',
    lines: [{ product: 'vip', quantity: 2 }],
    amount: { value: '12.90', currency: 'BRL' },
  });
  await play.send(shop, stripeRefund('cs_late', 500));
  expect(await play.order('cs_late')).toMatchObject({ state: 'person', reason: 'part-refunded' });
  await play.send(shop, stripeRefund('cs_late'));
  expect(await play.order('cs_late')).toMatchObject({ state: 'taken-back', reason: 'refunded' });

  await play.send(shop, stripeDispute('cs_link', 'created', 'needs_response'));
  const link = { payment_link: 'plink_1', client_reference_id: platformId.replace(':', '_') };
  await play.send(shop, stripeSession('cs_link', link));
  expect(await play.order('cs_link')).toMatchObject({ state: 'not-given', reason: 'disputed' });
  await play.send(shop, stripeDispute('cs_link', 'closed', 'won'));
  const won = await play.order('cs_link');
  expect(won).toMatchObject({ state: 'person', reason: 'dispute-won' });
  expect(await play.shops.orders.give(won.id, won.version, byOwner)).toMatchObject({ state: 'given' });

  await play.send(shop, stripeSession('cs_inquiry', link));
  await play.send(shop, stripeDispute('cs_inquiry', 'created', 'warning_needs_response'));
  await play.send(shop, stripeDispute('cs_inquiry', 'closed', 'warning_closed'));
  expect(await play.order('cs_inquiry')).toMatchObject({ state: 'given' });
});

// Guarantee: a subscription, whose refunds cannot be seen, is given only when a person says so; its refund counts.
test('a subscription of Stripe', async () => {
  const shop = await play.newShop('stripe', {}, [{ key: 'vip', productId: goods.diamonds.id, quantity: 1 }]);
  const { platformId } = await play.newPlayer();
  const metadata = { castellan_product: 'vip', castellan_player: platformId };
  const subscription = { mode: 'subscription', payment_intent: null, subscription: 'sub_1', invoice: 'in_1' };
  await play.send(shop, stripeSession('cs_subscription', { ...subscription, metadata }));
  const waiting = await play.order('cs_subscription');
  expect(waiting).toMatchObject({ state: 'person', reason: 'refunds-unseen', orderId: null });
  expect(await play.shops.orders.give(waiting.id, waiting.version, byOwner)).toMatchObject({
    state: 'given',
  });
  await play.send(shop, stripeSession('cs_known', { metadata }));
  await play.send(shop, stripeRefund('cs_known'));
  const unknownRefunds = async () =>
    (await play.shops.settings.list()).find(({ id }) => id === shop.id)?.unknownRefunds;
  expect(await unknownRefunds()).toBe(0);
  await play.send(shop, stripeRefund('of_the_invoice', 500));
  await play.send(shop, stripeRefund('of_the_invoice'));
  await play.send(shop, stripeDispute('of_another', 'created', 'needs_response'));
  expect(await unknownRefunds()).toBe(2);
});

// Guarantee: a subscription's renewal delivers again, once, and its refund is found as soon as its payment is known.
test('a renewal at Stripe', async () => {
  const shop = await play.newShop('stripe', {}, [{ key: 'vip', productId: goods.diamonds.id, quantity: 1 }]);
  const { platformId } = await play.newPlayer();
  const metadata = { castellan_product: 'vip', castellan_player: platformId };
  await play.send(shop, stripeInvoice('in_first', metadata, { billing_reason: 'subscription_create' }));
  await expect(play.order('in_first')).rejects.toThrow('no order');
  await play.send(shop, { ...stripeInvoice('in_failed', metadata), type: 'invoice.payment_failed' });
  const [listed] = (await play.shops.settings.list()).filter(({ id }) => id === shop.id);
  expect(listed?.unread).toEqual([{ type: 'invoice.payment_failed', count: 1 }]);
  await play.send(shop, stripeInvoice('in_second', metadata));
  expect(await play.order('in_second')).toMatchObject({ state: 'person', reason: 'refunds-unseen' });
  await play.send(shop, stripeInvoicePayment('in_second', 'renewal'));
  await play.send(shop, stripeInvoice('in_second', metadata, {}, 'invoice.payment_succeeded'));
  expect(await play.order('in_second')).toMatchObject({
    state: 'given',
    lines: [{ product: 'vip', quantity: 1 }],
    amount: { value: '12.90', currency: 'BRL' },
  });
  await play.send(shop, stripeRefund('renewal'));
  expect(await play.order('in_second')).toMatchObject({ state: 'taken-back', reason: 'refunded' });
  const former = {
    parent: undefined,
    subscription_details: { metadata },
    payment_intent: 'pi_x',
    charge: 'ch_x',
  };
  await play.send(shop, stripeInvoice('in_former', {}, former));
  expect(await play.order('in_former')).toMatchObject({ state: 'given' });
  const oldest = { parent: undefined, lines: { data: [{ metadata }] }, payment_intent: 'pi_y' };
  await play.send(shop, stripeInvoice('in_oldest', {}, oldest));
  expect(await play.order('in_oldest')).toMatchObject({ state: 'given' });
  await play.send(shop, stripeInvoice('in_bare', {}));
  expect(await play.order('in_bare')).toMatchObject({ state: 'person' });
});

// Guarantee: what was paid in a shop's test mode is given only when a person says so, marked, and in no figures.
test('test money', async () => {
  const shop = await play.newShop('stripe', {}, [{ key: 'vip', productId: goods.diamonds.id, quantity: 1 }]);
  const { platformId } = await play.newPlayer();
  const metadata = { castellan_product: 'vip', castellan_player: platformId };
  await play.send(shop, { ...stripeSession('cs_test', { metadata, livemode: false }), livemode: false });
  const order = await play.order('cs_test');
  expect(order).toMatchObject({ state: 'person', reason: 'test-purchase', isTest: true });
  expect(await play.shops.orders.give(order.id, order.version, byOwner)).toMatchObject({
    ...{ state: 'given', isTest: true },
  });
  const tebex = await play.newShop('tebex', {}, [{ key: '42', productId: goods.diamonds.id, quantity: 1 }]);
  const payment = tebexPayment('payment.completed', 'tbx-test', [{ id: 42, quantity: 1, username: null }]);
  payment.subject.payment_method.name = 'Test Payments';
  await play.send(tebex, payment);
  expect(await play.order('tbx-test')).toMatchObject({ state: 'person', reason: 'test-purchase' });
});

// Guarantee: what a buyer edits in a Stripe link can change the receiver, never the product.
test('a reference that a buyer has edited', async () => {
  const shop = await play.newShop('stripe', {}, [{ key: 'vip', productId: goods.diamonds.id, quantity: 1 }]);
  await play.send(shop, stripeSession('cs_edited', { client_reference_id: 'vip_castellan_product-vip' }));
  expect(await play.order('cs_edited')).toMatchObject({ state: 'person', reason: 'quantity', lines: [] });
});

// Guarantee: after erasing a person, orders that were never given name nothing of them, however the shop wrote their id.
test('a receiver of orders that were never given', async () => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  const { receiver: other } = await goods.someone();
  const bare = receiver.platformId.replace('minecraft:', '').replaceAll('-', '');
  const ids = [receiver.platformId, bare, receiver.platformId.slice('minecraft:'.length), other.platformId];
  for (const [index, platformId] of ids.entries()) {
    const id = `never-given-${index}`;
    await play.send(shop, genericEvent('refunded', id));
    await play.send(shop, genericPaid(id, [vip], { game: 'minecraft', platformId }));
  }
  await play.store.database.db.transaction().execute((trx) => eraseMember(trx, memberId, 1));
  const kept = await Promise.all(
    ids.map(async (_, index) => (await play.order(`never-given-${index}`)).receiver),
  );
  expect(kept).toEqual(['', '', '', other.platformId]);
});

// Guarantee: after erasing a person, what shops said about them as receivers is gone, and the order still counts as handled.
test('a receiver who is erased', async () => {
  const shop = await goods.newShop();
  const { receiver, memberId } = await goods.someone();
  await play.send(shop, genericPaid('erased', [vip], receiver));
  const { orderId } = await play.order('erased');
  await play.store.query(
    `update deliveries set state = 'delivered', certainty = 'proven', attempts = 1 where order_id = $1`,
    [orderId],
  );
  const erased = await play.store.database.db.transaction().execute((trx) => eraseMember(trx, memberId, 1));
  expect(erased).toHaveLength(1);
  const kept = JSON.stringify(await play.store.query('select facts from shop_events'));
  expect(kept).not.toContain(receiver.platformId);
  await play.send(shop, genericEvent('refunded', 'erased'));
  expect(await play.order('erased')).toMatchObject({ state: 'taken-back', receiver: '' });
});
