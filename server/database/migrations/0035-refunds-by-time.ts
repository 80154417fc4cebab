import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The refunds of a range are found by their time: by their line, a short range read those of all times. */
const statements = [
  'drop index deliveries_refunded',
  'create index deliveries_refunded on deliveries (created_at) where refunded_at is not null',
];

export const refundsByTime: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
