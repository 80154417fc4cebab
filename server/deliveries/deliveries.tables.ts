import type { ColumnType, Generated } from 'kysely';
import type {
  CounterCommandState,
  DeliveryCertainty,
  DeliveryState,
  DeliveryWait,
  DeskDecision,
} from '#contracts/deliveries.ts';
import type { DeskReason } from '#contracts/desk-reasons.ts';
import type { CommandOutcome, GameId } from '#contracts/games.ts';
import type { DeliveryLine } from '#contracts/store.ts';

/** The source of truth for what is given to whom; jobs only trigger work. */
export interface DeliveriesTable {
  /** Random, never used twice. */
  id: ColumnType<string, string | undefined, never>;
  /** Breaks ties of `created_at`; bigint as text. */
  number: ColumnType<string, never, never>;
  created_at: ColumnType<Date, never, never>;
  order_id: string;
  order_line_id: string;
  /** The receiver; readers follow merges. */
  member_id: string;
  game: GameId;
  /** Where it may be given; if both are empty, on every server of the game. */
  cluster_ids: string[];
  server_ids: string[];
  line: ColumnType<DeliveryLine, string, never>;
  /** Its share of the price, which a refund returns exactly; bigint as text. */
  points: ColumnType<string, string | number, never>;
  state: ColumnType<DeliveryState, DeliveryState | undefined, DeliveryState>;
  certainty: DeliveryCertainty | null;
  waits_for: DeliveryWait | null;
  /** Text for people. */
  detail: string | null;
  /** Fixed, with `way`, once bytes may have left. */
  server_id: string | null;
  /** Which of the member's players receives it. */
  player_id: string | null;
  /** Who bought it by chat, and where; null: it was not bought by chat. */
  asking_player_id: ColumnType<string | null, string | null | undefined, never>;
  asking_server_id: ColumnType<string | null, string | null | undefined, never>;
  /** Who approved the command that it sends; null: it sends none, or is older than approvals. */
  approved_by: ColumnType<string | null, string | null | undefined, never>;
  approved_name: ColumnType<string | null, string | null | undefined, never>;
  way: 'agent' | 'direct' | null;
  /** Incremented when it is sent again by decision or after a withdrawal: each generation has its own mark. */
  generation: Generated<number>;
  attempts: Generated<number>;
  /** The epoch in `store_state` at its creation; an older one means that the database has been restored since. */
  epoch: number;
  next_try_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date | null;
  started_at: Date | null;
  ended_at: Date | null;
  refunded_at: Date | null;
  /** Refunded without proof that it did not arrive, so the stock stays unchanged. */
  may_have_arrived: Generated<boolean>;
  /** The game forgot it after a crash. */
  rolled_back_at: Date | null;
  /** Sent again by decision, and both arrived. */
  doubled_at: Date | null;
  /** Why a person must decide; null if none has to. */
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

/** What a refunded order gave by a command, and the state of taking it back. */
export interface CounterCommandsTable {
  delivery_id: string;
  /** The number of the attempt that gave it. */
  number: number;
  server_id: string;
  state: Generated<CounterCommandState>;
  /** The epoch in `store_state` at the refund; in a restored database it may have been sent since. */
  epoch: number;
  /** Commands that the game refused. */
  tries: Generated<number>;
  next_try_at: ColumnType<Date, Date | undefined, Date>;
  command_id: string | null;
  way: 'agent' | 'direct' | null;
  sent_at: Date | null;
  /** One of the API's reasons. */
  detail: string | null;
}

export interface DeliveryCountsTable {
  job_state: string;
  /** Signed; only the sum has a meaning. */
  count: ColumnType<string, never, never>;
}

/** The number by which ARK's commands identify a player on one server: that of the implant. */
export interface SurvivorNumbersTable {
  player_id: string;
  server_id: string;
  number: string;
  source: 'staff' | 'agent' | 'player';
  /** The file that the agent read it from; null for staff's numbers. */
  found_in: string | null;
  set_at: ColumnType<Date, Date | undefined, Date>;
}

/** Standing decisions for deliveries whose end is unknown. */
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
  /** Incremented at each restore of the database. */
  epoch: Generated<number>;
  /** When it was last incremented; null: never. */
  epoch_since: Date | null;
  /** Matches the file in the data folder; if not, the database is not the one this data folder last ran with. */
  incarnation: string | null;
  /** Expiry is suspended from then on. */
  unlicensed_since: Date | null;
}
