import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was paid for in an external shop, or is given by a season, does not expire. A failure is reported to the shop's order. */
const statements = [
  `alter table shop_orders add column added_order_ids text[] not null default '{}'`,
  'create index shop_orders_added on shop_orders using gin (added_order_ids)',
  // Orders of the store whose deliveries were undone, or count again, since their shop's order was last checked.
  'create table shop_order_news (id bigint generated always as identity primary key, order_id text not null)',
  `create function castellan_tell_shop_order() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.shop_order_news (order_id)
       select id from public.orders where id = new.order_id and source = 'shop';
     return null;
   end $$`,
  `create trigger castellan_tell_shop_order after update of refunded_at on deliveries
     for each row when ((old.refunded_at is null) <> (new.refunded_at is null))
     execute function castellan_tell_shop_order()`,
  // Existing ones.
  `insert into shop_order_news (order_id)
     select wanted.order_id from shop_orders as wanted
      where not wanted.is_taken and exists (
        select from deliveries where deliveries.order_id = wanted.order_id and refunded_at is not null)`,
  // A daily kit, which is created later, keeps its end.
  `update deliveries set expires_at = null
     from orders
    where orders.id = deliveries.order_id and orders.source in ('shop', 'season')
      and deliveries.expires_at is not null and deliveries.refunded_at is null and deliveries.state <> 'delivered'
      and deliveries.created_at = (select min(created_at) from deliveries as made where made.order_id = orders.id)`,
  // Only Tebex documents its addresses: for other kinds the check refused every event.
  `update shops set checks_address = false, version = version + 1 where checks_address and kind <> 'tebex'`,
];

export const undoneShopDeliveries: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
