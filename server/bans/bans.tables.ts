import type { ColumnType, Generated } from 'kysely';
import type { BanEnd } from '#contracts/bans.ts';
import type { CommandOutcome, GameId } from '#contracts/games.ts';

/** Ids are bigint, as text. */
export interface BansTable {
  id: ColumnType<string, never, never>;
  /** The player whose member is banned; null: erased. */
  player_id: string | null;
  /** The player's name and platform id at that time. */
  player_name: string;
  platform_id: string | null;
  game: GameId;
  /** All servers of the game, except those with a row that says it was lifted there. */
  is_everywhere: boolean;
  reason: string;
  banned_at: Date;
  actor: string;
  actor_name: string | null;
  until: Date | null;
  ended_at: Date | null;
  ended_how: BanEnd | null;
  ended_actor: string | null;
  ended_actor_name: string | null;
}

export interface BanServersTable {
  ban_id: string;
  server_id: string;
  /** Lifted on this server alone. */
  lifted_at: Date | null;
}

/** What all bans together want for a player on a server, and what the game has proven. */
export interface BanPlacesTable {
  id: ColumnType<string, never, never>;
  server_id: string;
  player_id: string;
  wanted: 'banned' | 'free';
  wanted_at: Date;
  /** `never`: no ban of ours was sent there; `unsure`: one may have arrived, or may be lifted. */
  known: Generated<'never' | 'unsure' | 'banned' | 'free'>;
  certainty: 'proven' | 'unconfirmed' | null;
  known_at: Date | null;
  is_refused: Generated<boolean>;
  /** Consecutive replies that did not help. */
  tries: Generated<number>;
  next_try_at: Date;
  /** A command may have left, and its end is not stored. */
  is_sent: Generated<boolean>;
  change: 'ban' | 'unban' | null;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** Masked. */
  command: string | null;
  outcome: CommandOutcome | null;
  /** Masked. */
  reply: string | null;
  detail: string | null;
  /** The platform id in the game's own list, if its reply named it. */
  listed_as: string | null;
  /** The wanted state is reached. */
  is_settled: ColumnType<boolean, never, never>;
}

/** What is wanted for this player may have changed. */
export interface BanNewsTable {
  id: ColumnType<string, never, never>;
  player_id: string;
}
