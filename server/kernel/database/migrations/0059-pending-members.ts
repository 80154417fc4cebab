import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who has not accepted the rules of the Discord server yet, so that no role lets them in without. */
export const pendingMembers: Migration = {
  async up(db) {
    await sql`alter table discord_guild_members add column is_pending boolean not null default false`.execute(
      db,
    );
  },
};
