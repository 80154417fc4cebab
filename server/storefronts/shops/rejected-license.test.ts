import { expect, test } from 'vitest';
import { storeHttp } from '#contracts/store/store-http.ts';
import { shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call, newServer } from '../../kernel/testing/call.ts';
import { testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { genericPaid } from './testing/documented-events.ts';

const running = apiForThisFile();
const as = testDesktopCredential;
const secret = new Secret('whsec_0123456789abcdef');

// Guarantee: the API keeps a signed event while the license is rejected, answers nothing else there, and gives the order
// when the license is valid again.
test('an event while the license is rejected', async () => {
  const { api, port } = running();
  await newServer(port);
  const product = await call(port, storeHttp.create, {
    as,
    body: {
      name: 'VIP',
      price: 1,
      game: 'minecraft',
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 1 }],
    },
  });
  const made = await call(port, shopsHttp.create, {
    as,
    body: { kind: 'generic', name: 'Site', game: 'minecraft', secret: secret.reveal() },
  });
  const { id, version, path } = made.json as { id: string; version: number; path: string };
  await call(port, shopsHttp.setProducts, {
    as,
    params: { id },
    body: { version, products: [{ key: 'vip', productId: String(product.json.id) }] },
  });
  const { pool } = api.context.database;
  await pool.query(
    `insert into players (identity, platform_id, game, name, name_key)
     values ('steam:76561198010715714', 'steam:76561198010715714', 'minecraft', 'Bob', 'bob')`,
  );
  const event = genericPaid('o-1', [{ product: 'vip', quantity: 1 }], {
    game: 'minecraft',
    platformId: 'steam:76561198010715714',
  });
  const body = JSON.stringify(event);
  const headers = {
    'Content-Type': 'application/json',
    'Castellan-Signature': signed(body, new Date(), secret),
  };
  const send = (to: string, method = 'POST') => ask(port, to, { method, headers, body });

  api.license.set('rejected', 'REVOKED');
  expect(path).toBe(shopWebhooksHttp.take.path.replace(':shop', id));
  expect(await send(path)).toMatchObject({ status: 200, json: { id: event.id } });
  for (const other of [`${path}/more`, `${path}/../../products`, '/api/store/webhooks/', '/api/store/shops'])
    expect((await send(other)).status, other).toBe(403);
  expect((await send(path, 'PUT')).status).toBe(403);
  const orders = async () => (await pool.query(`select source from orders`)).rows;
  await api.context.storefronts.shops.sweep();
  expect(await orders()).toEqual([]);

  api.license.set('valid');
  await api.context.storefronts.shops.sweep();
  await eventually(async () => expect(await orders()).toEqual([{ source: 'shop' }]));
});
