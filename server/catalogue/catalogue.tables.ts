import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { ProductLimits, ProductLine, ScheduledPrice, wipeActs } from '#contracts/store.ts';

export interface ProductsTable {
  id: string;
  /** The current row of `product_versions`. */
  version: Generated<number>;
  is_enabled: Generated<boolean>;
  /** Null: any number. */
  stock: number | null;
  /** The sale stopped by itself until a person has checked it. */
  held_at: Date | null;
  held_reason: string | null;
  /** The code for buying it in the chat of games. */
  short_code: string | null;
  archived_at: Date | null;
  /** Its place within its category; products that were never ordered share one place, and come last, by name. */
  position: Generated<number>;
  /** What a new season does with it. */
  on_wipe: Generated<(typeof wipeActs)[number]>;
  /** The most pieces that a new season gives a member again; null: all. */
  regrant_most: ColumnType<number | null, number | null | undefined, number | null>;
  /** Earlier orders count towards no limit; a new season sets it. */
  limits_since: ColumnType<Date | null, never, Date | null>;
  created_at: ColumnType<Date, never, never>;
}

/** Immutable: an order refers to the version it bought. */
export interface ProductVersionsTable {
  product_id: string;
  version: number;
  name: string;
  name_key: string;
  description: string;
  category: string;
  /** Points, bigint as text. */
  price: ColumnType<string, string | number, never>;
  price_schedule: ColumnType<readonly ScheduledPrice[], string | undefined, never>;
  game: GameId;
  /** Both empty: every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  lines: ColumnType<readonly ProductLine[], string, never>;
  limits: ColumnType<ProductLimits, string, never>;
  /** Who approved its commands, as the audit log names them; `update`: it is older than approvals. Null: no one. */
  approved_by: ColumnType<string | null, string | null | undefined, never>;
  approved_name: ColumnType<string | null, string | null | undefined, never>;
  approved_at: ColumnType<Date | null, Date | null | undefined, never>;
  created_at: ColumnType<Date, never, never>;
}

export interface ProductPicturesTable {
  product_id: string;
  media_type: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
  bytes: Buffer;
  sha256: string;
}

/** Items added by staff, such as those of mods. */
export interface OwnItemsTable {
  game: GameId;
  id: string;
  name: string;
}

/** Items that a person has seen arrive from a test delivery. */
export interface ItemConfirmationsTable {
  game: GameId;
  item: string;
  confirmed_at: ColumnType<Date, never, never>;
  actor: string;
  actor_name: string | null;
  delivery_id: string;
}
