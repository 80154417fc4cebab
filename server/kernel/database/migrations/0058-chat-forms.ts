import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The forms in which servers write chat, as their owners chose them; a server without a row has none. */
export const chatForms: Migration = {
  async up(db) {
    await sql`
      create table chat_forms (
        server_id text primary key references game_servers on delete cascade,
        forms text[] not null,
        version integer not null default 1,
        changed_at timestamptz(3) not null default now()
      )`.execute(db);
  },
};
