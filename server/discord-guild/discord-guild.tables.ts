import type { Generated } from 'kysely';

/** A row stays after its member left while the person has players, points or a history here. */
export interface DiscordGuildMembersTable {
  discord_id: string;
  /** As the Discord server shows it. */
  name: string;
  name_key: string;
  /** No one else's in all of Discord; empty: not told. */
  username: Generated<string>;
  role_ids: string[];
  is_bot: boolean;
  /** As Discord says; null: it does not. */
  joined_at: Date | null;
  /** Null: is there. */
  left_at: Date | null;
  /** The run of reports that named the member last. */
  seen_in: string;
}

/** One row. */
export interface DiscordGuildReportsTable {
  id: string;
  /** Null: none has been told of yet. */
  guild_id: string | null;
  run: string | null;
  /** Of the last report that was taken. */
  number: Generated<number>;
  began_at: Date | null;
  /** When the last complete list was begun; null: never. */
  listed_at: Date | null;
}
