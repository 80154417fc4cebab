import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A lane is a channel's place in the feed of events: (written_in, id), as in the live stream. A batch that was handed
 * out keeps its end and its id until it is settled, so that it is the same one when it is handed out again.
 */
const statements = [
  `create table discord_event_rules (
     id text primary key,
     version integer not null default 1,
     is_enabled boolean not null,
     channel_id text not null,
     kinds text[] not null,
     severities text[] not null,
     server_ids text[] not null,
     role_id text,
     created_at timestamptz(3) not null default now()
   )`,
  'create index discord_event_rules_channel on discord_event_rules (channel_id)',
  `create table discord_event_lanes (
     channel_id text not null,
     lane text not null check (lane in ('alerts', 'rest')),
     written_in xid8 not null,
     event_id bigint not null,
     left_out bigint not null default 0,
     posted_at timestamptz(3),
     batch text unique,
     batch_written_in xid8,
     batch_event_id bigint,
     batch_left_out bigint not null default 0,
     batch_size integer not null default 0,
     batch_opened_at timestamptz(3),
     primary key (channel_id, lane),
     check ((batch is null) = (batch_written_in is null) and (batch is null) = (batch_event_id is null)
        and (batch is null) = (batch_opened_at is null))
   )`,
];

export const discordEvents: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
