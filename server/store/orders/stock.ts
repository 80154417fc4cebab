import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { SoldProduct } from '../catalogue/sold-product.ts';
import type { WantedLine } from './order-terms.ts';

/** Pieces that a line takes out of one stock. */
export interface Taking {
  readonly productId: string;
  readonly pieces: number;
  /** How many of the line's pieces are left. */
  readonly left: number;
  /** How many of the pieces the stock lacks. */
  readonly beyond: number;
}

/** The stocks that one piece of a product comes out of: its own, and those of the products in a bundle. */
const stocksOf = (product: SoldProduct) =>
  [
    { id: product.id, stock: product.stock, perPiece: 1 },
    ...product.parts
      .filter(({ id }) => id !== product.id)
      .map(({ id, stock, quantity }) => ({ id, stock, perPiece: quantity })),
  ].flatMap(({ id, stock, perPiece }) => (stock === null ? [] : [{ id, stock, perPiece }]));

/** Products whose stock only one order at a time may read and write. */
export const stockedIds = (product: SoldProduct): readonly string[] => stocksOf(product).map(({ id }) => id);

/** What each line takes, in turn: one order may buy a product both alone and in a bundle. */
export const planTakings = (lines: readonly WantedLine[]): readonly (readonly Taking[])[] => {
  const left = new Map<string, number>();
  return lines.map(({ product, quantity }) =>
    stocksOf(product).map(({ id, stock, perPiece }) => {
      const before = left.get(id) ?? stock;
      const pieces = quantity * perPiece;
      left.set(id, Math.max(0, before - pieces));
      return {
        productId: id,
        pieces,
        left: Math.floor(before / perPiece),
        beyond: Math.max(0, pieces - before),
      };
    }),
  );
};

/** Pieces of the line that the stocks cannot fully supply. */
export const oversoldOf = ({ quantity }: WantedLine, takings: readonly Taking[]): number =>
  Math.max(0, ...takings.map(({ pieces, beyond }) => Math.ceil((beyond * quantity) / pieces)));

/** The caller has locked the rows, and has refused what exceeds the stock unless it may be oversold. */
export const takeStock = async (trx: Kysely<Tables>, takings: readonly Taking[]): Promise<void> => {
  if (takings.length === 0) return;
  const ids = takings.map(({ productId }) => productId);
  const pieces = takings.map((taking) => taking.pieces);
  await sql`
    update products set stock = greatest(0, stock - sold.pieces)
    from (select id, sum(pieces)::integer as pieces
            from unnest(${ids}::text[], ${pieces}::integer[]) as taken (id, pieces) group by id) as sold
    where products.id = sold.id`.execute(trx);
};
