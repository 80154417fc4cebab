import { createId } from '@paralleldrive/cuid2';
import { type Kysely, sql } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { OrderRequest, OrderSource } from '#contracts/orders.ts';
import { type Actor, actorReference, may } from '../access/actor.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tables } from '../database/tables.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import type { NewDelivery } from '../store-terms/new-delivery.ts';
import type { SoldProduct } from '../store-terms/sold-product.ts';
import { claimKey } from './idempotency.ts';
import { findMemberFault, findRefusals, wantedLines } from './order-checks.ts';
import {
  isCounted,
  type OrderRefusal,
  type OrderTerms,
  receiverOf,
  totalOf,
  type WantedLine,
} from './order-terms.ts';
import { planDeliveries } from './planned-deliveries.ts';
import { lockProducts, transact } from './transact.ts';

export interface PlaceOrderOptions {
  readonly db: Kysely<Tables>;
  /** The existing products among these ids, as sold at this time. */
  readonly sold: (db: Kysely<Tables>, ids: readonly string[], now: Date) => Promise<readonly SoldProduct[]>;
  readonly mostAtOnce: (game: GameId) => number;
  /** Adds deliveries and their jobs in the order's transaction. */
  readonly addDeliveries: (trx: Kysely<Tables>, rows: readonly NewDelivery[]) => Promise<unknown>;
  /** How long delivery is attempted before it expires. */
  readonly expiryDays: () => Promise<number>;
  readonly now: () => Date;
}

export type PlaceOrder = (
  request: OrderRequest,
  key: string | null,
  by: AuditContext,
  terms?: OrderTerms,
) => Promise<{ readonly orderId: string } | Refusal>;

type Trx = Kysely<Tables>;
const dayMs = 86_400_000;

export const createPlaceOrder = (options: PlaceOrderOptions): PlaceOrder => {
  const { db, mostAtOnce, addDeliveries, expiryDays, now } = options;

  /** Locks counted products in the order of ids, then reads again what may have changed during the wait. */
  const readSold = async (trx: Trx, ids: readonly string[], at: Date): Promise<readonly SoldProduct[]> => {
    const locked = new Set<string>();
    for (;;) {
      const found = await options.sold(trx, ids, at);
      const unlocked = found.filter((product) => isCounted(product) && !locked.has(product.id));
      if (unlocked.length === 0) return found;
      const wanted = unlocked.map(({ id }) => id);
      await lockProducts(trx, wanted);
      for (const id of wanted) locked.add(id);
    }
  };

  /** Writes order, charge and lines in one statement. @returns what is to be delivered */
  const writeOrder = async (
    trx: Trx,
    {
      orderId,
      at,
      expiresAt,
      source,
      onServers,
    }: {
      readonly orderId: string;
      readonly at: Date;
      readonly expiresAt: Date;
      readonly source: OrderSource;
      readonly onServers: OrderTerms['onServers'];
    },
    request: OrderRequest,
    lines: readonly WantedLine[],
    actor: Actor,
  ): Promise<readonly NewDelivery[]> => {
    const receiverId = receiverOf(request);
    const total = totalOf(lines);
    const who = { actor: actorReference(actor), actor_name: actor.name };
    const order = {
      id: orderId,
      created_at: at,
      member_id: request.memberId,
      receiver_id: receiverId,
      total,
      source,
      ...who,
    };
    const charge = {
      kind: 'purchase' as const,
      from_account: 'wallet' as const,
      from_member: request.memberId,
      to_account: 'sales' as const,
      amount: total,
      order_id: orderId,
      ...who,
    };
    const placing = trx.with('placed', (query) => query.insertInto('orders').values(order));
    const paying =
      total > 0 ? placing.with('paid', (query) => query.insertInto('ledger').values(charge)) : placing;
    const rows = await paying
      .insertInto('order_lines')
      .values(
        lines.map(({ product, quantity, unitPrice }) => ({
          order_id: orderId,
          product_id: product.id,
          product_version: product.version,
          receiver_id: receiverId,
          quantity,
          unit_price: unitPrice,
          oversold: request.isTest ? 0 : beyondStock(product, quantity),
          created_at: at,
          undone_at: request.isTest ? at : null,
          restocked_at: request.isTest || product.stock === null ? at : null,
        })),
      )
      .returning(['id', 'product_id'])
      .execute();
    const lineIds = new Map(rows.map(({ id, product_id }) => [product_id, id]));
    return lines.flatMap(({ product, quantity, unitPrice }): NewDelivery[] => {
      const { game } = product;
      const where = onServers ? { clusterIds: [], serverIds: onServers } : product;
      const bought = { lines: product.lines, quantity, mostAtOnce: mostAtOnce(game) };
      const orderLineId = lineIds.get(product.id);
      if (orderLineId === undefined) throw new Error('a line of an order was not written');
      return planDeliveries(bought, quantity * unitPrice).map((planned) => ({
        ...planned,
        orderId,
        orderLineId,
        memberId: receiverId,
        game,
        clusterIds: where.clusterIds,
        serverIds: where.serverIds,
        expiresAt,
      }));
    });
  };

  return async (request, key, by, terms = {}) => {
    const { actor } = by;
    if (request.isTest && !may(actor, 'store.write'))
      return refuse('FORBIDDEN', 'A test order needs the permission store.write.');
    const isFree = request.isTest || terms.isPaidOutside === true;
    const isUnlimited = request.isTest || terms.ignoresLimits === true;
    const source = terms.source ?? sourceOf(request, actor);
    // Outside the transaction: it may need another connection of the pool.
    const expiryMs = (await expiryDays()) * dayMs;
    return transact(db, async (trx) => {
      const orderId = createId();
      const earlier = key === null ? null : await claimKey(trx, { actor, key, request, orderId });
      if (earlier) return earlier;
      const objection = await terms.alongside?.(trx, orderId);
      if (objection) return objection;
      const at = now();
      const memberFault = await findMemberFault(trx, request, { lock: true });
      if (memberFault) return refusalOf(memberFault);
      const ids = request.lines.map(({ productId }) => productId);
      const { lines, missing } = wantedLines(request, await readSold(trx, ids, at), isFree);
      const [refusal] =
        missing.length > 0
          ? missing
          : await findRefusals(trx, request, lines, { now: at, mostAtOnce, isUnlimited });
      if (refusal) return refusalOf(refusal);

      const total = totalOf(lines);
      const receiverId = receiverOf(request);
      const expiresAt = new Date(at.getTime() + expiryMs);
      if (!request.isTest) await takeStock(trx, lines);
      const deliveries = await writeOrder(
        trx,
        { orderId, at, expiresAt, source, onServers: terms.onServers },
        request,
        lines,
        actor,
      );
      await addDeliveries(trx, deliveries);
      await recordAudit(trx, {
        ...by,
        action: 'orders.place',
        target: `order:${orderId}`,
        after: {
          memberId: request.memberId,
          receiverId,
          total,
          source,
          isTest: request.isTest,
          lines: request.lines,
        },
      });
      return { orderId };
    });
  };
};

const refusalOf = ({ code, detail }: OrderRefusal): Refusal => refuse(code, detail);

const sourceOf = ({ isTest }: OrderRequest, { kind }: Actor): OrderSource => {
  if (isTest) return 'test';
  return kind === 'api-key' || kind === 'discord' ? 'api' : 'panel';
};

/** Pieces that the stock does not hold. */
const beyondStock = ({ stock }: SoldProduct, quantity: number): number =>
  stock === null ? 0 : Math.max(0, quantity - stock);

/** The caller has locked the rows, and has refused what exceeds the stock unless it may be oversold. */
const takeStock = async (trx: Trx, lines: readonly WantedLine[]): Promise<void> => {
  const stocked = lines.filter(({ product }) => product.stock !== null);
  if (stocked.length === 0) return;
  const ids = stocked.map(({ product }) => product.id);
  const taken = stocked.map(({ quantity }) => quantity);
  await sql`
    update products set stock = greatest(0, stock - sold.quantity)
    from unnest(${ids}::text[], ${taken}::integer[]) as sold (id, quantity)
    where products.id = sold.id`.execute(trx);
};
