import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A new password, no matter who sets it, ends the codes that the person made. Their rights are checked when a code is used. */
const statements = [
  `create function castellan_end_enrolments() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     update public.agent_enrolments set is_ended = true
      where created_by = 'admin:' || new.id and used_at is null and not is_ended;
     return null;
   end $$`,
  `create trigger admins_enrolments after update of password_hash on admins for each row
     when (old.password_hash is distinct from new.password_hash) execute function castellan_end_enrolments()`,
];

export const enrolmentsOfMakers: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
