import type { ColumnType, Generated } from 'kysely';
import type { FilterTreatment } from '#contracts/discord-chat.ts';

export interface DiscordChatRelaysTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  server_id: string;
  channel_id: string;
  to_discord: boolean;
  to_game: boolean;
  from_servers: boolean;
  /** The transaction before which nothing was meant for the channel. */
  starts_in: string;
  to_discord_at: ColumnType<Date | null, never, Date>;
  to_game_at: ColumnType<Date | null, never, Date>;
  to_discord_left_out: Generated<string>;
  to_game_left_out: Generated<string>;
  created_at: ColumnType<Date, never, never>;
}

/** What is posted next, as first composed. */
export interface PostContent {
  /** Null: the lines are from several players. */
  readonly speaker: { readonly discordId: string | null } | null;
  readonly lines: readonly { readonly serverId: string; readonly name: string; readonly text: string }[];
}

/** The lane of a channel that has, or had, a relay. */
export interface DiscordChatLanesTable {
  channel_id: string;
  /** A relay leads from a game to this channel. */
  is_active: Generated<boolean>;
  /** Every line up to it was posted, left out, or is in the post. */
  written_in: string;
  event_id: string;
  /** The newest posted message. */
  message_id: string | null;
  /** Ids of the last messages that were heard. */
  heard: Generated<string[]>;
  post: string | null;
  post_opened_at: ColumnType<Date | null, Date | null, Date | null>;
  post_was_given: Generated<boolean>;
  /** Written as JSON text. */
  post_content: ColumnType<PostContent | null, string | null, string | null>;
}

/** A single row, once something was saved. */
export interface DiscordChatFilterTable {
  only_row: Generated<boolean>;
  version: Generated<number>;
  words: string[];
  treatment: FilterTreatment;
}
