import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';

export interface ClustersTable {
  id: string;
  name: string;
  /** The name in the form that is compared; unique among the clusters in use. */
  name_key: string;
  description: string;
  created_at: ColumnType<Date, never, never>;
  archived_at: Date | null;
  version: Generated<number>;
}

export interface GameServersTable {
  id: string;
  cluster_id: string;
  name: string;
  /** Unique among the servers in use. */
  name_key: string;
  game: GameId;
  /** Null: reached only through the Game Agent. */
  host: string | null;
  port: number;
  /** Sealed; null: the game requires none. */
  password: string | null;
  created_at: ColumnType<Date, never, never>;
  archived_at: Date | null;
  version: Generated<number>;
}
