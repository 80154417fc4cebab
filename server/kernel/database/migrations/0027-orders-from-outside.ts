import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Orders from game chat and from external shops, which may sell more than the stock holds. */
const statements = [
  'alter table orders drop constraint orders_source_check',
  `alter table orders add constraint orders_source_check
     check (source in ('panel', 'api', 'test', 'chat', 'shop'))`,
  `alter table order_lines add column oversold integer not null default 0
     constraint order_lines_oversold check (oversold between 0 and quantity)`,
];

export const ordersFromOutside: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
