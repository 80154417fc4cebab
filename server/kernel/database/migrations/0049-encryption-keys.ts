import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When which key was in use, by its id; the keys themselves are in no database. */
export const encryptionKeys: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table encryption_keys (
           key_id text primary key,
           in_use_since timestamptz(3) not null default now(),
           replaced_at timestamptz(3),
           forgotten_at timestamptz(3)
         )`,
      )
      .execute(db);
  },
};
