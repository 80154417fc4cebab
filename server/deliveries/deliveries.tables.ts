import type { ColumnType, Generated } from 'kysely';
import type { DeliveryCertainty, DeliveryState, DeliveryWait, DeskDecision } from '#contracts/deliveries.ts';
import type { DeskReason } from '#contracts/desk-reasons.ts';
import type { CommandOutcome, GameId } from '#contracts/games.ts';
import type { DeliveryLine } from '#contracts/store.ts';

/** The truth about what is given to whom; jobs only move it. */
export interface DeliveriesTable {
  /** Random, never used twice. */
  id: ColumnType<string, string | undefined, never>;
  /** Orders those of one moment; bigint, as text. */
  number: ColumnType<string, never, never>;
  created_at: ColumnType<Date, never, never>;
  order_id: string;
  order_line_id: string;
  /** Who gets it; merged members are followed when it is read. */
  member_id: string;
  game: GameId;
  /** Where it may be given; both empty: every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  line: ColumnType<DeliveryLine, string, never>;
  /** Its part of what was paid, bigint as text: a refund gives back exactly this. */
  points: ColumnType<string, string | number, never>;
  state: ColumnType<DeliveryState, DeliveryState | undefined, DeliveryState>;
  certainty: DeliveryCertainty | null;
  waits_for: DeliveryWait | null;
  /** For people. */
  detail: string | null;
  /** Kept, with `way`, once bytes may have left. */
  server_id: string | null;
  /** The one of the member's players that it goes to. */
  player_id: string | null;
  way: 'agent' | 'direct' | null;
  /** Counts up when it is sent again by decision: such a gift has a marker of its own. */
  generation: Generated<number>;
  attempts: Generated<number>;
  /** Of `store_state` when it was made; one of an older epoch was in a database that was restored. */
  epoch: number;
  next_try_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  refunded_at: Date | null;
  /** Refunded although no one can tell: it goes back into no stock. */
  may_have_arrived: Generated<boolean>;
  /** The game forgot it after a crash. */
  rolled_back_at: Date | null;
  /** Sent again by decision, and both arrived. */
  doubled_at: Date | null;
  /** Why a person has to decide; null: no one has to. */
  desk_reason: DeskReason | null;
  desk_at: Date | null;
  job_state: ColumnType<'created' | 'retry' | 'active' | 'completed' | 'failed' | 'cancelled', never, never>;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  number: number;
  command_id: string;
  server_id: string;
  way: 'agent' | 'direct';
  player_id: string | null;
  /** Masked. */
  command: string;
  began_at: ColumnType<Date, never, never>;
  /** Null: not settled. */
  ended_at: Date | null;
  outcome: CommandOutcome | null;
  /** Masked. */
  reply: string | null;
  verdict: string | null;
  detail: string | null;
  evidence: ColumnType<Readonly<Record<string, unknown>>, string | undefined, string>;
}

export interface DeliveryCountsTable {
  job_state: string;
  /** Signed; the sum counts. */
  count: ColumnType<string, never, never>;
}

/** What ARK's commands call a player on one server: the number of the implant. */
export interface SurvivorNumbersTable {
  player_id: string;
  server_id: string;
  number: string;
  source: 'staff' | 'agent';
  set_at: ColumnType<Date, Date | undefined, Date>;
}

/** What is decided without a person about deliveries of which no one can tell how they ended. */
export interface DeskRulesTable {
  id: ColumnType<string, never, never>;
  /** Null: every one. */
  server_id: string | null;
  product_id: string | null;
  decision: DeskDecision;
  created_at: ColumnType<Date, never, never>;
  actor: string;
  actor_name: string | null;
}

/** One row. */
export interface StoreStateTable {
  id: ColumnType<boolean, never, never>;
  /** Counts up with each restore of the database. */
  epoch: Generated<number>;
  /** As in the home's file: else the database is not the one that this home ran with. */
  incarnation: string | null;
  /** Expiry rests meanwhile. */
  unlicensed_since: Date | null;
}
