import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The members of the Discord server that the bot works on, including bots, and how far the bot has reported them. */
const members = [
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
  // Lists of members begin at the newest: those in Discord are either few among all, or all of the newest.
  'create index members_in_discord on members (id) where discord_id is not null',
  // What refers to a member, for removing members who leave nothing behind.
  'create index order_lines_receiver on order_lines (receiver_id)',
  'create index member_merges_merged on member_merges (merged_id)',
];

/** The audit log and the ledger allow removing the name of an erased person, and no other change. */
const erasure = [
  `create or replace function castellan_keep_audit() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp
     as $$
     begin
       if tg_op = 'DELETE' and current_setting('castellan.retention', true) = 'on'
         or tg_op = 'UPDATE' and current_setting('castellan.erasure', true) = 'on' then
         return null;
       end if;
       raise exception 'the audit log is append-only: no % on audit_logs', lower(tg_op)
         using errcode = 'insufficient_privilege';
     end $$`,
  `create or replace function castellan_refuse_change() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if tg_op = 'UPDATE' and current_setting('castellan.erasure', true) = 'on' then
       return null;
     end if;
     raise exception 'the ledger is only ever added to' using errcode = 'feature_not_supported';
   end $$`,
  `create function castellan_only_names() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if new.actor_name is not null or to_jsonb(new) - 'actor_name' <> to_jsonb(old) - 'actor_name' then
       raise exception 'of a row of % only the name can be erased', tg_table_name
         using errcode = 'insufficient_privilege';
     end if;
     return null;
   end $$`,
  'revoke all on function castellan_only_names() from public',
  ...['audit_logs', 'ledger'].map(
    (table) =>
      `create trigger castellan_only_names after update on ${table} for each row execute function castellan_only_names()`,
  ),
];

/** Two channels that nothing was ever posted into: event rules replace them. */
const formerSettings = [`delete from settings where section = 'discord'`];

export const discordGuildMembers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...members, ...erasure, ...formerSettings]) await sql.raw(statement).execute(db);
  },
};
