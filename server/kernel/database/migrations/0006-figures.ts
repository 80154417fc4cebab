import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One row a minute, by the minute's beginning; a minute without data has none. */
const statements = [
  `create table figures (
     at timestamptz(3) primary key,
     players real,
     database_ms real,
     queue_depth real,
     events integer
   )`,
];

export const figures: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
