import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { Season, SeasonBalances, SeasonState } from '#contracts/seasons.ts';

export interface SeasonsTable {
  id: string;
  /** The order in which they began; bigint as text. */
  number: ColumnType<string, never, never>;
  name: string;
  game: GameId;
  /** As chosen; both empty: every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  /** The servers in scope when it began; null: every server of the game. */
  scope_server_ids: string[] | null;
  /** The time of the wipe: earlier deliveries are lost, and limits count from here on. */
  began_at: Date;
  created_at: ColumnType<Date, never, never>;
  balances: ColumnType<SeasonBalances, string, never>;
  announcement: ColumnType<Season['announcement'], string, never>;
  state: ColumnType<SeasonState, undefined, SeasonState>;
  announced_at: Date | null;
  ended_at: Date | null;
  undone_at: Date | null;
  actor: string;
  actor_name: string | null;
  undone_by: string | null;
}

/** One thing that a season does, for one member, product, or both. */
export interface SeasonStepsTable {
  id: ColumnType<string, never, never>;
  season_id: string;
  kind: 'balance' | 'limit' | 'regrant';
  /** The member when the season began; readers follow merges. */
  member_id: string | null;
  product_id: string | null;
  /** Counts from 1: pieces too many for one order are given by several steps. */
  part: Generated<number>;
  /** Pieces that are given again. */
  quantity: number | null;
  /** Points that are taken, bigint as text: first the planned, then the actual number. */
  points: ColumnType<string | null, string | number | null, string | number | null>;
  state: Generated<'waiting' | 'done' | 'skipped' | 'undone'>;
  next_try_at: Generated<Date>;
  tries: Generated<number>;
  detail: string | null;
  order_id: string | null;
  entry_id: string | null;
  undo_entry_id: string | null;
  limits_since_was: Date | null;
}
