import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The store's figures read a range of the ledger and the refunds of a range; products have a place in their category. */
const statements = [
  'create index order_lines_created on order_lines (created_at)',
  'create index ledger_at on ledger (at)',
  // By time: by their line, a short range would read the refunds of all times.
  'create index deliveries_refunded on deliveries (created_at) where refunded_at is not null',
  `create index orders_without_sale on orders (id) where source in ('test', 'season')`,
  'alter table products add column position integer not null default 1000000',
];

export const figuresAndOrder: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
