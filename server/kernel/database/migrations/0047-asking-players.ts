import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who bought it by chat, and on which server; both null: no one did. */
const statements = [
  'alter table deliveries add column asking_player_id bigint',
  'alter table deliveries add column asking_server_id text',
];

export const askingPlayers: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
