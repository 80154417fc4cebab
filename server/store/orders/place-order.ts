import { createId } from '@paralleldrive/cuid2';
import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { OrderRequest, OrderSource } from '#contracts/store/orders.ts';
import { type Actor, actorReference, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { SoldProduct } from '../catalogue/sold-product.ts';
import { addDeliveries, type NewDelivery } from '../deliveries/new-deliveries.ts';
import type { OrderQuote } from '../discounts/quote-order.ts';
import { readSold } from '../sold-products.ts';
import { claimKey } from './idempotency.ts';
import { findMemberFault, findRefusals, mostAtOnce, priceLines, wantedLines } from './order-checks.ts';
import {
  isLimited,
  type OrderingContext,
  type OrderRefusal,
  type OrderTerms,
  receiverOf,
  totalOf,
  type WantedLine,
} from './order-terms.ts';
import { lockOwnedRoles } from './owned-roles.ts';
import { planDeliveries } from './planned-deliveries.ts';
import { oversoldOf, planTakings, stockedIds, type Taking, takeStock } from './stock.ts';
import { lockProducts, transact } from './transact.ts';

type Trx = Kysely<Tables>;
const dayMs = 86_400_000;

/** Locks what is counted, in the order of ids, then reads again what may have changed during the wait. */
const readLocked = async (
  context: Pick<OrderingContext, 'roleFaults'>,
  trx: Trx,
  ids: readonly string[],
  at: Date,
): Promise<readonly SoldProduct[]> => {
  const locked = new Set<string>();
  for (;;) {
    const found = await readSold(context, trx, ids, at);
    const counted = found.flatMap((product) => [
      ...(isLimited(product) ? [product.id] : []),
      ...stockedIds(product),
    ]);
    const wanted = [...new Set(counted)].filter((id) => !locked.has(id));
    if (wanted.length === 0) return found;
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
    discount,
    takings,
    onServers,
    askedBy,
  }: {
    readonly orderId: string;
    readonly at: Date;
    readonly expiresAt: Date | null;
    readonly source: OrderSource;
    readonly discount: OrderQuote['discount'];
    /** Per line; empty: nothing comes out of a stock. */
    readonly takings: readonly (readonly Taking[])[];
    readonly onServers: OrderTerms['onServers'];
    readonly askedBy: OrderTerms['askedBy'];
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
    discount_id: discount?.id ?? null,
    discount_name: discount?.name ?? null,
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
      lines.map((line, index) => ({
        order_id: orderId,
        product_id: line.product.id,
        product_version: line.product.version,
        receiver_id: receiverId,
        quantity: line.quantity,
        unit_price: line.unitPrice,
        oversold: oversoldOf(line, takings[index] ?? []),
        created_at: at,
        undone_at: request.isTest ? at : null,
        restocked_at: (takings[index] ?? []).length === 0 ? at : null,
      })),
    )
    .returning(['id', 'product_id'])
    .execute();
  const lineIds = new Map(rows.map(({ id, product_id }) => [product_id, id]));
  await writeBundleStocks(trx, lines, takings, lineIds);
  return lines.flatMap(({ product, quantity, unitPrice }): NewDelivery[] => {
    const { game, parts } = product;
    const bought = { parts, quantity, mostAtOnce: mostAtOnce(game) };
    const orderLineId = lineIds.get(product.id);
    if (orderLineId === undefined) throw new Error('a line of an order was not written');
    return planDeliveries(bought, quantity * unitPrice).map((planned) => ({
      ...planned,
      orderId,
      orderLineId,
      memberId: receiverId,
      game,
      ...(onServers && { clusterIds: [], serverIds: onServers }),
      ...(askedBy && { askedBy }),
      expiresAt,
    }));
  });
};

/** @returns the order's id; a repeated request of the same caller with the same key gets the same order */
export const placeOrder = async (
  context: OrderingContext,
  request: OrderRequest,
  key: string | null,
  by: AuditContext,
  terms: OrderTerms = {},
): Promise<{ readonly orderId: string } | Refusal> => {
  const { actor } = by;
  if (request.isTest && !may(actor, 'store.write'))
    return refuse('FORBIDDEN', reasons['test-order-forbidden']);
  const isFree = request.isTest || terms.isPaidOutside === true;
  const isUnlimited = request.isTest || terms.ignoresLimits === true;
  const source = terms.source ?? sourceOf(request, actor);
  // Outside the transaction: it may need another connection of the pool.
  const expiryMs = (await context.settings.values('store')).deliveryExpiryDays * dayMs;
  return transact(context.db, async (trx) => {
    const orderId = createId();
    const earlier = key === null ? null : await claimKey(trx, { actor, key, request, orderId });
    if (earlier) return earlier;
    const objection = await terms.alongside?.(trx, orderId);
    if (objection) return objection;
    const at = new Date(context.now());
    const memberFault = await findMemberFault(trx, request, { lock: true });
    if (memberFault) return refusalOf(memberFault);
    const ids = request.lines.map(({ productId }) => productId);
    const found = await readLocked(context, trx, ids, at);
    const sold = terms.leavesOutRoles ? found.map(withoutRoles) : found;
    const wanted = wantedLines(request, sold, isFree);
    const [missing] = wanted.missing;
    if (missing) return refusalOf(missing);
    const priced = await priceLines(trx, request, wanted.lines, {
      codeGuesses: context.codeGuesses,
      isFree,
      actor,
      now: at,
      lock: true,
    });
    if (isRefusal(priced)) return priced;
    const { lines, discount, codeFault } = priced;
    const receiverId = receiverOf(request);
    await lockOwnedRoles(trx, receiverId, lines);
    const rules = { now: at, isUnlimited, codeFault };
    const [refusal] = await findRefusals(trx, request, lines, rules);
    if (refusal) return refusalOf(refusal);

    const total = totalOf(lines);
    // Without paid points nothing would come back, so it stays owed.
    const expiresAt = terms.isPaidOutside ? null : new Date(at.getTime() + expiryMs);
    const takings = request.isTest || terms.takesStock === false ? [] : planTakings(lines);
    await takeStock(trx, takings.flat());
    const { onServers, askedBy } = terms;
    const order = { orderId, at, expiresAt, source, discount, takings, onServers, askedBy };
    const deliveries = await writeOrder(trx, order, request, lines, actor);
    await addDeliveries(context, trx, deliveries);
    await recordAudit(trx, {
      ...by,
      action: 'orders.place',
      target: `order:${orderId}`,
      after: {
        memberId: request.memberId,
        receiverId,
        total,
        source,
        discount: discount && { id: discount.id, name: discount.name },
        isTest: request.isTest,
        lines: request.lines,
      },
    });
    return { orderId };
  });
};

const withoutRoles = (product: SoldProduct): SoldProduct => ({
  ...product,
  parts: product.parts
    .map((part) => ({ ...part, lines: part.lines.filter(({ kind }) => kind !== 'role') }))
    .filter(({ lines }) => lines.length > 0),
});

const refusalOf = ({ code, detail }: OrderRefusal): Refusal => refuse(code, detail);

const sourceOf = ({ isTest }: OrderRequest, { kind }: Actor): OrderSource => {
  if (isTest) return 'test';
  return kind === 'api-key' || kind === 'discord' ? 'api' : 'panel';
};

/** So that returned pieces go back where they were taken from. */
const writeBundleStocks = async (
  trx: Trx,
  lines: readonly WantedLine[],
  takings: readonly (readonly Taking[])[],
  lineIds: ReadonlyMap<string, string>,
): Promise<void> => {
  const rows = lines.flatMap(({ product }, index) => {
    const orderLineId = lineIds.get(product.id);
    const isAlone = product.parts.every(({ id }) => id === product.id);
    if (isAlone || orderLineId === undefined) return [];
    return (takings[index] ?? []).map(({ productId, pieces, beyond }) => ({
      order_line_id: orderLineId,
      product_id: productId,
      pieces,
      oversold: beyond,
    }));
  });
  if (rows.length > 0) await trx.insertInto('order_line_stocks').values(rows).execute();
};
