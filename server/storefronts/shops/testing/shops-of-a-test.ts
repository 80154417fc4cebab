import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { type ShopKind, shopSignatureHeaders } from '#contracts/storefronts/shop-webhooks.ts';
import type { Shop, ShopFields, ShopOrder, ShopProduct } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import type { Tables } from '../../../kernel/database/tables.ts';
import { createSecrets } from '../../../kernel/secrets/secrets.ts';
import { type Answer, ask } from '../../../kernel/testing/ask.ts';
import { type FeatureApi, serveFeature, silentLog } from '../../../kernel/testing/feature-api.ts';
import { readMemberNames } from '../../../people/members/member-names.ts';
import { createMembers } from '../../../people/members/members.ts';
import {
  byOwner,
  granted,
  type StoreOfATest,
  storeOfATest,
} from '../../../store/orders/testing/store-of-a-test.ts';
import { settingsOfATest } from '../../../store/testing/store-context-of-a-test.ts';
import { bindShopsRoutes } from '../shops.routes.ts';
import { createShops, type Shops } from '../shops.ts';

export const shopSecret = new Secret('whsec_of_a_shop_0123456789');

export const signTebex = (body: string, secret: Secret = shopSecret): string =>
  createHmac('sha256', secret.reveal()).update(createHash('sha256').update(body).digest('hex')).digest('hex');

type ShopsContext = Parameters<typeof createShops>[0];

/** Outside shops in front of a store on a fresh database. */
export interface ShopsOfATest extends AsyncDisposable {
  readonly store: StoreOfATest;
  readonly shops: Shops;
  readonly port: number;
  /** Another process of the API on the same database. */
  another(
    changes?: Partial<Pick<ShopsContext, 'db' | 'secrets'>> & {
      readonly orders?: ShopsContext['store']['orders'];
      readonly mostSwept?: number;
    },
  ): Shops;
  license: { holds: boolean };
  now(): Date;
  advance(ms: number): void;
  newShop(kind: ShopKind, fields?: Partial<ShopFields>, products?: readonly ShopProduct[]): Promise<Shop>;
  newPlayer(
    player?: Partial<Insertable<Tables['players']>>,
  ): Promise<{ memberId: string; platformId: string }>;
  /** Signed by the shop with the current time, and settled. */
  send(shop: Shop, event: object): Promise<Answer>;
  sendRaw(shop: { id: string }, body: string, headers: Record<string, string>): Promise<Answer>;
  signatureOf(shop: Shop, body: string, secret?: Secret): Record<string, string>;
  /** Waits until no order is being settled. */
  settled(): Promise<void>;
  order(externalId: string): Promise<ShopOrder>;
  /** The store's deliveries for this shop order: what members now hold of each product, by delivery state. */
  deliveries(externalId: string): Promise<readonly { state: string; refunded: boolean; item: string }[]>;
}

let players = 0;

export const shopsOfATest = async (terms: Parameters<typeof storeOfATest>[0] = {}): Promise<ShopsOfATest> => {
  const owned = new AsyncDisposableStack();
  const store = owned.use(await storeOfATest(terms));
  const { db } = store.database;
  const license = { holds: true };
  let offsetMs = 0;
  const members = createMembers({
    db,
    forgetPlayers: () => undefined,
  });
  const context: ShopsContext = {
    db,
    secrets: createSecrets([new Secret('0'.repeat(64))]),
    store,
    members,
    memberNames: (ids) => readMemberNames(db, ids),
    licenseHolds: () => license.holds,
    log: silentLog,
    now: () => Date.now() + offsetMs,
  };
  const now = () => new Date(context.now());
  const shops = owned.use(createShops(context));
  const api: FeatureApi = owned.use(
    await serveFeature((routes) =>
      bindShopsRoutes(
        routes,
        {
          ...context,
          settings: settingsOfATest(),
          // `send-test-event.test.ts` has a whole API for it.
          checkAddress: () => Promise.reject(new Error('there is no public address here')),
        },
        shops,
      ),
    ),
  );

  const sendRaw: ShopsOfATest['sendRaw'] = ({ id }, body, headers) =>
    ask(api.port, `/api/store/webhooks/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
    });
  const signatureOf: ShopsOfATest['signatureOf'] = ({ kind }, body, secret = shopSecret) => ({
    [shopSignatureHeaders[kind]]: kind === 'tebex' ? signTebex(body, secret) : signed(body, now(), secret),
  });
  const settled = async () => {
    await eventually(async () => {
      const [row] = await store.query<{ count: string }>(
        `select count(*) from shop_orders where state = 'open' and reason is distinct from 'taking-back'`,
      );
      if (license.holds && row?.count !== '0') throw new Error(`${row?.count} orders are open`);
    });
  };
  return {
    store,
    shops,
    port: api.port,
    license,
    now,
    sendRaw,
    signatureOf,
    settled,
    another: ({ mostSwept, orders = store.orders, ...changes } = {}) =>
      owned.use(createShops({ ...context, store: { orders }, ...changes }, mostSwept)),
    advance(ms) {
      offsetMs += ms;
    },
    async newShop(kind, fields = {}, products = []) {
      const made = granted(
        await shops.settings.create(
          {
            kind,
            name: kind,
            isEnabled: true,
            game: 'minecraft',
            allowsNames: false,
            checksAddress: false,
            secret: shopSecret.reveal(),
            ...fields,
          },
          byOwner,
        ),
      );
      const { id, version } = made;
      return granted(await shops.settings.setProducts(id, { version, products: [...products] }, byOwner));
    },
    async newPlayer(player = {}) {
      players += 1;
      const hex = randomBytes(16).toString('hex');
      const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      const platformId = player.platform_id ?? `minecraft:${uuid}`;
      const name = player.name ?? `player ${players}`;
      await store.query(
        `insert into players (identity, platform_id, game, name, name_key) values ($1, $1, $2, $3, lower($3))`,
        [platformId, player.game ?? 'minecraft', name],
      );
      // A trigger creates the member.
      const [row] = await store.query<{ member_id: string }>(
        'select member_id from players where platform_id = $1',
        [platformId],
      );
      return { memberId: row?.member_id ?? '', platformId };
    },
    async send(shop, event) {
      const body = JSON.stringify(event);
      const answer = await sendRaw(shop, body, signatureOf(shop, body));
      await settled();
      return answer;
    },
    async order(externalId) {
      const { rows } = await shops.orders.list({ limit: 500 });
      const found = rows.find((row) => row.externalId === externalId);
      if (!found) throw new Error(`no order ${externalId}`);
      return found;
    },
    deliveries: (externalId) =>
      store.query(
        `select delivery.state, delivery.refunded_at is not null as refunded, delivery.line ->> 'item' as item
           from shop_orders as wanted
           join order_requests as request on request.key like 'shop-order:' || wanted.id || ':%'
           join deliveries as delivery on delivery.order_id = request.order_id
          where wanted.external_id = $1 order by delivery.number`,
        [externalId],
      ),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
