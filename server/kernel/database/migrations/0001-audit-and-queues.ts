import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * `castellan_job_cancelled` is called in the transaction in which an operator cancels a job through pgboss.job;
 * features whose jobs represent something replace it in their own migrations.
 */
const statements = [
  `create table audit_logs (
     id bigint generated always as identity primary key,
     at timestamptz not null default now(),
     actor text not null,
     action text not null,
     target text,
     detail jsonb not null default '{}',
     address text
   )`,
  'create index audit_logs_at on audit_logs (at)',

  `create function castellan_audit_sql(statement text) returns void
     language sql security definer set search_path = pg_catalog, pg_temp
     as $$
       insert into public.audit_logs (actor, action, detail, address)
       values ('operator', 'sql.run', jsonb_build_object('statement', statement), host(inet_client_addr()))
     $$`,
  'revoke all on function castellan_audit_sql(text) from public',

  `create table queue_failures (
     queue text primary key,
     failures_total bigint not null default 0
   )`,

  `create function castellan_job_cancelled(queue text, job_id uuid, data jsonb) returns void
     language plpgsql set search_path = pg_catalog, pg_temp
     as $$ begin return; end $$`,
  'revoke all on function castellan_job_cancelled(text, uuid, jsonb) from public',
];

export const auditAndQueues: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
