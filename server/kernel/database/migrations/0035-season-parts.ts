import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Giving a product again to a member may take several orders, each of which is a step. */
const statements = [
  'alter table season_steps add column part integer not null default 1 check (part > 0)',
  'alter table season_steps drop constraint season_steps_season_id_kind_member_id_product_id_key',
  `alter table season_steps add constraint season_steps_once
     unique nulls not distinct (season_id, kind, member_id, product_id, part)`,
];

export const seasonParts: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
