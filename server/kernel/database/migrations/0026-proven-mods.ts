import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What a wave has proven, which mods were installed along with others, and what operators are told about jobs that they cannot cancel. */
const statements = [
  'alter table mod_jobs add column proves jsonb',
  `create table mod_dependencies (
     server_id text not null references game_servers,
     key text not null,
     primary key (server_id, key)
   )`,
  `create or replace function castellan_cancel_mod_job(job uuid, why text) returns timestamptz
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     cancelled_at timestamptz;
     found_state text;
   begin
     update public.mod_jobs
        set state = 'cancelled', is_cancelled = true, outcome = 'cancelled', detail = why, waits_for = null,
            ended_at = coalesce(ended_at, now())
      where id = job and state in ('waiting', 'failed')
     returning ended_at into cancelled_at;
     if found then
       return cancelled_at;
     end if;
     select state into found_state from public.mod_jobs where id = job;
     if found_state = 'unknown' then
       raise exception 'job % of queue mods has an unknown end: it takes the result that comes later, and cannot be cancelled', job
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; narrow the statement by: and output ->> ''state'' is distinct from ''unknown''';
     end if;
     raise exception 'job % of queue mods is %: only those that wait or have failed can be cancelled', job,
       coalesce(found_state, 'gone')
       using errcode = 'object_not_in_prerequisite_state',
             hint = 'nothing was changed; what is running is cancelled in the panel';
   end $$`,
];

export const provenMods: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
