import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A built-in role has no permissions here: the program defines them. */
const statements = [
  `create table roles (
     id text primary key,
     name text not null,
     name_key text not null unique,
     permissions text[]
   )`,
  `insert into roles (id, name, name_key)
   select id, id, id from unnest(array['owner', 'admin', 'moderator', 'viewer']) as id`,

  `create table admins (
     id text primary key,
     name text not null,
     name_key text not null unique,
     password_hash text not null,
     role text references roles,
     disabled boolean not null default false,
     totp_secret text,
     totp_confirmed_at timestamptz,
     totp_last_step bigint,
     created_at timestamptz not null default now(),
     last_sign_in_at timestamptz
   )`,
  'create index admins_role on admins (role)',
  `create table server_grants (
     admin_id text not null references admins on delete cascade,
     server_id text not null,
     role text not null references roles,
     primary key (admin_id, server_id)
   )`,
  'create index server_grants_role on server_grants (role)',
  `create table recovery_codes (
     admin_id text not null references admins on delete cascade,
     code_hash bytea not null,
     primary key (admin_id, code_hash)
   )`,
  `create table setup_link (
     only_one boolean primary key default true check (only_one),
     token_hash bytea not null
   )`,

  `create table sessions (
     id text primary key,
     token_hash bytea not null unique,
     admin_id text not null references admins on delete cascade,
     created_at timestamptz not null default now(),
     last_used_at timestamptz not null default now(),
     address text not null,
     user_agent text not null
   )`,
  'create index sessions_admin on sessions (admin_id)',

  `create table api_keys (
     id text primary key,
     name text not null,
     secret_hash bytea not null,
     creator_id text references admins on delete cascade,
     permissions text[] not null,
     server_ids text[],
     created_at timestamptz not null default now(),
     expires_at timestamptz not null,
     last_used_at timestamptz
   )`,
  'create index api_keys_creator on api_keys (creator_id)',
];

export const identity: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
