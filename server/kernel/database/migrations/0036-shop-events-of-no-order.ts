import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Events of shops that concern no order are deleted when they are old; the far more numerous ones of orders are not read for this. */
const statement = `create index shop_events_unneeded on shop_events (shop_id, arrived_at) where shop_order_id is null`;

export const shopEventsOfNoOrder: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(statement).execute(db);
  },
};
