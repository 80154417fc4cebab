import type { Kysely } from 'kysely';
import type { OrderRequest } from '#contracts/store/orders.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal } from '../../kernel/http/refusal.ts';
import type { OrderQuote, QuoteOrder } from '../store-terms/order-quote.ts';
import type { WantedLine } from './order-terms.ts';

type PricedLines = Pick<OrderQuote, 'discount' | 'codeFault'> & {
  readonly lines: readonly WantedLine[];
};

/** The lines with the discount that makes the order cheapest. What is free, or was paid outside, gets none. */
export const priceLines = async (
  db: Kysely<Tables>,
  request: OrderRequest,
  lines: readonly WantedLine[],
  asked: {
    readonly quote: QuoteOrder;
    readonly isFree: boolean;
    readonly actor: Actor;
    readonly now: Date;
    readonly lock: boolean;
  },
): Promise<PricedLines | Refusal> => {
  const { quote, isFree, actor, now, lock } = asked;
  if (isFree) return { lines, discount: null, codeFault: null };
  const quoted = await quote(db, {
    payerId: request.memberId,
    lines: lines.map(({ product, quantity, unitPrice }) => ({
      productId: product.id,
      category: product.category,
      quantity,
      price: unitPrice,
    })),
    code: request.discountCode ?? null,
    actor,
    now,
    lock,
  });
  if (isRefusal(quoted)) return quoted;
  const { discount, unitPrices, codeFault } = quoted;
  return {
    lines: lines.map((line, index) => ({ ...line, unitPrice: unitPrices[index] ?? line.unitPrice })),
    discount,
    codeFault,
  };
};
