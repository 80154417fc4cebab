import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a server's saves are backed up, as set in the panel; the agent that takes it keeps its own copy. */
const statements = [
  `create table saves_schedules (
     server_id text primary key references game_servers,
     version integer not null,
     -- Null: the machine's own schedule applies.
     at_minute integer,
     keep integer,
     days integer,
     changed_by text not null,
     changed_at timestamptz(3) not null default now(),
     -- Why the agent did not take this version.
     failure text,
     check ((at_minute is null) = (keep is null) and (keep is null) = (days is null))
   )`,
];

export const savesSchedules: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
