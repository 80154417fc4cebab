import type { ColumnType, Generated } from 'kysely';
import type { PlaceState, TakingCertainty } from '#contracts/entitlements.ts';
import type { CommandOutcome, GameId } from '#contracts/games.ts';

/** One for each member, game and key; those of merged members are added up together. */
export interface EntitlementsTable {
  /** Bigint as text. */
  id: ColumnType<string, never, never>;
  member_id: string;
  game: GameId;
  key: string;
  created_at: ColumnType<Date, never, never>;
  /** The end that the grants add up to. */
  ends_at: Date | null;
  /** When the last grant stopped holding it. */
  ended_at: Date | null;
}

export interface EntitlementGrantsTable {
  delivery_id: string;
  entitlement_id: string;
  order_line_id: string;
  position: number;
  is_daily: boolean;
  given_at: Date;
  /** Bigint as text. */
  seconds: ColumnType<string, string | number, never>;
  extends: boolean;
  /** Its place is stored. */
  is_placed: Generated<boolean>;
  /** Refunded. */
  revoked_at: Date | null;
  /** It was part of an end and no longer counts. */
  ended_at: Date | null;
}

/** Grants of this entitlement, or their owners, have changed since they were added up. */
export interface EntitlementNewsTable {
  id: ColumnType<string, never, never>;
  entitlement_id: string;
}

/** A server and a player that a lasting command was given to. */
export interface EntitlementPlacesTable {
  id: ColumnType<string, never, never>;
  entitlement_id: string;
  server_id: string;
  /** Null: the command needed no player. */
  player_id: string | null;
  /** The newest delivery that gave it: its line and values are used. */
  delivery_id: string;
  state: PlaceState;
  changed_at: Date;
  tries: Generated<number>;
  next_try_at: Date;
  /** Commands sent so far; each has its own id. */
  sends: Generated<number>;
  /** The command may have left, and its end is not stored. */
  is_sent: Generated<boolean>;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** Masked. */
  command: string | null;
  outcome: CommandOutcome | null;
  /** Masked. */
  reply: string | null;
  certainty: TakingCertainty | null;
  detail: string | null;
}

/** A day of the community's time zone that has its kit. */
export interface EntitlementDaysTable {
  entitlement_id: string;
  day: ColumnType<string, string, never>;
  delivery_ids: string[];
}
