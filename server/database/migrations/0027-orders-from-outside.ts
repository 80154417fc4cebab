import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Orders from game chat and from shops outside, which may sell more than the stock holds. */
const statements = [
  'alter table orders drop constraint orders_source_check',
  `alter table orders add constraint orders_source_check
     check (source in ('panel', 'api', 'test', 'chat', 'shop'))`,
  `alter table order_lines add column oversold integer not null default 0
     constraint order_lines_oversold check (oversold between 0 and quantity)`,
  // As in migration 0011, but only what was taken out of the stock comes back.
  `create or replace function castellan_settle_order_line(settled_line bigint) returns void
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     returned public.order_lines;
   begin
     update public.order_lines set undone_at = now()
       where id = settled_line and undone_at is null and not exists (
         select from public.deliveries where order_line_id = settled_line
            and state not in ('cancelled', 'failed') and refunded_at is null);
     select * into returned from public.order_lines
       where id = settled_line and restocked_at is null and not exists (
         select from public.deliveries where order_line_id = settled_line
            and (state not in ('cancelled', 'failed') or may_have_arrived));
     if found then
       update public.products set stock = stock + returned.quantity - returned.oversold
         where id = returned.product_id and stock is not null;
       update public.order_lines set restocked_at = case when found then now() else created_at end
         where id = settled_line;
     end if;
   end $$`,
  `create or replace function castellan_reopen_order_line(reopened_line bigint) returns void
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     reopened public.order_lines;
   begin
     update public.order_lines set undone_at = null where id = reopened_line and undone_at <> created_at;
     update public.order_lines set restocked_at = null where id = reopened_line and restocked_at <> created_at
       returning * into reopened;
     if found then
       update public.products set stock = greatest(0, stock - reopened.quantity + reopened.oversold)
         where id = reopened.product_id and stock is not null;
     end if;
   end $$`,
];

export const ordersFromOutside: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
