import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much of what the clock shows is not proven yet: what deletes or ends something for good asks for it. */
const statements = [
  `create table proven_time (
     is_only boolean primary key default true check (is_only),
     seen_at timestamptz(3) not null,
     booted_at timestamptz(3) not null,
     trusted_at timestamptz(3) not null,
     unproven_ms bigint not null default 0 check (unproven_ms >= 0),
     jumped_at timestamptz(3),
     until timestamptz(3)
   )`,
  // API processes look every minute. What the clock gained since the last look is unproven beyond ten minutes. What began
  // after the jump is measured by the new time alone.
  `create function castellan_unproven_time(began timestamptz default '-infinity') returns interval
     language sql stable set search_path = pg_catalog, pg_temp as $$
   select coalesce((
     select case
              when began >= jumped_at and now() <= seen_at + interval '10 minutes' then interval '0'
              when began >= seen_at + interval '10 minutes' then interval '0'
              else unproven_ms * interval '1 millisecond'
                   + greatest(interval '0', now() - seen_at - interval '10 minutes') end
       from public.proven_time), interval '0') $$`,
  `create function castellan_proven_now() returns timestamptz
     language sql stable set search_path = pg_catalog, pg_temp as $$
   select now() - public.castellan_unproven_time() $$`,
];

export const provenTime: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
