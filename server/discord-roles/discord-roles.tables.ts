import type { ColumnType, Generated } from 'kysely';
import type { RoleChange, RoleChangeReason, RoleObstacle, RoleRuleKind } from '#contracts/discord-roles.ts';

export interface DiscordRoleRulesTable {
  id: string;
  version: Generated<number>;
  is_enabled: Generated<boolean>;
  kind: RoleRuleKind;
  role_id: string;
  /** The name when it was chosen. */
  role_name: string;
  /** Points or hours; bigint as text. */
  amount: ColumnType<string | null, number | null, never>;
  /** The servers whose whitelist follows the role. */
  server_ids: string[];
  created_at: Generated<Date>;
}

/** A change that Castellan owes the Discord server. */
export interface DiscordRoleChangesTable {
  id: string;
  discord_id: string;
  role_id: string;
  change: RoleChange['change'];
  because: RoleChangeReason;
  tries: Generated<number>;
  /** Why the last try failed; null: none did. */
  obstacle: RoleObstacle | null;
  next_try_at: ColumnType<Date, Date | undefined, Date>;
  /** When the bot was last given it, and may have made it; null: it was not. */
  handed_at: Date | null;
  /** The bot may be working on it: it has not asked for the next one since. */
  is_with_bot: Generated<boolean>;
  /** False: the bot has it, and it is forgotten once the bot is done with it. */
  is_wanted: Generated<boolean>;
}

/** An entry on the whitelist of a game server. */
export interface DiscordWhitelistEntriesTable {
  server_id: string;
  player_id: string;
  /** A rule that wants it, or last wanted it. */
  rule_id: string;
  /**
   * - `adding`, `removing`: the game has not confirmed it yet
   * - `made`: by the rule; only these are ever removed
   * - `found`: it was there already
   */
  state: Generated<'adding' | 'made' | 'found' | 'removing'>;
  tries: Generated<number>;
  /** The reply to the last try. */
  detail: string | null;
  /** A command has left that the game may have carried out. */
  is_sent: Generated<boolean>;
  next_try_at: ColumnType<Date, Date | undefined, Date>;
}
