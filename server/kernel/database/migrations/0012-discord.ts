import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One permanent row: a save locks it, and its version tells two saves apart. */
const statements = [
  `create table discord_settings (
     id text primary key check (id = 'discord'),
     version integer not null default 0,
     token text,
     client_id text,
     guild_id text
   )`,
  `insert into discord_settings (id) values ('discord')`,
];

export const discord: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
