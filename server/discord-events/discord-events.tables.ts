import type { ColumnType, Generated } from 'kysely';
import type { EventLane } from '#contracts/discord-events.ts';
import type { EventKindName } from '#contracts/event-kinds.ts';
import type { Severity } from '#contracts/event-row.ts';

export interface DiscordEventRulesTable {
  id: string;
  version: Generated<number>;
  is_enabled: boolean;
  channel_id: string;
  /** Empty: all; the same holds for severities and servers. */
  kinds: EventKindName[];
  severities: Severity[];
  server_ids: string[];
  role_id: string | null;
  created_at: ColumnType<Date, never, never>;
}

/** A channel's place in the feed of events; a lane exists while an enabled rule names its channel. */
export interface DiscordEventLanesTable {
  channel_id: string;
  lane: EventLane;
  /** Everything up to it is settled. */
  written_in: string;
  event_id: string;
  left_out: Generated<string>;
  posted_at: ColumnType<Date | null, never, Date | null>;
  /** What was last handed out and is not settled; null: nothing. */
  batch: string | null;
  batch_written_in: string | null;
  batch_event_id: string | null;
  batch_left_out: Generated<string>;
  batch_size: Generated<number>;
  batch_opened_at: ColumnType<Date | null, Date | null, Date | null>;
}
