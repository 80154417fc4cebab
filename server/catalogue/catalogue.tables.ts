import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { ProductLimits, ProductLine } from '#contracts/store.ts';

export interface ProductsTable {
  id: string;
  /** Of `product_versions`: what is sold now. */
  version: Generated<number>;
  is_enabled: Generated<boolean>;
  /** Null: any number. */
  stock: number | null;
  /** It stopped selling by itself, until a person has looked. */
  held_at: Date | null;
  held_reason: string | null;
  archived_at: Date | null;
  created_at: ColumnType<Date, never, never>;
}

/** What an order bought, whatever the product is today. Never changed. */
export interface ProductVersionsTable {
  product_id: string;
  version: number;
  name: string;
  name_key: string;
  description: string;
  category: string;
  /** Points, bigint as text. */
  price: ColumnType<string, string | number, never>;
  game: GameId;
  /** Both empty: every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  lines: ColumnType<readonly ProductLine[], string, never>;
  limits: ColumnType<ProductLimits, string, never>;
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

/** Items of mods and the like, beside those that ship. */
export interface OwnItemsTable {
  game: GameId;
  id: string;
  name: string;
}

/** A person saw the item of a test delivery in the game. */
export interface ItemConfirmationsTable {
  game: GameId;
  item: string;
  confirmed_at: ColumnType<Date, never, never>;
  actor: string;
  actor_name: string | null;
  delivery_id: string;
}
