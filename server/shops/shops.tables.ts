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
  /** When an event was last refused, by reason; `field`: where in the event its shape was wrong, or null. */
  refused_at: ColumnType<
    Readonly<Partial<Record<ShopRefusalKind, string>>> & { readonly field?: string | null },
    never,
    string
  >;
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

/** A line that was given: one key of the shop can map to several products. */
export interface GivenLine {
  readonly key: string;
  readonly productId: string;
  readonly quantity: number;
  /** Pieces of the shop's product. */
  readonly bought: number;
  /** How many of them were refunded before the order was given, and so were not given. */
  readonly leftOut: number;
}

export interface ShopOrdersTable {
  id: string;
  number: ColumnType<string, never, never>;
  shop_id: string;
  external_id: string;
  refs: string[];
  /** Incremented by every event and decision. */
  version: Generated<number>;
  state: Generated<ShopOrderState>;
  reason: ShopOrderReason | null;
  detail: Generated<string>;
  /** The reason together with its subject: a decision applies only to this. */
  reason_key: string | null;
  decisions: ColumnType<Readonly<Record<string, Decision>>, string | undefined, string>;
  /** Chosen by a person; bigint as text. */
  receiver_id: string | null;
  /** While it waits for a player: the platform ids, or the name's key in a game, that would identify them. */
  seen_ids: Generated<string[]>;
  seen_name: string | null;
  seen_game: GameId | null;
  /** The store order placed for it; if each was taken back before the next, the last one. */
  order_id: string | null;
  /** Orders that replaced what failed of that order. */
  added_order_ids: Generated<string[]>;
  given: ColumnType<readonly GivenLine[] | null, string | null | undefined, string | null>;
  times_given: Generated<number>;
  /** That order, once taking it back has begun: this runs to the end, whatever the shop reports in between. */
  taking_order_id: string | null;
  /** That order was refunded as a whole, and what it gave has been taken back as far as possible. */
  is_taken: Generated<boolean>;
  /** Products of that order that were refunded separately. */
  taken_products: Generated<string[]>;
  /** Set by a trigger; null: it is not taken back, or was before anyone was asked to look after it. */
  taken_back_at: ColumnType<Date | null, never, never>;
  created_at: ColumnType<Date, never, never>;
}

/** Written by a trigger when a delivery is undone, or counts again; the sweep processes it. */
export interface ShopOrderNewsTable {
  id: ColumnType<string, never, never>;
  /** The store's order. */
  order_id: string;
}

export interface ShopEventsTable {
  shop_id: string;
  event_id: string;
  type: string;
  /** Covers everything that is kept of the event. */
  digest: Buffer;
  refs: string[];
  facts: ColumnType<ShopFacts, string, string>;
  arrived_at: ColumnType<Date, never, never>;
  shop_order_id: string | null;
  conflicts: Generated<number>;
}
