import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which admin a Discord account belongs to, and what the holders of a Discord role may do. */
const statements = [
  `create table discord_admins (
     admin_id text primary key references admins on delete cascade,
     discord_id text not null unique,
     discord_name text not null,
     linked_at timestamptz(3) not null default now()
   )`,
  `create table discord_admin_codes (
     admin_id text primary key references admins on delete cascade,
     digest bytea not null unique,
     expires_at timestamptz(3) not null
   )`,
  `create table discord_role_rights (
     discord_role_id text primary key,
     name text not null,
     permissions text[] not null
   )`,
];

export const discordUsers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
