import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A schedule of prices, bundles that take pieces out of several stocks, and discounts. */
const statements = [
  `alter table product_versions add column price_schedule jsonb not null default '[]'`,
  // What the line of a bundle took out of stocks, including the bundle's own.
  `create table order_line_stocks (
     order_line_id bigint not null references order_lines,
     product_id text not null references products,
     pieces integer not null check (pieces > 0),
     oversold integer not null default 0 check (oversold between 0 and pieces),
     primary key (order_line_id, product_id)
   )`,
  `create table discounts (
     id text primary key,
     number bigint generated always as identity unique,
     version integer not null default 1,
     name text not null,
     percent integer check (percent between 1 and 100),
     points_off bigint check (points_off > 0),
     product_ids text[] not null default '{}',
     categories text[] not null default '{}',
     role_ids text[] not null default '{}',
     code text,
     code_key text,
     most_uses integer check (most_uses > 0),
     most_per_member integer check (most_per_member > 0),
     valid_from timestamptz(3),
     valid_until timestamptz(3),
     is_enabled boolean not null default true,
     created_at timestamptz(3) not null default now(),
     removed_at timestamptz(3),
     check (num_nonnulls(percent, points_off) = 1),
     check ((code is null) = (code_key is null))
   )`,
  'create unique index discounts_code on discounts (code_key) where removed_at is null',
  `create index discounts_without_code on discounts (number)
     where removed_at is null and is_enabled and code_key is null`,
  'alter table orders add column discount_id text references discounts',
  'alter table orders add column discount_name text',
  `alter table orders add constraint orders_discount check ((discount_id is null) = (discount_name is null))`,
  'create index orders_discount_uses on orders (discount_id, member_id) where discount_id is not null',
  // As in migration 0011, but only what was taken out of a stock goes back, and a bundle's pieces go to the stocks that
  // they were taken from.
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
       if exists (select from public.order_line_stocks where order_line_id = settled_line) then
         perform from public.products
           where id in (select product_id from public.order_line_stocks where order_line_id = settled_line)
           order by id for update;
         update public.products set stock = stock + taken.pieces - taken.oversold
           from public.order_line_stocks as taken
           where taken.order_line_id = settled_line and products.id = taken.product_id and stock is not null;
       else
         update public.products set stock = stock + returned.quantity - returned.oversold
           where id = returned.product_id and stock is not null;
       end if;
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
       if exists (select from public.order_line_stocks where order_line_id = reopened_line) then
         perform from public.products
           where id in (select product_id from public.order_line_stocks where order_line_id = reopened_line)
           order by id for update;
         update public.products set stock = greatest(0, stock - taken.pieces + taken.oversold)
           from public.order_line_stocks as taken
           where taken.order_line_id = reopened_line and products.id = taken.product_id and stock is not null;
       else
         update public.products set stock = greatest(0, stock - reopened.quantity + reopened.oversold)
           where id = reopened.product_id and stock is not null;
       end if;
     end if;
   end $$`,
];

export const prices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
