import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A restore from its one request to the running game: stop, replace, start. No process owns a run: each step asks for an act with a
 * key of its own, and goes on only from the step that it has read.
 */
const statements = [
  `create table restore_runs (
     id text primary key,
     server_id text not null references game_servers,
     action text not null check (action in ('restore', 'undo')),
     backup text not null,
     request text not null,
     countdown_seconds integer,
     starts boolean not null,
     step text not null check (step in ('stopping', 'restoring', 'starting')),
     -- The end of the step before, while the game is started again after it.
     settled text check (settled in ('done', 'failed', 'cancelled')),
     waits_since timestamptz(3),
     actor text not null,
     actor_name text not null,
     address text not null,
     idempotency_key text,
     requested_at timestamptz(3) not null default now(),
     outcome text check (outcome in ('done', 'failed', 'cancelled')),
     problem text,
     detail text,
     ended_at timestamptz(3),
     check ((outcome is null) = (ended_at is null))
   )`,
  'create unique index restore_runs_open on restore_runs (server_id) where ended_at is null',
  `create unique index restore_runs_key on restore_runs (actor, idempotency_key)
     where idempotency_key is not null`,
  'create index restore_runs_ended on restore_runs (server_id, requested_at desc)',
];

export const restoreRuns: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
