import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { GameId } from '#contracts/games.ts';
import type { RewardTerms } from '#contracts/rewards.ts';

export interface RewardRulesTable {
  id: string;
  version: Generated<number>;
  name: string;
  is_enabled: boolean;
  terms: JSONColumnType<RewardTerms>;
  created_at: ColumnType<Date, never, never>;
  archived_at: Date | null;
}

/** What a rule gave during a period; at most one version of a rule is open. */
export interface RewardRuleVersionsTable {
  rule_id: string;
  version: number;
  name: string;
  kind: RewardTerms['kind'];
  terms: JSONColumnType<RewardTerms>;
  effective_from: Date;
  effective_until: Date | null;
}

/** The parts of a session that intervals of a rule were paid for. */
export interface RewardCountedTimesTable {
  rule_id: string;
  session_id: string;
  /** tstzmultirange, as text. */
  counted: string;
}

/** An interval that a member was online; without points if the day's limit was reached. */
export interface RewardIntervalsTable {
  rule_id: string;
  member_id: string;
  number: number;
  ended_at: Date;
  /** In the community's time zone; a date as text. */
  day: string;
  points: string;
}

export interface RewardFirstVisitsTable {
  rule_id: string;
  member_id: string;
  at: ColumnType<Date, never, never>;
}

export interface RewardClaimsTable {
  rule_id: string;
  member_id: string;
  day: string;
  streak: number;
  points: ColumnType<string, number, never>;
}

export interface RewardCodeBatchesTable {
  id: string;
  /** bigint, as text; numbers the batches. */
  number: ColumnType<string, never, never>;
  version: Generated<number>;
  name: string;
  points: ColumnType<string, number, never>;
  most_uses: number | null;
  most_per_member: number;
  valid_from: Date | null;
  valid_until: Date | null;
  games: GameId[];
  server_ids: string[];
  is_enabled: Generated<boolean>;
  created_at: ColumnType<Date, never, never>;
}

export interface RewardCodesTable {
  id: ColumnType<string, never, never>;
  batch_id: string;
  /** As shown. */
  code: string;
  /** As compared. */
  code_key: string;
}

export interface RewardCodeUsesTable {
  code_id: string;
  member_id: string;
  /** Numbers this member's uses of the code. */
  nth: number;
  used_at: ColumnType<Date, never, never>;
  /** The request that used it, so that a repetition finds it; null: it had no key. */
  request_key: string | null;
}

export interface RewardGiftsTable {
  id: string;
  from_member: string;
  to_member: string;
  points: ColumnType<string, number, never>;
  expires_at: Date;
  given_at: Date | null;
  day: ColumnType<string | null, never, unknown>;
}
