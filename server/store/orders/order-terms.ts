import type { Kysely } from 'kysely';
import type { OrderRefusalWhy, OrderRequest, OrderSource, orderRefusals } from '#contracts/store/orders.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Refusal } from '../../kernel/http/refusal.ts';
import type { SoldProduct } from '../catalogue/sold-product.ts';
import type { Deliveries } from '../deliveries/deliveries.ts';
import type { AskingPlayer } from '../deliveries/new-deliveries.ts';
import type { CodeGuesses } from '../discounts/quote-order.ts';
import type { StoreContext } from '../store-context.ts';

/** With what orders are placed and refunded. */
export interface OrderingContext
  extends Pick<
    StoreContext,
    'db' | 'jobs' | 'settings' | 'now' | 'memberNames' | 'playersOf' | 'roleFaults' | 'news' | 'log'
  > {
  readonly codeGuesses: CodeGuesses;
  readonly deliveries: Pick<Deliveries, 'wake' | 'withdraw' | 'changed'> & {
    readonly counterCommands: Pick<Deliveries['counterCommands'], 'sendFor'>;
  };
}

/** How to place an order that no person requests in the panel. */
export interface OrderTerms {
  readonly source?: OrderSource;
  /** No points move, and the lines cost nothing. */
  readonly isPaidOutside?: boolean;
  /** Only what can never be given is refused. What exceeds the stock is marked as oversold. */
  readonly ignoresLimits?: boolean;
  /** False: the pieces come out of no stock, and a refund returns none. */
  readonly takesStock?: false;
  /** Gives no Discord roles: a wipe takes none, and roles from the purchase stay. */
  readonly leavesOutRoles?: true;
  /** Delivers only on these servers; the caller has chosen them from the product's. */
  readonly onServers?: readonly string[];
  /** Who buys it by chat: what it gives goes to this player, on this server, as long as they are there. */
  readonly askedBy?: AskingPlayer;
  /**
   * Runs in the order's transaction before anything of the order is written; a refusal rolls everything back. It does not
   * run again for a key that has already created its order.
   */
  readonly alongside?: (trx: Kysely<Tables>, orderId: string) => Promise<Refusal | null>;
}

/** A line of an order that is being placed. */
export interface WantedLine {
  readonly product: SoldProduct;
  readonly quantity: number;
  /** After the discount. */
  readonly unitPrice: number;
}

export interface OrderRefusal {
  /** Null if it concerns the whole order. */
  readonly productId: string | null;
  readonly code: (typeof orderRefusals)[number] | 'INVALID_REQUEST';
  readonly detail: string;
  readonly why: OrderRefusalWhy;
}

/** The receiver; for a gift, another member. */
export const receiverOf = ({ memberId, receiverId = memberId }: OrderRequest): string => receiverId;

export const totalOf = (lines: readonly WantedLine[]): number =>
  lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);

/** Whether purchases are counted, so that only one order at a time may read and write them. */
export const isLimited = ({ limits }: SoldProduct): boolean =>
  limits.perMember !== undefined || limits.perPeriod !== undefined || limits.cooldownSeconds !== undefined;
