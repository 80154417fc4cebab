import type { Kysely } from 'kysely';
import type { DiscountCodeFault } from '#contracts/store/orders.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Refusal } from '../../kernel/http/refusal.ts';

export interface QuotedLine {
  readonly productId: string;
  readonly category: string;
  readonly quantity: number;
  /** For one piece, without a discount. */
  readonly price: number;
}

export interface QuoteRequest {
  readonly payerId: string;
  readonly lines: readonly QuotedLine[];
  /** Null: none was typed. */
  readonly code: string | null;
  readonly actor: Actor;
  readonly now: Date;
  /** Locks what counts its uses until the transaction ends. */
  readonly lock: boolean;
}

export interface OrderQuote {
  /** The one that makes the order cheapest; null: none applies. */
  readonly discount: { readonly id: string; readonly name: string; readonly isByCode: boolean } | null;
  /** Per line, for one piece. */
  readonly unitPrices: readonly number[];
  /** Why the code gives nothing; null: it does, or none was typed. */
  readonly codeFault: DiscountCodeFault | null;
}

/** A refusal means too many wrong codes. */
export type QuoteOrder = (db: Kysely<Tables>, request: QuoteRequest) => Promise<OrderQuote | Refusal>;
