import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Times are stored in milliseconds, like JavaScript's, so that a cursor names a row exactly.
 *
 * `written_in` is the transaction that wrote the event: everything older than every running transaction is complete, so
 * that a reader who follows (written_in, id) misses nothing and sees nothing twice. Transaction numbers mean nothing in
 * another cluster: a logical copy leaves this column out.
 *
 * Events have no index on `id` alone, since nothing looks for one. The tables are cleaned often: rows expire at one
 * end.
 */
const statements = [
  `alter table audit_logs
     alter column at type timestamptz(3),
     add column actor_kind text not null generated always as (split_part(actor, ':', 1)) stored,
     add column actor_id text not null generated always as
       (case when strpos(actor, ':') > 0 then substr(actor, strpos(actor, ':') + 1) else '' end) stored,
     add column actor_name text,
     add column before jsonb,
     add column after jsonb`,
  `update audit_logs
      set actor_name = detail ->> 'actorName', before = detail -> 'before', after = detail -> 'after',
          detail = detail - 'actorName' - 'before' - 'after'
    where detail ?| array['actorName', 'before', 'after']`,
  'drop index audit_logs_at',
  'create index audit_logs_at on audit_logs (at, id)',
  'create index audit_logs_actor on audit_logs (actor, at, id)',
  'create index audit_logs_action on audit_logs (action, at, id)',
  'create index audit_logs_target on audit_logs (target, at, id)',

  `create function castellan_keep_audit() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp
     as $$
     begin
       if tg_op = 'DELETE' and current_setting('castellan.retention', true) = 'on' then
         return null;
       end if;
       raise exception 'the audit log is append-only: no % on audit_logs', lower(tg_op)
         using errcode = 'insufficient_privilege';
     end $$`,
  'revoke all on function castellan_keep_audit() from public',
  `create trigger append_only before update or delete or truncate on audit_logs
     for each statement execute function castellan_keep_audit()`,

  `create table event_logs (
     id bigint not null generated always as identity,
     at timestamptz(3) not null default now(),
     kind text not null,
     severity text not null check (severity in ('info', 'notice', 'warning', 'alert')),
     server_id text,
     payload jsonb not null,
     written_in xid8 not null default pg_current_xact_id(),
     primary key (at, id)
   ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
           autovacuum_analyze_scale_factor = 0.05)`,
  'create index event_logs_kind on event_logs (kind, severity, at, id)',
  `create index event_logs_server on event_logs (server_id, kind, severity, at, id)
     where server_id is not null`,
  'create index event_logs_written on event_logs (written_in, id)',

  `create function castellan_record_event(kind text, severity text, payload jsonb) returns void
     language sql set search_path = pg_catalog, pg_temp
     as $$ insert into public.event_logs (kind, severity, payload) values (kind, severity, payload) $$`,
  'revoke all on function castellan_record_event(text, text, jsonb) from public',
];

export const logs: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
