import { reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Delivery } from '#contracts/store/deliveries.ts';
import type { Order, OrderDetails } from '#contracts/store/orders.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { SoldProduct } from '../store-terms/sold-product.ts';
import { mostPiecesOf } from './order-checks.ts';
import { type OrderTerms, receiverOf } from './order-terms.ts';
import { createPlaceOrder, type PlaceOrder, type PlaceOrderOptions } from './place-order.ts';
import { createPreviewOrder, type PreviewOrder, type PreviewOrderOptions } from './preview-order.ts';
import { type MemberNames, type OrderQuery, readOrder, readOrders } from './read-orders.ts';
import { createRefundOrder, type RefundOrderOptions, type RefundTerms } from './refund-order.ts';

export interface OrdersOptions
  extends Omit<PlaceOrderOptions, 'mostAtOnce' | 'now'>,
    Omit<PreviewOrderOptions, 'now'>,
    RefundOrderOptions {
  readonly memberNames: MemberNames;
  readonly counterCommands: RefundOrderOptions['counterCommands'] & {
    /** Whether something of these lines is still to be removed; null: of the whole order. */
    waitsFor(orderId: string, lineIds: readonly string[] | null): Promise<boolean>;
  };
  readonly deliveriesOf: (orderId: string) => Promise<Delivery[]>;
  /** Looks for deliveries to send to these members. */
  readonly wake: (memberIds: readonly string[]) => void;
  readonly now?: () => Date;
}

export interface Orders {
  list(query: OrderQuery): Promise<{ rows: Order[]; nextCursor: string | null }>;
  read(id: string): Promise<OrderDetails | Refusal>;
  /** @param key repeating a request with the same key by the same caller returns the same order */
  place(
    request: Parameters<PlaceOrder>[0],
    key: string | null,
    by: AuditContext,
    terms?: OrderTerms,
  ): Promise<OrderDetails | Refusal>;
  readonly preview: PreviewOrder;
  /** How many pieces of a product one order may hold; 0: even one is too many. */
  mostPieces(product: Pick<SoldProduct, 'game' | 'parts'>): number;
  /** Refunds what was paid and not refunded yet, for the whole order or for some lines. */
  refund(id: string, lineIds: readonly string[] | null, by: AuditContext): Promise<OrderDetails | Refusal>;
  /**
   * Refunds what can be refunded now; call it again until nothing hinders it.
   * @param alongside runs in each transaction that refunds something
   * @returns why not everything is refunded yet and, as far as possible, removed; null if it is. `tried` resolves after the
   * removal attempt: it is not awaited, since games may hang
   */
  takeBack(
    id: string,
    lineIds: readonly string[] | null,
    by: AuditContext,
    alongside: NonNullable<RefundTerms['alongside']>,
  ): Promise<{ readonly hindrance: string | null; readonly tried: Promise<void> } | Refusal>;
}

export const createOrders = (options: OrdersOptions): Orders => {
  const { db, gameOf, memberNames, deliveriesOf, wake, now = () => new Date() } = options;
  const mostAtOnce = (game: GameId) => gameOf(game).store.mostAtOnce;
  const place = createPlaceOrder({ ...options, mostAtOnce, now });
  const refund = createRefundOrder(options);
  const read = async (id: string): Promise<OrderDetails | Refusal> => {
    const order = await readOrder(db, id, memberNames);
    return order ? { ...order, deliveries: await deliveriesOf(id) } : refuse('NOT_FOUND');
  };
  return {
    list: (query) => readOrders(db, query, memberNames),
    read,
    async place(request, key, by, terms) {
      const placed = await place(request, key, by, terms);
      if (isRefusal(placed)) return placed;
      wake([receiverOf(request)]);
      return read(placed.orderId);
    },
    preview: createPreviewOrder({ ...options, now }),
    mostPieces: (product) => mostPiecesOf(product, mostAtOnce(product.game)),
    async refund(id, lineIds, by) {
      const refunded = await refund(id, lineIds, by);
      if (isRefusal(refunded)) return refunded;
      await refunded.tried;
      return read(id);
    },
    async takeBack(id, lineIds, by, alongside) {
      const refunded = await refund(id, lineIds, by, { isPartial: true, alongside });
      if (isRefusal(refunded) || refunded.hindrance !== null) return refunded;
      const waits = await options.counterCommands.waitsFor(id, lineIds);
      return { ...refunded, hindrance: waits ? reasons['taking-waits'] : null };
    },
  };
};
