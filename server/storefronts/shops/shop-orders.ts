import { type Kysely, sql } from 'kysely';
import { reasons, reasonWithin } from '#contracts/kernel/reasons.ts';
import { receiverReasons, type ShopOrder, type ShopOrderState } from '#contracts/storefronts/shops.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { ShopDecision } from '../../kernel/database/stored-values.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { isGivable } from './decide-order.ts';
import { leftOf, ordersOf, readLeftInGame } from './left-in-game.ts';
import { foldShopOrder } from './order-state.ts';
import { readEventsOf, type ShopOrderRow } from './read-shop-order.ts';

type Trx = Kysely<Tables>;

export interface ShopOrderQuery extends PageQuery {
  readonly shopId?: string | undefined;
  readonly state?: ShopOrderState | undefined;
}

/**
 * By store order: when the last delivery arrived that was made; null: some are still open, or none arrived. What failed counts
 * only by the state of the shop's order, which is then not given.
 */
const readArrivals = async (
  db: Kysely<Tables>,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Date | null>> => {
  const { rows } = await sql<{ order_id: string; at: Date | null }>`
    select order_id, case when bool_and(state in ('delivered', 'failed', 'cancelled')) then
             max(ended_at) filter (where state = 'delivered') end as at
      from deliveries where order_id = any (${orderIds}::text[]) group by order_id`.execute(db);
  return new Map(rows.map(({ order_id, at }) => [order_id, at]));
};

const arrivalOf = (row: ShopOrderRow, arrivals: ReadonlyMap<string, Date | null>): string | null => {
  const found = ordersOf(row).filter((id) => arrivals.has(id));
  const times = found.flatMap((id) => arrivals.get(id)?.getTime() ?? []);
  return times.length === 0 || times.length < found.length
    ? null
    : new Date(Math.max(...times)).toISOString();
};

/** What a person sees of shops' orders, and decides. */
export const createShopOrders = (
  { db, memberNames, members }: Pick<StorefrontContext, 'db' | 'memberNames' | 'members'>,
  /** Settles an order now, so that the answer shows the result. */
  settle: (id: string) => Promise<void>,
) => {
  const describe = async (rows: readonly ShopOrderRow[]): Promise<ShopOrder[]> => {
    const shops = await db.selectFrom('shops').select(['id', 'name']).execute();
    const receivers = await readReceivers(db, rows);
    const names = await memberNames([...new Set(receivers.values())]);
    const events = await readEventsOf(db, rows);
    const left = await readLeftInGame(db, rows.flatMap(ordersOf));
    const arrivals = await readArrivals(db, rows.flatMap(ordersOf));
    return rows.map((row) => {
      const { purchase } = foldShopOrder(events.get(row.id) ?? []);
      const memberId = receivers.get(row.id) ?? null;
      return {
        id: row.id,
        version: row.version,
        shopId: row.shop_id,
        shopName: shops.find(({ id }) => id === row.shop_id)?.name ?? '',
        externalId: row.external_id,
        createdAt: row.created_at.toISOString(),
        deliveredAt: arrivalOf(row, arrivals),
        takenBackAt: row.state === 'taken-back' ? (row.taken_back_at?.toISOString() ?? null) : null,
        state: row.state,
        reason: row.reason,
        ...saidOf(row),
        lines: [...(purchase?.lines ?? [])],
        receiver: purchase?.hasSeveralReceivers ? '' : (purchase?.receiver?.text ?? ''),
        memberId,
        memberName: memberId === null ? null : (names.get(memberId) ?? ''),
        amount: purchase?.amount ?? null,
        isTest: purchase?.isTest === true,
        orderId: row.order_id,
        left: [...leftOf(row, left)],
      };
    });
  };
  const readOne = async (id: string): Promise<ShopOrder | Refusal> => {
    const rows = await db.selectFrom('shop_orders').selectAll().where('id', '=', id).execute();
    const [order] = await describe(rows);
    return order ?? refuse('NOT_FOUND');
  };

  /** Writes a person's decision and settles the order accordingly. */
  const decide = async (
    id: string,
    version: number,
    work: (trx: Trx, row: ShopOrderRow) => Promise<Refusal | null>,
  ): Promise<ShopOrder | Refusal> => {
    const refusal = await retryDeadlocks(db, async (trx) => {
      const row = await trx
        .selectFrom('shop_orders')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      if (!row) return refuse('NOT_FOUND');
      if (row.version !== version) return refuse('CONFLICT');
      const refused = await work(trx, row);
      if (refused) return refused;
      await trx
        .updateTable('shop_orders')
        .set({ state: 'open', version: version + 1 })
        .where('id', '=', id)
        .execute();
      return null;
    });
    if (isRefusal(refusal)) return refusal;
    await settle(id);
    return readOne(id);
  };

  const keepDecisions = async (
    trx: Trx,
    { id }: ShopOrderRow,
    decisions: Readonly<Record<string, ShopDecision>>,
  ) => {
    await trx
      .updateTable('shop_orders')
      .set({ decisions: JSON.stringify(decisions) })
      .where('id', '=', id)
      .execute();
  };

  return {
    async list({ shopId, state, ...page }: ShopOrderQuery): Promise<Page<ShopOrder>> {
      const { rows, nextCursor } = await readOlderPage(
        page,
        ({ beyond, limit }) =>
          db
            .selectFrom('shop_orders')
            .selectAll()
            .$if(beyond !== null, (query) => query.where('number', '<', beyond?.id ?? ''))
            .$if(shopId !== undefined, (query) => query.where('shop_id', '=', shopId ?? ''))
            .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'open'))
            .orderBy('number', 'desc')
            .limit(limit)
            .execute(),
        (row) => ({ at: row.created_at, id: row.number }),
      );
      return { rows: await describe(rows), nextCursor };
    },

    assign: (
      id: string,
      { version, memberId }: { readonly version: number; readonly memberId: string },
      by: AuditContext,
    ): Promise<ShopOrder | Refusal> =>
      decide(id, version, async (trx, row) => {
        const isAsked = row.state === 'person' || row.state === 'waiting';
        if (!isAsked || !receiverReasons.some((reason) => reason === row.reason))
          return refuse('CONFLICT', reasons['shop-order-has-receiver']);
        const refused = await members.hold(trx, [memberId]);
        if (refused) return refused;
        await trx.updateTable('shop_orders').set({ receiver_id: memberId }).where('id', '=', id).execute();
        await recordAudit(trx, {
          ...by,
          action: 'shops.assign-receiver',
          target: `shop-order:${id}`,
          after: { memberId, order: row.external_id },
        });
        return null;
      }),

    give: (id: string, version: number, by: AuditContext): Promise<ShopOrder | Refusal> =>
      decide(id, version, async (trx, row) => {
        const { reason, reason_key: key } = row;
        if (key === null || !isGivable(reason) || !['person', 'set-aside'].includes(row.state))
          return refuse('CONFLICT', reasons['shop-order-decided-otherwise']);
        await keepDecisions(trx, row, { ...withoutSetAside(row), [key]: 'give' });
        await recordAudit(trx, {
          ...by,
          action: 'shops.give-order',
          target: `shop-order:${id}`,
          after: { reason, order: row.external_id },
        });
        return null;
      }),

    retry: (id: string, version: number, by: AuditContext): Promise<ShopOrder | Refusal> =>
      decide(id, version, async (trx, row) => {
        await keepDecisions(trx, row, withoutSetAside(row));
        await recordAudit(trx, {
          ...by,
          action: 'shops.retry-order',
          target: `shop-order:${id}`,
          after: { order: row.external_id },
        });
        return null;
      }),

    dismiss: (id: string, version: number, by: AuditContext): Promise<ShopOrder | Refusal> =>
      decide(id, version, async (trx, row) => {
        const { reason, reason_key: key } = row;
        if (key === null || !['person', 'waiting', 'taken-back'].includes(row.state))
          return refuse('CONFLICT', reasons['shop-order-decided']);
        await keepDecisions(trx, row, { ...row.decisions, [key]: 'set-aside' });
        await recordAudit(trx, {
          ...by,
          action: 'shops.dismiss-order',
          target: `shop-order:${id}`,
          after: { reason, order: row.external_id },
        });
        return null;
      }),
  };
};

const withoutSetAside = ({ decisions }: ShopOrderRow): Readonly<Record<string, ShopDecision>> =>
  Object.fromEntries(Object.entries(decisions).filter(([, decision]) => decision !== 'set-aside'));

const saidOf = ({ reason, detail }: ShopOrderRow): Pick<ShopOrder, 'detail' | 'said'> => {
  if (reason !== 'product-refused' && reason !== 'taking-back') return { detail, said: null };
  const { name, ...said } = reasonWithin(detail);
  return { detail: name, said };
};

/**
 * The member who holds an order, otherwise the chosen receiver, otherwise the one who had it before; by the id of the shop's
 * order.
 */
const readReceivers = async (
  db: Kysely<Tables>,
  rows: readonly ShopOrderRow[],
): Promise<ReadonlyMap<string, string>> => {
  if (rows.length === 0) return new Map();
  const { rows: found } = await sql<{ id: string; member: string }>`
    select wanted.id, receiver.member
      from shop_orders as wanted left join orders as bought on bought.id = wanted.order_id
      cross join lateral (
        select case when wanted.is_taken then coalesce(wanted.receiver_id, bought.receiver_id)
               else coalesce(bought.receiver_id, wanted.receiver_id) end as member) as receiver
     where wanted.id = any (${rows.map(({ id }) => id)}::text[]) and receiver.member is not null`.execute(db);
  return new Map(found.map(({ id, member }) => [id, member]));
};
