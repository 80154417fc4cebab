import type { GameId } from '#contracts/games.ts';
import type { GivenLine, ProductLimits } from '#contracts/store.ts';

/** What is given for one piece: by the product itself, or by one of those that a bundle holds. */
export interface SoldPart {
  readonly id: string;
  readonly version: number;
  /** How often it is given for one piece. */
  readonly quantity: number;
  /** Its share of the price, in relation to the other parts. */
  readonly worth: number;
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly GivenLine[];
  /** Pieces left of it; null: any number. */
  readonly stock: number | null;
}

/** What an order needs to know of a product's current version. */
export interface ProductTerms {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly category: string;
  /** Points for one piece, where the schedule has no other price. */
  readonly basePrice: number;
  readonly game: GameId;
  readonly limits: ProductLimits;
  /** Pieces left; null: any number. */
  readonly stock: number | null;
}

/** A product as it is sold at one moment. */
export interface SoldProduct extends ProductTerms {
  /** Points for one piece at this moment. */
  readonly price: number;
  /** When the price changes; null: never. */
  readonly priceUntil: Date | null;
  /** Of a product that is no bundle: itself. */
  readonly parts: readonly SoldPart[];
  /** Why it cannot be bought at this moment, in words; null: it can. */
  readonly notForSale: string | null;
  /** Why even a test order is refused. */
  readonly notGivable: string | null;
}
