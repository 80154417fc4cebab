import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What was done on a server, and what happened to a person. A row of the audit log names servers as its target, by a
 * field, or, for a console command, in a list. An event names at most one person.
 */
const statements = [
  `create function castellan_audit_servers(target text, before jsonb, after jsonb) returns text[]
     language sql immutable parallel safe set search_path = pg_catalog, pg_temp
     as $$
     select coalesce(array_agg(distinct id), '{}') from (
       select substr(target, 8) as id where target like 'server:%'
       union all select before ->> 'serverId'
       union all select after ->> 'serverId'
       union all select list.id #>> '{}'
         from (values (before), (after)) as side (of)
         cross join (values ('servers'), ('serverIds')) as field (name)
         cross join lateral jsonb_array_elements(
           case when jsonb_typeof(side.of -> field.name) = 'array' then side.of -> field.name else '[]' end
         ) as list (id)
         where jsonb_typeof(list.id) = 'string'
     ) as named where id <> ''
     $$`,
  `create index audit_logs_servers on audit_logs using gin (castellan_audit_servers(target, before, after))`,
  `create index event_logs_person on event_logs
     ((coalesce(payload ->> 'playerId', payload ->> 'adminId')), at, id)
     where coalesce(payload ->> 'playerId', payload ->> 'adminId') is not null`,
];

export const recordsBySubject: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
