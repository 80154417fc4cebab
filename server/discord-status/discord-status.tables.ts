import type { ColumnType, Generated } from 'kysely';
import type { StatusJoin, StatusTarget } from '#contracts/discord-status.ts';

export interface DiscordStatusMessagesTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  channel_id: string;
  target_kind: StatusTarget['kind'];
  target_id: string;
  shows_names: boolean;
  joins: ColumnType<StatusJoin[], string, string>;
  created_at: ColumnType<Date, never, never>;
  /** Its id in Discord; null while it is not there, or only may be. */
  message_id: string | null;
  /** Handed out for posting; null: nothing is. */
  post: string | null;
  post_opened_at: ColumnType<Date | null, Date | null, Date | null>;
  /** Digest of what was last confirmed to be in Discord. */
  shown_digest: string | null;
  shown_edited_at: string | null;
  shown_at: ColumnType<Date | null, Date | null, Date | null>;
}

export interface DiscordStatusRemovalsTable {
  id: string;
  channel_id: string;
  message_id: string | null;
  post: string | null;
  opened_at: ColumnType<Date | null, Date | null, never>;
  created_at: ColumnType<Date, never, never>;
}
