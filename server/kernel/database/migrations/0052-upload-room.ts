import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whose uploads of mods take which room, and until when an unfinished one waits for its next part. */
const statements = [
  // Null: the previous release began it.
  'alter table mod_uploads add column begun_by text',
  // Bytes of the part that is being written, beside those received.
  'alter table mod_uploads add column reserved bigint not null default 0',
  // Null: it is complete, or the previous release began it.
  'alter table mod_uploads add column idle_until timestamptz(3)',
];

export const uploadRoom: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
