import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who works on what has left for a game, and until when no other process may end it. */
const statements = [
  // The previous release stores no row: what it sends is recovered without waiting for a deadline.
  `create table commands_in_flight (
     command_id text primary key,
     process_id text not null,
     leased_until timestamptz(3) not null
   )`,
  'create index commands_in_flight_process on commands_in_flight (process_id)',
  // API processes that work on this database, or have ended without a word.
  `create table api_processes (
     id text primary key,
     leased_until timestamptz(3) not null
   )`,
];

export const commandsInFlight: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
