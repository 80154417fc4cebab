import type { ColumnType, Generated } from 'kysely';
import type { CommandOutcome, GameId } from '#contracts/games.ts';

export interface ConsoleCommandsTable {
  id: ColumnType<string, never, never>;
  at: ColumnType<Date, never, never>;
  server_id: string;
  run_id: string;
  /** `admin:<id>`; as the audit log names it. */
  actor: string;
  actor_name: string | null;
  command: string;
  /** Null while it runs. */
  outcome: CommandOutcome | null;
  reply: string | null;
  truncated: Generated<boolean>;
  duration_ms: number | null;
  via: 'agent' | 'direct' | null;
  /** What stood in `outcome` until the game's result came, late; null: nothing else ever did. */
  revised_from: CommandOutcome | null;
  revised_at: Date | null;
}

export interface SavedCommandsTable {
  id: string;
  name: string;
  name_key: string;
  command: string;
  game: GameId | null;
  version: Generated<number>;
}
