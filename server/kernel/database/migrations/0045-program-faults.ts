import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Why a power action failed, if the game's program could not be run: a code with its values. */
export const programFaults: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table power_acts add column program jsonb').execute(db);
  },
};
