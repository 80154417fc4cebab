import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sets of mods, waves over several servers, what update checks found, and the lists that players see. */
const statements = [
  `create table mod_sets (
     id text primary key,
     name text not null,
     name_key text not null unique,
     game text not null,
     items jsonb not null,
     version integer not null default 1,
     changed_at timestamptz(3) not null default now(),
     changed_by_name text not null
   )`,
  `create table mod_waves (
     id text primary key,
     number bigint generated always as identity,
     request text not null,
     set_version integer,
     actor text not null,
     actor_id text not null,
     actor_name text not null,
     desktop_access_id text,
     address text not null,
     idempotency_key text,
     requested_at timestamptz(3) not null default now(),
     state text not null default 'first' check (state in ('first', 'others', 'done', 'stopped', 'cancelled')),
     detail text,
     ended_at timestamptz(3),
     check ((state in ('first', 'others')) = (ended_at is null))
   )`,
  'create unique index mod_waves_key on mod_waves (actor, idempotency_key) where idempotency_key is not null',
  'create index mod_waves_requested on mod_waves (requested_at desc, number desc)',
  'create index mod_waves_open on mod_waves (id) where ended_at is null',
  // The result for a server that was started is stored with its job, which names the wave.
  `create table mod_wave_servers (
     wave_id text not null references mod_waves on delete cascade,
     position integer not null,
     server_id text not null references game_servers,
     state text not null default 'waiting' check (state in ('waiting', 'nothing', 'blocked')),
     detail text,
     faults jsonb not null default '[]',
     next_try_at timestamptz(3) not null default now(),
     primary key (wave_id, position),
     unique (wave_id, server_id)
   )`,
  `create table mod_checks (
     server_id text primary key references game_servers,
     checked_at timestamptz(3),
     next_at timestamptz(3) not null default now(),
     leased_until timestamptz(3),
     found jsonb,
     told text
   )`,
  'create index mod_checks_next on mod_checks (next_at)',
  `create table mod_player_lists (
     server_id text primary key references game_servers,
     token text not null unique,
     shared_at timestamptz(3) not null default now()
   )`,
];

export const modSets: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
