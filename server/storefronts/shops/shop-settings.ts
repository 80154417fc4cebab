import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import { type ShopKind, shopWebhooksHttp } from '#contracts/storefronts/shop-webhooks.ts';
import {
  addressFault,
  mostShopSecrets,
  type Shop,
  type ShopFields,
  type ShopProduct,
} from '#contracts/storefronts/shops.ts';
import { Secret } from '#runtime/secret.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { describeUnlessRefused, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { readProductNames } from '../../store/product-names.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import type { ShopRow } from './read-shop-order.ts';
import { removeShop } from './remove-shop.ts';
import { shopSecretColumn } from './shop-secrets.ts';

type Trx = Kysely<Tables>;

const columnsOf = ({ name, isEnabled, game, allowsNames, checksAddress }: ShopFields) => ({
  name,
  game,
  is_enabled: isEnabled,
  allows_names: allowsNames,
  checks_address: checksAddress,
});
const fieldsOf = (row: ShopRow): ShopFields => ({
  name: row.name,
  isEnabled: row.is_enabled,
  game: row.game,
  allowsNames: row.allows_names,
  checksAddress: row.checks_address,
});
/** Events that are of no order, and read. */
const ofNoOrder = ['test', 'validation.webhook', 'castellan.test'];
const mostUnread = 10;
/** How many entries one audit row keeps; their count is stored beside them. */
const mostAudited = 50;
/** What is only in the first list. */
const changedOf = (products: readonly ShopProduct[], others: readonly ShopProduct[]) => {
  const textOf = ({ key, productId, quantity }: ShopProduct) => JSON.stringify([key, productId, quantity]);
  const known = new Set(others.map(textOf));
  const changed = products.filter((product) => !known.has(textOf(product)));
  return { count: products.length, changed: changed.length, products: changed.slice(0, mostAudited) };
};
const targetOf = (id: string): string => `shop:${id}`;

/** Which shops there are, their secrets, and what their products mean here. */
export const createShopSettings = (
  { db, secrets }: Pick<StorefrontContext, 'db' | 'secrets'>,
  /** Orders that waited for it may go on. */
  onChange: () => void,
) => {
  const describe = async (rows: readonly ShopRow[]): Promise<Shop[]> => {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    const kept = await db
      .selectFrom('shop_secrets')
      .selectAll()
      .where('shop_id', 'in', ids)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const products = await db
      .selectFrom('shop_products')
      .selectAll()
      .where('shop_id', 'in', ids)
      .orderBy('outside_key')
      .orderBy('product_id')
      .execute();
    const names = await readProductNames(db, [
      ...new Set(products.flatMap(({ product_id }) => product_id ?? [])),
    ]);
    const { rows: facts } = await sql<{
      id: string;
      type: string | null;
      at: Date | null;
      conflicts: string;
      unknown: string;
      unread: Shop['unread'];
      waiting: string;
      has_orders: boolean;
    }>`
      select shop.id, last.type, last.arrived_at as at,
             (select coalesce(sum(conflicts), 0) from shop_events where shop_id = shop.id and conflicts > 0) as conflicts,
             (select count(distinct refs) from shop_events
               where shop_id = shop.id and shop_order_id is null and facts ->> 'kind' <> 'nothing') as unknown,
             (select coalesce(jsonb_agg(to_jsonb(of_type) order by of_type.count desc, of_type.type), '[]') from (
                select type, count(*) from shop_events
                 where shop_id = shop.id and refs = '{}' and type <> all (${ofNoOrder}::text[])
                 group by type order by count(*) desc, type limit ${mostUnread}) as of_type) as unread,
             (select count(*) from shop_orders where shop_id = shop.id and state = 'person') as waiting,
             exists (select from shop_orders where shop_id = shop.id) as has_orders
        from shops as shop
        left join lateral (
          select type, arrived_at from shop_events where shop_id = shop.id order by arrived_at desc limit 1
        ) as last on true
       where shop.id = any (${ids}::text[])`.execute(db);
    return rows.map((row) => {
      const {
        type = null,
        at = null,
        conflicts = '0',
        unknown = '0',
        unread = [],
        waiting = '0',
        has_orders = false,
      } = facts.find(({ id }) => id === row.id) ?? {};
      return {
        id: row.id,
        kind: row.kind,
        version: row.version,
        ...fieldsOf(row),
        path: shopWebhooksHttp.take.path.replace(':shop', row.id),
        secrets: kept
          .filter(({ shop_id }) => shop_id === row.id)
          .map(({ id, created_at, secret }) => {
            const opened = secrets.open(shopSecretColumn, [id], secret);
            return {
              id,
              createdAt: created_at.toISOString(),
              fault: opened.outcome === 'open' ? null : opened.fault,
            };
          }),
        products: products
          .filter(({ shop_id }) => shop_id === row.id)
          .map(({ outside_key, product_id, quantity }) => ({
            key: outside_key,
            productId: product_id,
            productName: product_id === null ? null : (names.get(product_id) ?? null),
            quantity,
          })),
        lastEvent: type !== null && at !== null ? { type, at: at.toISOString() } : null,
        conflicts: Number(conflicts),
        unknownRefunds: Number(unknown),
        unread,
        waiting: Number(waiting),
        hasOrders: has_orders,
      };
    });
  };
  const describeOne = (outcome: ShopRow | Refusal): Promise<Shop | Refusal> =>
    describeUnlessRefused(outcome, describe);

  /** Locks the shop, changes it and increments its version. */
  const change = async (
    id: string,
    version: number | null,
    work: (trx: Trx, row: ShopRow) => Promise<Refusal | null>,
  ): Promise<Shop | Refusal> => {
    const changed = await retryDeadlocks(db, async (trx): Promise<ShopRow | Refusal> => {
      const row = await trx
        .selectFrom('shops')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return refuse('NOT_FOUND');
      if (version !== null && row.version !== version) return refuse('CONFLICT');
      const refusal = await work(trx, row);
      if (refusal) return refusal;
      return trx
        .updateTable('shops')
        .set({ version: row.version + 1 })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });
    return describeOne(changed);
  };

  const keepSecret = async (trx: Trx, shopId: string, text: string): Promise<string> => {
    const id = createId();
    const secret = secrets.seal(shopSecretColumn, [id], new Secret(text));
    await trx.insertInto('shop_secrets').values({ id, shop_id: shopId, secret }).execute();
    return id;
  };

  return {
    async list(): Promise<Shop[]> {
      return describe(await db.selectFrom('shops').selectAll().orderBy('created_at').orderBy('id').execute());
    },

    async create(
      {
        kind,
        secret,
        ...fields
      }: ShopFields & { readonly kind: ShopKind; readonly secret?: string | undefined },
      by: AuditContext,
    ): Promise<Shop | Refusal> {
      const id = createId();
      const row = await retryDeadlocks(db, async (trx) => {
        const made = await trx
          .insertInto('shops')
          .values({ id, kind, ...columnsOf(fields) })
          .returningAll()
          .executeTakeFirstOrThrow();
        if (secret !== undefined) await keepSecret(trx, id, secret);
        await recordAudit(trx, {
          ...by,
          action: 'shops.create',
          target: targetOf(id),
          after: { kind, ...fields, secrets: secret === undefined ? 0 : 1 },
        });
        return made;
      });
      return describeOne(row);
    },

    async change(
      id: string,
      { version, ...fields }: ShopFields & { readonly version: number },
      by: AuditContext,
    ): Promise<Shop | Refusal> {
      const changed = await change(id, version, async (trx, row) => {
        if (fields.checksAddress && row.kind !== 'tebex')
          return refuse('INVALID_REQUEST', `body.checksAddress: ${addressFault}.`);
        await trx.updateTable('shops').set(columnsOf(fields)).where('id', '=', id).execute();
        // Both determine the receiver: orders that wait for theirs are checked again.
        if (fields.allowsNames !== row.allows_names || fields.game !== row.game)
          await trx
            .updateTable('shop_orders')
            .set({ state: 'open', version: sql`version + 1` })
            .where('shop_id', '=', id)
            .where('state', 'in', ['person', 'waiting'])
            .where('reason', 'in', ['receiver-by-name', 'receiver-unseen', 'receiver-unknown'])
            .execute();
        await recordAudit(trx, {
          ...by,
          action: 'shops.change',
          target: targetOf(id),
          before: fieldsOf(row),
          after: fields,
        });
        return null;
      });
      onChange();
      return changed;
    },

    async setProducts(
      id: string,
      { version, products }: { readonly version: number; readonly products: readonly ShopProduct[] },
      by: AuditContext,
    ): Promise<Shop | Refusal> {
      const changed = await change(id, version, async (trx) => {
        const wanted = [...new Set(products.flatMap(({ productId }) => productId ?? []))];
        const found =
          wanted.length === 0
            ? []
            : await trx.selectFrom('products').select('id').where('id', 'in', wanted).execute();
        if (found.length < wanted.length) return refuse('NOT_FOUND', reasons['no-such-product']);
        const former = await trx
          .deleteFrom('shop_products')
          .where('shop_id', '=', id)
          .returning(['outside_key as key', 'product_id as productId', 'quantity'])
          .execute();
        if (products.length > 0)
          await trx
            .insertInto('shop_products')
            .values(
              products.map(({ key, productId, quantity }) => ({
                shop_id: id,
                outside_key: key,
                product_id: productId,
                quantity,
              })),
            )
            .execute();
        // Orders that waited for an entry are checked again.
        await trx
          .updateTable('shop_orders')
          .set({ state: 'open', version: sql`version + 1` })
          .where('shop_id', '=', id)
          .where('state', '=', 'person')
          .where('reason', 'in', ['product-unmapped', 'product-refused', 'quantity'])
          .execute();
        await recordAudit(trx, {
          ...by,
          action: 'shops.set-products',
          target: targetOf(id),
          before: changedOf(former, products),
          after: changedOf(products, former),
        });
        return null;
      });
      onChange();
      return changed;
    },

    addSecret: (id: string, secret: string, by: AuditContext): Promise<Shop | Refusal> =>
      change(id, null, async (trx) => {
        const { count } = await trx
          .selectFrom('shop_secrets')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('shop_id', '=', id)
          .executeTakeFirstOrThrow();
        if (Number(count) >= mostShopSecrets)
          return refuse('CONFLICT', reasons['shop-secrets-full'](mostShopSecrets));
        const secretId = await keepSecret(trx, id, secret);
        await recordAudit(trx, {
          ...by,
          action: 'shops.add-secret',
          target: targetOf(id),
          after: { secretId },
        });
        return null;
      }),

    removeSecret: (id: string, secretId: string, by: AuditContext): Promise<Shop | Refusal> =>
      change(id, null, async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('shop_secrets')
          .where('shop_id', '=', id)
          .where('id', '=', secretId)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return refuse('NOT_FOUND');
        await recordAudit(trx, {
          ...by,
          action: 'shops.remove-secret',
          target: targetOf(id),
          before: { secretId },
        });
        return null;
      }),

    remove: (id: string, by: AuditContext) => removeShop(db, id, by),
  };
};
