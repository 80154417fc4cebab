import type { ColumnType, Generated } from 'kysely';
import type { CommandOutcome, GameId } from '#contracts/games.ts';

export interface ConsoleCommandsTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  server_id: string;
  run_id: string;
  /** `admin:<id>`, in the audit log's terms. */
  actor: string;
  actor_name: string | null;
  command: string;
  /** Null while it runs. */
  outcome: CommandOutcome | null;
  reply: string | null;
  truncated: Generated<boolean>;
  duration_ms: number | null;
  via: 'agent' | 'direct' | null;
  /** The previous `outcome`, when the game's result came late; null: it was never replaced. */
  revised_from: CommandOutcome | null;
  revised_at: Date | null;
  /** The order that sent it; null: a person or a program did. */
  order_id: ColumnType<string | null, string | null | undefined, never>;
  product_id: ColumnType<string | null, string | null | undefined, never>;
  /** Who approved the product's command. */
  approved_by: ColumnType<string | null, string | null | undefined, never>;
  approved_name: ColumnType<string | null, string | null | undefined, never>;
}

export interface SavedCommandsTable {
  id: string;
  name: string;
  name_key: string;
  command: string;
  game: GameId | null;
  version: Generated<number>;
}

/** What a console pushed to the API itself; what an agent hears, the agent keeps. */
export interface ConsoleLinesTable {
  id: ColumnType<string, never, never>;
  server_id: string;
  at: Date;
  text: string;
}

/** How far the stored commands of a table have been masked. */
export interface CommandMaskingTable {
  source: 'agent_commands' | 'console_commands';
  /** Those by which the rows up to `after` were masked. */
  rules: number;
  /** The last row's id; null: none yet. */
  after: string | null;
  is_done: boolean;
}
