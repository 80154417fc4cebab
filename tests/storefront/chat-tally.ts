import type pg from 'pg';
import type { Consent } from './chat-customers.ts';
import { unheardQuantity } from './chat-troubles.ts';

export interface ChatTally {
  readonly orders: number;
  /** Orders that no one agreed to at that price. */
  readonly unconfirmed: number;
  /** Of these, orders by players whom no whisper reached. */
  readonly unheard_orders: number;
  /** Players with more orders of a product than agreements by line or number. */
  readonly doubled: number;
  /** The player was told of a purchase that does not exist. */
  readonly missing: number;
  /** Wallets whose balance does not match their orders. */
  readonly wrong_wallets: number;
}

export interface ChatFindings extends ChatTally {
  /** Members whose purchases are in doubt. */
  readonly suspects: readonly string[];
}

interface OrderRow {
  readonly member_id: string;
  readonly product_id: string;
  readonly quantity: number;
  readonly total: string;
  readonly source: string;
}

type Sold = Pick<Consent, 'memberId' | 'productId' | 'quantity' | 'total'>;
const keyOf = ({ memberId, productId, quantity, total }: Sold) =>
  `${memberId} ${productId} ${quantity} ${total}`;

/**
 * Compares what players agreed to with what they paid. @param points initial points by member
 */
export const tally = async (
  pool: pg.Pool,
  consents: readonly Consent[],
  points: ReadonlyMap<string, number>,
): Promise<ChatFindings> => {
  const { rows } = await pool.query<OrderRow>(
    `select orders.member_id, line.product_id, line.quantity, orders.total, orders.source
     from orders join order_lines as line on line.order_id = orders.id`,
  );
  const orders = rows.map((row) => ({
    memberId: row.member_id,
    productId: row.product_id,
    quantity: row.quantity,
    total: Number(row.total),
    source: row.source,
  }));
  const wallets = await pool.query<{ member_id: string; balance: string }>(
    'select member_id, balance from wallets',
  );
  const agreed = new Set(consents.map(keyOf));
  const bought = new Set(orders.map(keyOf));
  const unconfirmed = orders.filter((order) => order.source !== 'chat' || !agreed.has(keyOf(order)));
  const countOf = (all: readonly Sold[], { memberId, productId }: Sold) =>
    all.filter((one) => one.memberId === memberId && one.productId === productId).length;
  const doubled = orders.filter((order) => countOf(orders, order) > countOf(consents, order));
  const missing = consents.filter((consent) => consent.isAnswered && !bought.has(keyOf(consent)));
  return {
    suspects: [...new Set([...unconfirmed, ...doubled, ...missing].map(({ memberId }) => memberId))],
    orders: orders.length,
    unconfirmed: unconfirmed.length,
    unheard_orders: orders.filter(({ quantity }) => quantity === unheardQuantity).length,
    doubled: new Set(doubled.map(({ memberId }) => memberId)).size,
    missing: missing.length,
    wrong_wallets: wallets.rows.filter(({ member_id, balance }) => {
      const paid = orders
        .filter(({ memberId }) => memberId === member_id)
        .reduce((sum, { total }) => sum + total, 0);
      return Number(balance) !== (points.get(member_id) ?? 0) - paid;
    }).length,
  };
};
