import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where an agent found the number; null for those of staff. */
export const survivorNumbers: Migration = {
  async up(db) {
    await sql`alter table survivor_numbers add column found_in text`.execute(db);
  },
};
