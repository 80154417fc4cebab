import type { GameId } from '#contracts/servers/games.ts';
import type { GivenLine, ProductLimits } from '#contracts/store/store.ts';

/** What one piece gives: the product itself, or one of the products in a bundle. */
export interface SoldPart {
  readonly id: string;
  readonly version: number;
  /** How often it is given per piece. */
  readonly quantity: number;
  /** Its share of the price, relative to the other parts. */
  readonly worth: number;
  /** Both empty: every server of the game. */
  readonly clusterIds: readonly string[];
  readonly serverIds: readonly string[];
  readonly lines: readonly GivenLine[];
  /** Who answers for its commands, as the audit log names them; null: no one. */
  readonly approval: { readonly by: string; readonly name: string | null } | null;
  /** Pieces left of it; null: unlimited. */
  readonly stock: number | null;
}

/** What an order needs to know about a product's current version. */
export interface ProductTerms {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly category: string;
  /** Points for one piece, unless the schedule has another price. */
  readonly basePrice: number;
  readonly game: GameId;
  readonly limits: ProductLimits;
  /** Pieces left; null: unlimited. */
  readonly stock: number | null;
}

/** A product as sold at one moment. */
export interface SoldProduct extends ProductTerms {
  /** Points for one piece at this moment. */
  readonly price: number;
  /** When the price changes; null: never. */
  readonly priceUntil: Date | null;
  /** For a product that is no bundle: the product itself. */
  readonly parts: readonly SoldPart[];
  /** Why it cannot be bought at this moment, in words; null: it can. */
  readonly notForSale: string | null;
  /** Why even a test order is refused. */
  readonly notGivable: string | null;
  /** Why a test order is refused all the same: who approved its commands no longer may. */
  readonly notTestable: string | null;
}
