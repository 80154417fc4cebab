import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The members of the Discord server that the bot works on, bots included, and how far the bot has told of them. */
const statements = [
  `create table discord_guild_members (
     discord_id text primary key,
     name text not null,
     name_key text not null,
     username text not null default '',
     role_ids text[] not null default '{}',
     is_bot boolean not null,
     joined_at timestamptz(3),
     left_at timestamptz(3),
     seen_in text not null
   )`,
  `create table discord_guild_reports (
     id text primary key check (id = 'discord'),
     guild_id text,
     run text,
     number integer not null default 0,
     began_at timestamptz(3),
     listed_at timestamptz(3)
   )`,
  `insert into discord_guild_reports (id) values ('discord')`,
  // Lists of members begin at the newest: those in Discord are few among all, or all of the newest.
  'create index members_in_discord on members (id) where discord_id is not null',
  // What refers to a member, for the removal of members who leave nothing behind.
  'create index order_lines_receiver on order_lines (receiver_id)',
  'create index member_merges_merged on member_merges (merged_id)',
];

export const discordGuildMembers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
