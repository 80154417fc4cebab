import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Shop } from '#contracts/storefronts/shops.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { createSecrets } from '../../kernel/secrets/secrets.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { byOwner, granted } from '../../store/orders/testing/store-of-a-test.ts';
import {
  emailOfBuyer,
  genericEvent,
  genericPaid,
  stripeSession,
  tebexPayment,
  tebexValidation,
} from './testing/documented-events.ts';
import { type ShopsOfATest, shopSecret, shopsOfATest, signTebex } from './testing/shops-of-a-test.ts';

let play: ShopsOfATest;
let productId: string;
let shop: Shop;
beforeAll(async () => {
  play = await shopsOfATest();
  productId = (await play.store.newProduct()).id;
  shop = await play.newShop('generic', {}, [{ key: 'vip', productId, quantity: 1 }]);
});
afterAll(() => play[Symbol.asyncDispose]());

const counts = () =>
  play.store.query(
    'select (select count(*)::int from shop_events) as events, (select count(*)::int from orders) as orders',
  );
const someone = async () => {
  const { platformId } = await play.newPlayer();
  return { game: 'minecraft', platformId };
};
const vip = [{ product: 'vip', quantity: 1 }];

// Guarantee: an event not signed by its shop, now, changes nothing; an unknown shop gets the same answer.
test('what is not signed', async () => {
  const body = JSON.stringify(genericPaid('unsigned', vip, await someone()));
  const before = await counts();
  const now = play.now();
  const old = new Date(now.getTime() - 301_000);
  const other = new Secret('another secret of that length');
  const headers = [
    {},
    { 'Castellan-Signature': 'nonsense' },
    { 'Castellan-Signature': signed(body, now, other) },
    { 'Castellan-Signature': signed(body, old, shopSecret) },
    { 'Castellan-Signature': signed(`${body} `, now, shopSecret) },
    { 'Stripe-Signature': signed(body, now, shopSecret) },
    { 'X-Signature': signTebex(body) },
  ];
  const answers = await Promise.all(headers.map((shown) => play.sendRaw(shop, body, shown)));
  const unknown = await play.sendRaw({ id: 'nosuchshop' }, body, play.signatureOf(shop, body));
  const { instance: _, requestId: __, ...expected } = unknown.json;
  expect(unknown.json).toMatchObject({ status: 401, code: 'WEBHOOK_SIGNATURE_INVALID' });
  for (const { json, status } of answers) {
    expect(status).toBe(401);
    expect(json).toMatchObject({ ...expected });
  }
  expect(await counts()).toEqual(before);
});

// Guarantee: a shop that is switched off accepts nothing.
test('a shop that is switched off', async () => {
  const off = await play.newShop('generic', { isEnabled: false });
  const body = JSON.stringify(genericPaid('off', vip));
  expect((await play.sendRaw(off, body, play.signatureOf(off, body))).status).toBe(401);
});

// Guarantee: wrong signatures from an address are throttled, without keeping any signed event out.
test('many wrong signatures', async () => {
  await using flooded = await shopsOfATest();
  const of = await flooded.newShop('generic');
  const body = JSON.stringify(genericPaid('flood', vip));
  const wrong = { 'Castellan-Signature': 't=1,v1=00' };
  const statuses = await Promise.all(
    Array.from({ length: 90 }, async () => (await flooded.sendRaw(of, body, wrong)).status),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(60);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30);
  expect((await flooded.sendRaw(of, body, flooded.signatureOf(of, body))).status).toBe(200);
});

// Guarantee: the same event is one order, whether sent twice at the same time, again later, or replayed with its old timestamp.
test('the same event', async () => {
  const event = genericPaid('twice', vip, await someone());
  const body = JSON.stringify(event);
  const headers = play.signatureOf(shop, body);
  const answers = await Promise.all(Array.from({ length: 6 }, () => play.sendRaw(shop, body, headers)));
  for (const { status, json } of answers) expect([status, json]).toEqual([200, { id: event.id }]);
  await play.settled();
  expect((await play.send(shop, event)).json).toEqual({ id: event.id });
  expect(await play.order('twice')).toMatchObject({ state: 'given' });
  expect(await play.deliveries('twice')).toHaveLength(1);
  const before = await counts();
  play.advance(301_000);
  expect((await play.sendRaw(shop, body, headers)).status).toBe(401);
  play.advance(-301_000);
  expect(await counts()).toEqual(before);
});

// Guarantee: a signed event is not lost for a character that cannot be stored, and its signature is that of its bytes.
test('characters that cannot be stored', async () => {
  const event = genericPaid('odd', vip, { game: 'minecraft', name: 'Zoe' });
  const body = JSON.stringify(event).replace('Zoe', 'Z\\u0000o\\ud800e');
  expect(body).toContain('\\u0000');
  expect((await play.sendRaw(shop, body, play.signatureOf(shop, body))).status).toBe(200);
  await play.settled();
  expect(await play.order('odd')).toMatchObject({ state: 'person' });
});

// Guarantee: an event id with other content is refused, recorded, and changes nothing.
test('the same id with another content', async () => {
  const event = genericPaid('changed', vip, await someone());
  await play.send(shop, event);
  const forged = await play.send(shop, { ...event, lines: [{ product: 'vip', quantity: 50 }] });
  expect(forged.json).toMatchObject({ status: 409, code: 'IDEMPOTENCY_MISMATCH' });
  expect(await play.deliveries('changed')).toHaveLength(1);
  const listed = (await play.shops.settings.list()).find(({ id }) => id === shop.id);
  expect(listed?.conflicts).toBe(1);
});

// Guarantee: what a shop writes around the content may differ when it repeats an event.
test('an event of Stripe that is sent again', async () => {
  const stripe = await play.newShop('stripe');
  const event = stripeSession('cs_again');
  expect((await play.send(stripe, event)).status).toBe(200);
  expect((await play.send(stripe, { ...event, pending_webhooks: 1 })).status).toBe(200);
});

// Guarantee: during a rotation both secrets are accepted, afterwards only the new one; they are shown nowhere.
test('another secret', async () => {
  const rotated = await play.newShop('generic');
  const fresh = new Secret('the secret that comes after it');
  const withBoth = granted(await play.shops.settings.addSecret(rotated.id, fresh.reveal(), byOwner));
  expect(withBoth.secrets).toHaveLength(2);
  const status = async (secret: Secret) => {
    const body = JSON.stringify(genericEvent('refunded', 'rotated'));
    return (await play.sendRaw(rotated, body, play.signatureOf(rotated, body, secret))).status;
  };
  expect([await status(shopSecret), await status(fresh)]).toEqual([200, 200]);
  const [old] = withBoth.secrets;
  granted(await play.shops.settings.removeSecret(rotated.id, old?.id ?? '', byOwner));
  expect([await status(shopSecret), await status(fresh)]).toEqual([401, 200]);
  const shown = JSON.stringify([
    await play.shops.settings.list(),
    await play.store.query('select * from audit_logs'),
    await play.store.query('select * from shop_secrets'),
  ]);
  expect(shown).not.toContain(fresh.reveal());
  expect(shown).not.toContain(shopSecret.reveal());
  await play.shops.settings.addSecret(rotated.id, 'x'.repeat(20), byOwner);
  await play.shops.settings.addSecret(rotated.id, 'y'.repeat(20), byOwner);
  expect(await play.shops.settings.addSecret(rotated.id, 'z'.repeat(20), byOwner)).toMatchObject({
    refused: 'CONFLICT',
  });
});

// Guarantee: a secret whose key is missing refuses the event in a way that makes the shop send it again.
test('a secret that cannot be read', async () => {
  const sealed = await play.newShop('generic');
  const blind = play.another({ secrets: createSecrets([new Secret('1'.repeat(64))]) });
  const body = JSON.stringify(genericPaid('blind', vip));
  const { 'Castellan-Signature': header = '' } = play.signatureOf(sealed, body);
  const received = blind.receive(sealed.id, {
    body: Buffer.from(body),
    address: '127.0.0.1',
    header: () => header,
  });
  await expect(received).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  expect((await blind.settings.list()).find(({ id }) => id === sealed.id)?.secrets).toMatchObject([
    { fault: 'unknown-key' },
  ]);
});

// Guarantee: signed garbage is a 400 that repeats nothing of it, and too much is a 413.
test('bad input', async () => {
  const bodies = [
    '{"half":',
    '[]',
    '{}',
    JSON.stringify({ ...genericPaid('x', vip), type: 'secret-word' }),
    JSON.stringify(genericPaid('x', [])),
    JSON.stringify(genericPaid('x', [{ product: 'vip', quantity: 1.5 }])),
    JSON.stringify({ ...genericPaid('x', vip), surprise: 'secret-word' }),
    JSON.stringify(genericPaid('with space', vip)),
  ];
  for (const body of bodies) {
    const { status, text } = await play.sendRaw(shop, body, play.signatureOf(shop, body));
    expect(status, body).toBe(400);
    expect(text).not.toContain('secret-word');
  }
  const huge = JSON.stringify(genericPaid('x'.repeat(300_000), vip));
  expect((await play.sendRaw(shop, huge, play.signatureOf(shop, huge))).status).toBe(413);
});

// Guarantee: a paid event is not refused for the form of its amount, and a refused one is told which field is wrong.
test('the form of an amount, and of what matters', async () => {
  const send = (more: object) => {
    const body = JSON.stringify({ ...genericPaid('amounts', vip), ...more });
    return play.sendRaw(shop, body, play.signatureOf(shop, body));
  };
  for (const [index, amount] of [{ value: 12.9, currency: 'brl' }, '12.90 €', null].entries())
    expect((await send({ id: `amount-${index}`, orderId: `amount-${index}`, amount })).status).toBe(200);
  expect(
    await play.store.query(
      `select facts #>> '{amount,value}' as value from shop_events where event_id like 'amount-%' order by event_id`,
    ),
  ).toEqual([{ value: '12.9' }, { value: null }, { value: null }]);
  const refused = async (more: object) => {
    const { status, json } = await send(more);
    expect(status).toBe(400);
    return json.detail;
  };
  expect(await refused({ lines: [{ product: 'vip', quantity: 1.5 }] })).toBe(
    'The event does not have the documented shape: lines.0.quantity must be a whole number.',
  );
  expect(await refused({ receiver: { game: 'minecraft', platformId: '' } })).toContain(
    'receiver.platformId ',
  );
});

// Guarantee: Tebex's validation request is answered with its id alone and not kept as an event; an unknown type is kept.
test('Tebex asks whether the address answers', async () => {
  const tebex = await play.newShop('tebex');
  const validation = tebexValidation();
  const answer = await play.send(tebex, validation);
  expect([answer.status, answer.json]).toEqual([200, { id: validation.id }]);
  expect(await play.store.query('select 1 from shop_events where shop_id = $1', [tebex.id])).toEqual([]);
  const unknown = { ...tebexPayment('recurring-payment.renewed', 'tbx-r', []), subject: { reference: 'r' } };
  expect((await play.send(tebex, unknown)).status).toBe(200);
  const [listed] = (await play.shops.settings.list()).filter(({ id }) => id === tebex.id);
  expect(listed?.lastEvent).toMatchObject({ type: 'recurring-payment.renewed' });
});

// Guarantee: where Tebex's addresses are checked, another address is refused like a wrong signature.
test('the addresses of Tebex', async () => {
  const tebex = await play.newShop('tebex', { checksAddress: true });
  const body = JSON.stringify(tebexValidation());
  expect((await play.sendRaw(tebex, body, play.signatureOf(tebex, body))).status).toBe(401);
  const received = await play.shops.receive(tebex.id, {
    body: Buffer.from(body),
    address: '::ffff:18.209.80.3',
    header: () => signTebex(body),
  });
  expect(received.id).toBeDefined();
});

// Guarantee: nothing is kept about a buyer except who gets the goods.
test('what is kept of a buyer', async () => {
  const tebex = await play.newShop('tebex');
  const stripe = await play.newShop('stripe');
  await play.send(tebex, tebexPayment('payment.completed', 'tbx-private', []));
  await play.send(stripe, stripeSession('cs_private'));
  const kept = JSON.stringify(await play.store.query('select * from shop_events'));
  for (const word of [emailOfBuyer, 'Rosen', '192.0.2.7', '10115', '4242']) expect(kept).not.toContain(word);
});

// Guarantee: addresses are checked only for Tebex; for other shops, which document none, the setting is refused at its field.
test.each(['generic', 'stripe'] as const)('the addresses of %s', async (kind) => {
  const fields = { name: 'Shop', game: 'minecraft', checksAddress: true };
  const created = await ask(play.port, '/api/store/shops', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, kind }),
  });
  expect(created.json).toMatchObject({ status: 400, errors: [{ path: 'body.checksAddress' }] });
  const other = await play.newShop(kind);
  const changed = await play.shops.settings.change(
    other.id,
    { ...other, version: other.version, checksAddress: true },
    byOwner,
  );
  expect(changed).toMatchObject({
    refused: 'INVALID_REQUEST',
    detail: expect.stringMatching(/^body\.checksAddress: is for Tebex/),
  });
});

// Guarantee: the audit log shows a shop's products before and after; of many, it shows some with the total count.
test('the audit of a shop and its products', async () => {
  const entry = (number: number, quantity = 1) => ({ key: `key-${number}`, productId, quantity });
  const made = await play.newShop('generic', {}, [entry(1), entry(2)]);
  const products = [entry(2), ...Array.from({ length: 60 }, (_, index) => entry(index + 3))];
  granted(await play.shops.settings.setProducts(made.id, { version: made.version, products }, byOwner));
  const [audit] = await play.store.query<{ before: unknown; after: { products: unknown[] } }>(
    `select before, after from audit_logs where action = 'shops.set-products' and target = $1
      order by id desc limit 1`,
    [`shop:${made.id}`],
  );
  expect(audit?.before).toEqual({ count: 2, changed: 1, products: [entry(1)] });
  expect(audit?.after).toMatchObject({ count: 61, changed: 60 });
  expect(audit?.after.products).toHaveLength(50);
});
