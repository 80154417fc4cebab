import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { ShopOrderReason } from '#contracts/shop-order-reasons.ts';
import type { ShopKind } from '#contracts/shop-webhooks.ts';
import type { ShopOrderState, ShopRefusalKind } from '#contracts/shops.ts';
import type { ShopFacts } from './shop-event.ts';

export interface ShopsTable {
  id: string;
  version: Generated<number>;
  kind: ShopKind;
  name: string;
  is_enabled: boolean;
  game: GameId;
  allows_names: boolean;
  checks_address: boolean;
  /** When an event was refused last, by why. */
  refused_at: ColumnType<Readonly<Partial<Record<ShopRefusalKind, string>>>, never, string>;
  created_at: ColumnType<Date, never, never>;
}

export interface ShopSecretsTable {
  id: string;
  shop_id: string;
  /** Sealed. */
  secret: string;
  created_at: ColumnType<Date, never, never>;
}

export interface ShopProductsTable {
  shop_id: string;
  outside_key: string;
  /** Null: nothing in a game. */
  product_id: string | null;
  quantity: number;
}

/** What a person has decided about a reason. */
export type Decision = 'give' | 'set-aside';

/** A line that was given: a key of the shop can be several products. */
export interface GivenLine {
  readonly key: string;
  readonly productId: string;
  readonly quantity: number;
  /** Pieces of the shop's product. */
  readonly bought: number;
  /** Of these, refunded before it was given, and so not given. */
  readonly leftOut: number;
}

export interface ShopOrdersTable {
  id: string;
  number: ColumnType<string, never, never>;
  shop_id: string;
  external_id: string;
  refs: string[];
  /** Counts up with every event and decision. */
  version: Generated<number>;
  state: Generated<ShopOrderState>;
  reason: ShopOrderReason | null;
  detail: Generated<string>;
  /** The reason with what it is about: a decision holds for this alone. */
  reason_key: string | null;
  decisions: ColumnType<Readonly<Record<string, Decision>>, string | undefined, string>;
  /** Chosen by a person; bigint as text. */
  receiver_id: string | null;
  /** While it waits for a player: the platform ids, or the key of the name in a game, by which they would be known. */
  seen_ids: Generated<string[]>;
  seen_name: string | null;
  seen_game: GameId | null;
  /** The order of the store that was placed for it; of several, each after the last was taken back, the last. */
  order_id: string | null;
  /** Orders that gave again what of that order came to nothing. */
  added_order_ids: Generated<string[]>;
  given: ColumnType<readonly GivenLine[] | null, string | null | undefined, string | null>;
  times_given: Generated<number>;
  /** That order, once its taking back has begun: it goes on to the end, whatever the shop reports meanwhile. */
  taking_order_id: string | null;
  /** That order was refunded as a whole, and what it gave is taken back as far as it can be. */
  is_taken: Generated<boolean>;
  /** Products of that order that were refunded by themselves. */
  taken_products: Generated<string[]>;
  created_at: ColumnType<Date, never, never>;
}

/** Written by a trigger where a delivery is undone, or counts again; the sweep takes it. */
export interface ShopOrderNewsTable {
  id: ColumnType<string, never, never>;
  /** Of the store. */
  order_id: string;
}

export interface ShopEventsTable {
  shop_id: string;
  event_id: string;
  type: string;
  /** Of all that is kept of it. */
  digest: Buffer;
  refs: string[];
  facts: ColumnType<ShopFacts, string, string>;
  arrived_at: ColumnType<Date, never, never>;
  shop_order_id: string | null;
  conflicts: Generated<number>;
}
