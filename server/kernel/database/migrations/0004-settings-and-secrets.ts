import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `create table settings (
     section text primary key,
     version integer not null default 0,
     values jsonb not null default '{}'
   )`,
  `create table settings_secrets (
     section text not null,
     field text not null,
     sealed text not null,
     primary key (section, field)
   )`,
  `create table secret_reencryptions (
     id bigint generated always as identity primary key,
     requested_at timestamptz not null default now(),
     requested_by jsonb not null,
     total integer,
     done integer not null default 0,
     failed integer not null default 0,
     ended_at timestamptz
   )`,
];

export const settingsAndSecrets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
