import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was requested of games' processes, and what was last known and reported about them. */
const statements = [
  `create table power_acts (
     id text primary key,
     server_id text not null references game_servers,
     action text not null check (action in ('start', 'stop', 'restart', 'kill')),
     countdown_seconds integer not null check (countdown_seconds between 0 and 3600),
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
  // One at a time, no matter which process of the API asks; a kill interrupts any other.
  `create unique index power_acts_open on power_acts (server_id, (action = 'kill')) where ended_at is null`,
  'create unique index power_acts_key on power_acts (actor, idempotency_key) where idempotency_key is not null',
  'create index power_acts_ended on power_acts (server_id, ended_at desc)',
  // Written together with the events that it has led to, so that none is reported twice.
  `create table server_processes (
     server_id text primary key references game_servers,
     report jsonb not null,
     reported_at timestamptz(3) not null,
     crash_at timestamptz(3)
   )`,
];

export const power: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
