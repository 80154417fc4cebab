import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { Order, OrderDetails, OrderPreview, OrderRequest } from '#contracts/store/orders.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import type { Rendered } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import type { TemplateValues } from '#games/store-forms.ts';
import { type Actor, may } from '../kernel/access/actor.ts';
import type { AuditContext } from '../kernel/access/audit-context.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/http/refusal.ts';
import { waitsForCounterCommands } from './deliveries/counter-commands.ts';
import {
  because,
  countAll,
  findMemberFault,
  findRefusals,
  mostAtOnce,
  mostDeliveries,
  priceLines,
  wantedLines,
} from './orders/order-checks.ts';
import {
  type OrderingContext,
  type OrderTerms,
  receiverOf,
  totalOf,
  type WantedLine,
} from './orders/order-terms.ts';
import { placeOrder } from './orders/place-order.ts';
import { planDeliveries } from './orders/planned-deliveries.ts';
import { type OrderQuery, readOrder, readOrders } from './orders/read-orders.ts';
import { type RefundTerms, refundOrder } from './orders/refund-order.ts';
import { readDeliveriesOfOrder } from './read-deliveries.ts';
import { readSold } from './sold-products.ts';
import type { OwnPlayer } from './store-context.ts';

type SoldGame = ReturnType<typeof gameOf>;

/** Stands in for the order's id. */
const noOrderYet = 'preview';

const previewDeliveries = (
  { product, quantity, unitPrice }: WantedLine,
  players: readonly OwnPlayer[],
): OrderPreview['deliveries'] => {
  const game = gameOf(product.game);
  const fitting = players.toSorted(
    (one, other) => Number(other.game === product.game) - Number(one.game === product.game),
  );
  return planDeliveries(
    { parts: product.parts, quantity, mostAtOnce: mostAtOnce(product.game) },
    quantity * unitPrice,
  ).map(({ line, points }) => ({
    productId: product.id,
    position: line.position,
    points,
    ...shown(game, renderForFirst(game, line, fitting)),
  }));
};

const previewOrder = async (
  context: Pick<OrderingContext, 'db' | 'now' | 'roleFaults' | 'playersOf' | 'codeGuesses'>,
  request: OrderRequest,
  actor: Actor,
): Promise<OrderPreview | Refusal> => {
  const { db } = context;
  if (request.isTest && !may(actor, 'store.write'))
    return refuse('FORBIDDEN', reasons['test-order-forbidden']);
  const memberFault = await findMemberFault(db, request, { lock: false });
  if (memberFault) return refuse(memberFault.code, memberFault.detail);
  const at = new Date(context.now());
  const ids = request.lines.map(({ productId }) => productId);
  const { isTest } = request;
  const wanted = wantedLines(request, await readSold(context, db, ids, at), isTest);
  const asked = { codeGuesses: context.codeGuesses, isFree: isTest, actor, now: at, lock: false };
  const priced = await priceLines(db, request, wanted.lines, asked);
  if (isRefusal(priced)) return priced;
  const { lines, discount, codeFault } = priced;
  const refusals = [
    ...wanted.missing,
    ...(await findRefusals(db, request, lines, { now: at, isUnlimited: isTest, codeFault })),
  ];
  const total = totalOf(lines);
  const { balance } = await db
    .selectFrom('wallets')
    .select('balance')
    .where('member_id', '=', request.memberId)
    .executeTakeFirstOrThrow();
  if (Number(balance) < total)
    refusals.push({
      productId: null,
      ...because('INSUFFICIENT_POINTS', { kind: 'points', total, balance: Number(balance) }),
    });
  const players = await context.playersOf(receiverOf(request));
  return {
    total,
    balance: Number(balance),
    lines: lines.map(({ product, quantity, unitPrice }) => ({
      productId: product.id,
      quantity,
      basePrice: product.basePrice,
      price: product.price,
      priceUntil: product.priceUntil?.toISOString() ?? null,
      unitPrice,
    })),
    discount: discount && {
      name: discount.name,
      saved: totalOf(wanted.lines) - total,
      isByCode: discount.isByCode,
    },
    refusals,
    deliveries:
      countAll(lines) > mostDeliveries ? [] : lines.flatMap((line) => previewDeliveries(line, players)),
  };
};

const renderForFirst = (game: SoldGame, line: DeliveryLine, players: readonly OwnPlayer[]): Rendered => {
  let first: Rendered | null = null;
  // Shown by its name; what its receiver needs is determined when it is given.
  if (line.kind === 'role') return { command: `@${line.roleName}` };
  for (const player of players) {
    const rendered = render(game, line, player);
    if ('command' in rendered) return rendered;
    first ??= rendered;
  }
  return first ?? { refused: reasons['receiver-unseen'] };
};

const render = (
  { store, actions }: SoldGame,
  line: Exclude<DeliveryLine, { kind: 'role' }>,
  { name, platformId }: OwnPlayer,
): Rendered => {
  const { quantity } = line;
  const values: TemplateValues = {
    player: name,
    platformId,
    handle: null,
    survivorNumber: null,
    quantity,
    orderId: noOrderYet,
  };
  if (line.kind === 'command') return store.renderTemplate(line.command, values);
  const { item, quality } = line;
  return (
    actions.give?.render({ player: store.referenceOf(values), item, quantity, quality }) ?? {
      refused: reasons['no-give-command'],
    }
  );
};

const shown = ({ maskCommand }: SoldGame, rendered: Rendered) =>
  'command' in rendered
    ? { command: maskCommand(rendered.command), detail: null, reason: null }
    : { command: null, detail: rendered.refused, reason: reasonOf(rendered.refused) };

/** What the store does with orders for those who sell. */
export type Orders = ReturnType<typeof createOrders>;

export const createOrders = (context: OrderingContext) => {
  const { db, deliveries, memberNames, news } = context;
  const read = async (id: string): Promise<OrderDetails | Refusal> => {
    const order = await readOrder(db, id, memberNames);
    return order ? { ...order, deliveries: await readDeliveriesOfOrder(db, id) } : refuse('NOT_FOUND');
  };
  /** Even after a failure, part of it may have been refunded. */
  const tellRefund = () => {
    deliveries.changed();
    news.emit('rolesDue');
  };

  return {
    list: (query: OrderQuery): Promise<{ rows: Order[]; nextCursor: string | null }> =>
      readOrders(db, query, memberNames),
    read,
    /** @param key repeating a request with the same key by the same caller returns the same order */
    async place(
      request: OrderRequest,
      key: string | null,
      by: AuditContext,
      terms?: OrderTerms,
    ): Promise<OrderDetails | Refusal> {
      const placed = await placeOrder(context, request, key, by, terms);
      if (isRefusal(placed)) return placed;
      deliveries.wake([receiverOf(request)]);
      news.emit('rolesDue');
      return read(placed.orderId);
    },
    preview: (request: OrderRequest, actor: Actor): Promise<OrderPreview | Refusal> =>
      previewOrder(context, request, actor),
    /** Refunds what was paid and not refunded yet, for the whole order or for some lines. */
    async refund(
      id: string,
      lineIds: readonly string[] | null,
      by: AuditContext,
    ): Promise<OrderDetails | Refusal> {
      try {
        const refunded = await refundOrder(context, id, lineIds, by);
        if (isRefusal(refunded)) return refunded;
        await refunded.tried;
        return await read(id);
      } finally {
        tellRefund();
      }
    },
    /**
     * Refunds what can be refunded now; call it again until nothing hinders it.
     * @param alongside runs in each transaction that refunds something
     * @returns why not everything is refunded yet and, as far as possible, removed; null if it is. `tried` resolves after the
     * removal attempt: it is not awaited, since games may hang
     */
    async takeBack(
      id: string,
      lineIds: readonly string[] | null,
      by: AuditContext,
      alongside: NonNullable<RefundTerms['alongside']>,
    ): Promise<{ readonly hindrance: string | null; readonly tried: Promise<void> } | Refusal> {
      try {
        const refunded = await refundOrder(context, id, lineIds, by, { isPartial: true, alongside });
        if (isRefusal(refunded) || refunded.hindrance !== null) return refunded;
        const waits = await waitsForCounterCommands(db, id, lineIds);
        return { ...refunded, hindrance: waits ? reasons['taking-waits'] : null };
      } finally {
        tellRefund();
      }
    },
  };
};
