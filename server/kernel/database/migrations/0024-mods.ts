import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What agents last reported about games' mods, plans of changes, and the jobs that carry them out. */
const statements = [
  `create table server_mods (
     server_id text primary key references game_servers,
     list jsonb not null,
     listed_at timestamptz(3) not null
   )`,
  `create table mod_plans (
     id text primary key,
     server_id text not null references game_servers,
     base bigint not null,
     kind text not null check (kind in ('change', 'undo', 'set')),
     change jsonb not null,
     inverse jsonb,
     lines jsonb not null,
     faults jsonb not null,
     made_at timestamptz(3) not null default now(),
     expires_at timestamptz(3) not null
   )`,
  'create index mod_plans_expiry on mod_plans (expires_at)',
  // Everything that a job needs is in its row: neither the plan nor pg-boss has to outlive it.
  `create table mod_jobs (
     id uuid primary key,
     number bigint generated always as identity unique,
     server_id text not null references game_servers,
     kind text not null check (kind in ('change', 'undo', 'set')),
     request text not null,
     change jsonb not null,
     inverse jsonb,
     lines jsonb not null,
     wave text,
     actor text not null,
     actor_name text not null,
     address text not null,
     idempotency_key text,
     state text not null default 'waiting'
       check (state in ('waiting', 'running', 'done', 'failed', 'cancelled', 'unknown')),
     waits_for text check (waits_for in ('agent', 'queue', 'job', 'license', 'wave')),
     task_id text,
     tries integer not null default 0,
     requested_at timestamptz(3) not null default now(),
     began_at timestamptz(3),
     ended_at timestamptz(3),
     is_cancelled boolean not null default false,
     outcome text,
     detail text,
     result jsonb,
     job_state text not null generated always as (
       case state when 'waiting' then case tries when 0 then 'created' else 'retry' end when 'running' then 'active'
         when 'done' then 'completed' when 'cancelled' then 'cancelled' else 'failed' end) stored,
     check ((ended_at is null) = (state in ('waiting', 'running'))),
     check (state <> 'running' or task_id is not null)
   )`,
  // One at a time, no matter which process of the API sends it.
  `create unique index mod_jobs_running on mod_jobs (server_id) where state = 'running'`,
  `create unique index mod_jobs_key on mod_jobs (actor, idempotency_key) where idempotency_key is not null`,
  'create unique index mod_jobs_wave on mod_jobs (wave, server_id) where wave is not null',
  `create index mod_jobs_open on mod_jobs (number) where state in ('waiting', 'running')`,
  `create index mod_jobs_unknown on mod_jobs (ended_at) where state = 'unknown'`,
  'create index mod_jobs_server on mod_jobs (server_id, number desc)',
  'create index mod_jobs_ended on mod_jobs (ended_at) where ended_at is not null',
  `create function castellan_count_mod_failure() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.queue_failures as counted (queue, failures_total) values ('mods', 1)
       on conflict (queue) do update set failures_total = counted.failures_total + 1;
     return null;
   end $$`,
  `create trigger castellan_count_failure after update on mod_jobs for each row
     when (new.job_state = 'failed' and old.job_state <> 'failed') execute function castellan_count_mod_failure()`,
  // For a running job the agent has to be asked, which SQL cannot do.
  `create function castellan_cancel_mod_job(job uuid, why text) returns timestamptz
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     cancelled_at timestamptz;
   begin
     update public.mod_jobs
        set state = 'cancelled', is_cancelled = true, outcome = 'cancelled', detail = why, waits_for = null,
            ended_at = coalesce(ended_at, now())
      where id = job and state in ('waiting', 'failed')
     returning ended_at into cancelled_at;
     if not found then
       raise exception 'job % of mods neither waits nor has failed: nothing else can be cancelled by SQL', job
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; what is running is cancelled in the panel';
     end if;
     return cancelled_at;
   end $$`,
  'revoke all on function castellan_cancel_mod_job(uuid, text) from public',
  `create table mod_pins (
     server_id text not null references game_servers,
     key text not null,
     reason text not null,
     until text,
     by_name text not null,
     at timestamptz(3) not null default now(),
     primary key (server_id, key)
   )`,
  `create table mod_uploads (
     id text primary key,
     server_id text not null references game_servers,
     name text not null,
     bytes bigint not null,
     received bigint not null default 0,
     sha1 text,
     sha512 text,
     content jsonb,
     begun_at timestamptz(3) not null default now()
   )`,
];

export const mods: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
