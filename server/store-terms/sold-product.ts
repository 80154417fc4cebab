import type { GameId } from '#contracts/games.ts';
import type { ProductLimits, ProductLine } from '#contracts/store.ts';

/** What an order needs to know of a product's current version. */
export interface ProductTerms {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  /** Points for one piece. */
  readonly price: number;
  readonly game: GameId;
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly ProductLine[];
  readonly limits: ProductLimits;
  /** Pieces left; null: any number. */
  readonly stock: number | null;
}

/** A product as it is sold at one moment. */
export interface SoldProduct extends ProductTerms {
  /** Why it cannot be bought at this moment, in words; null: it can. */
  readonly notForSale: string | null;
  /** Why even a test order is refused. */
  readonly notGivable: string | null;
}
