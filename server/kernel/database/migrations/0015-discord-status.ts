import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A status message has either the id that Discord gave it, or a post that may have been made, or neither while nothing
 * can be posted. What it left in a channel stays among the removals until it is known to be gone.
 */
const statements = [
  `create table discord_status_messages (
     id text primary key,
     version integer not null default 1,
     is_enabled boolean not null,
     channel_id text not null,
     target_kind text not null check (target_kind in ('server', 'cluster')),
     target_id text not null,
     shows_names boolean not null,
     joins jsonb not null,
     created_at timestamptz(3) not null default now(),
     message_id text unique,
     post text unique,
     post_opened_at timestamptz(3),
     shown_digest text,
     shown_edited_at text,
     shown_at timestamptz(3),
     check (message_id is null or post is null),
     check ((post is null) = (post_opened_at is null))
   )`,
  `create table discord_status_removals (
     id text primary key,
     channel_id text not null,
     message_id text unique,
     post text unique,
     opened_at timestamptz(3),
     created_at timestamptz(3) not null default now(),
     check (message_id is not null or post is not null),
     check ((post is null) = (opened_at is null))
   )`,
];

export const discordStatus: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
