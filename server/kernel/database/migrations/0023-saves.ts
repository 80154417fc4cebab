import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was requested of games' saves, and what agents last reported about their backups. */
const statements = [
  `create table save_acts (
     id text primary key,
     server_id text not null references game_servers,
     action text not null check (action in ('backup', 'restore', 'undo', 'confirm')),
     request text not null,
     backup text,
     actor text not null,
     actor_name text not null,
     address text not null,
     idempotency_key text,
     requested_at timestamptz(3) not null default now(),
     is_cancelled boolean not null default false,
     outcome text,
     detail text,
     ended_at timestamptz(3),
     check ((outcome is null) = (ended_at is null))
   )`,
  // One at a time, no matter which process of the API asks.
  'create unique index save_acts_open on save_acts (server_id) where ended_at is null',
  'create unique index save_acts_key on save_acts (actor, idempotency_key) where idempotency_key is not null',
  'create index save_acts_ended on save_acts (server_id, ended_at desc)',
  // Written together with the events that it has led to, so that none is reported twice.
  `create table server_saves (
     server_id text primary key references game_servers,
     list jsonb not null,
     listed_at timestamptz(3) not null,
     told_until timestamptz(3),
     nightly_failure_at timestamptz(3)
   )`,
];

export const saves: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
