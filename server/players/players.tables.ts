import type { ColumnType, Generated } from 'kysely';
import type { GameId } from '#contracts/games.ts';

/** Ids are bigint, as text. */
export interface PlayersTable {
  id: ColumnType<string, never, never>;
  /** The platform id, or `name:<game>:<name>` where the game shows none. */
  identity: string;
  platform_id: string | null;
  /** Null only until the trigger creates one, within the same statement. */
  member_id: ColumnType<string, never, string>;
  /** The game where they were first seen. */
  game: GameId;
  /** The newest name. */
  name: string;
  name_key: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

export interface PlayerNamesTable {
  player_id: string;
  name: string;
  name_key: string;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}

/** A player has at most one open session per server. */
export interface PlayerSessionsTable {
  id: ColumnType<string, never, never>;
  player_id: string;
  server_id: string;
  /** What the game's commands call the player in this session. */
  handle: string;
  joined_at: Generated<Date>;
  /** When the player was last seen there, to the minute. */
  confirmed_at: Generated<Date>;
  left_at: Date | null;
  /** `left_at`, or while the session is open `confirmed_at`. */
  last_seen_at: ColumnType<Date, never, never>;
  /** When it was first written, whatever the game says of `joined_at`; null: before this column. */
  recorded_at: ColumnType<Date | null, never, never>;
}
