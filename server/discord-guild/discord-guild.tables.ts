import type { Generated } from 'kysely';

/** A row stays after its member left while the person has players, points or a history here. */
export interface DiscordGuildMembersTable {
  discord_id: string;
  /** The name that the Discord server shows. */
  name: string;
  name_key: string;
  /** Unique in all of Discord; empty: not reported. */
  username: Generated<string>;
  role_ids: string[];
  is_bot: boolean;
  /** Has not accepted the rules of the Discord server yet. */
  is_pending: Generated<boolean>;
  /** According to Discord; null: unknown. */
  joined_at: Date | null;
  /** Null: is there. */
  left_at: Date | null;
  /** The last run of reports that named the member. */
  seen_in: string;
}

/** One row. */
export interface DiscordGuildReportsTable {
  id: string;
  /** Null: none has been reported yet. */
  guild_id: string | null;
  run: string | null;
  /** The number of the last accepted report. */
  number: Generated<number>;
  began_at: Date | null;
  /** When the last complete list was begun; null: never. */
  listed_at: Date | null;
}
