import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A lane is a channel's place in the feed of events, as in 0013. The next post is stored whole in it until it is
 * settled: it is the same when it is handed out again. A lane stays when its relays are removed, because a post in
 * doubt is looked for after `message_id`. `starts_in` is the transaction that switched a relay on: what was written
 * before it was not meant for the channel.
 */
const statements = [
  `create table discord_chat_relays (
     id text primary key,
     version integer not null default 1,
     is_enabled boolean not null,
     server_id text not null references game_servers (id) on delete cascade,
     channel_id text not null,
     to_discord boolean not null,
     to_game boolean not null,
     from_servers boolean not null,
     starts_in xid8 not null,
     to_discord_at timestamptz(3),
     to_game_at timestamptz(3),
     to_discord_left_out bigint not null default 0,
     to_game_left_out bigint not null default 0,
     created_at timestamptz(3) not null default now(),
     unique (channel_id, server_id)
   )`,
  'create index discord_chat_relays_server on discord_chat_relays (server_id)',
  `create table discord_chat_lanes (
     channel_id text primary key,
     is_active boolean not null default false,
     written_in xid8 not null,
     event_id bigint not null,
     message_id text,
     heard text[] not null default '{}',
     post text unique,
     post_opened_at timestamptz(3),
     post_was_given boolean not null default false,
     post_content jsonb,
     check ((post is null) = (post_opened_at is null) and (post is null) = (post_content is null))
   )`,
  `create table discord_chat_filter (
     only_row boolean primary key default true check (only_row),
     version integer not null default 1,
     words text[] not null,
     treatment text not null check (treatment in ('mask', 'hold'))
   )`,
];

export const discordChat: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
