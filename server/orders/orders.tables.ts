import type { ColumnType } from 'kysely';
import type { OrderSource } from '#contracts/orders.ts';

export interface OrdersTable {
  id: string;
  /** Breaks ties of `created_at`; bigint as text. */
  number: ColumnType<string, never, never>;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** Who paid. */
  member_id: string;
  receiver_id: string;
  /** Points, bigint as text. */
  total: ColumnType<string, string | number, never>;
  source: OrderSource;
  actor: string;
  actor_name: string | null;
  /** The single discount of all its lines. It counts as used while any line is not undone. */
  discount_id: ColumnType<string | null, string | null | undefined, never>;
  /** At that time. */
  discount_name: ColumnType<string | null, string | null | undefined, never>;
}

export interface OrderLinesTable {
  id: ColumnType<string, never, never>;
  order_id: string;
  product_id: string;
  product_version: number;
  receiver_id: string;
  quantity: number;
  unit_price: ColumnType<string, string | number, never>;
  created_at: ColumnType<Date, Date | undefined, never>;
  /** Set when it stops counting against limits: all of it was cancelled, failed or refunded, or it is a test. */
  undone_at: ColumnType<Date | null, Date | null, never>;
  /** Pieces beyond the stock, for orders paid outside. */
  oversold: ColumnType<number, number | undefined, never>;
  /** Set when it holds no stock: nothing arrived and its pieces were returned, or none were taken. */
  restocked_at: ColumnType<Date | null, Date | null, never>;
}

/** A caller's `Idempotency-Key` and the request it was used for. */
export interface OrderRequestsTable {
  caller: string;
  key: string;
  body_digest: Buffer;
  order_id: string;
  created_at: ColumnType<Date, never, never>;
}

/** What the line of a bundle took out of stocks, including the bundle's own. */
export interface OrderLineStocksTable {
  order_line_id: string;
  product_id: string;
  pieces: number;
  /** How many of these pieces were beyond the stock. */
  oversold: number;
}
