import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What waits for a person: which kinds were told, and since when orders of external shops are taken back; and their money by day. */
const statements = [
  'create table waiting_kinds (kind text primary key, since timestamptz(3) not null default now())',
  // Null for what was taken back before: no one was asked to look after it then.
  'alter table shop_orders add column taken_back_at timestamptz(3)',
  `create index shop_orders_left on shop_orders (taken_back_at)
     where state = 'taken-back' and taken_back_at is not null`,
  // What outlives a restart of the API: since when a component is unwell, or a server in its state.
  'create table state_beginnings (subject text primary key, state text not null, since timestamptz(3) not null)',
  'create index shop_orders_created on shop_orders (created_at)',
  `create function castellan_date_taken_back() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     -- It passes through 'open' whenever it is settled again.
     new.taken_back_at := case new.state when 'taken-back' then coalesce(old.taken_back_at, now())
                                         when 'open' then old.taken_back_at end;
     return new;
   end $$`,
  `create trigger shop_orders_taken_back before update of state on shop_orders for each row
     when (new.state is distinct from old.state) execute function castellan_date_taken_back()`,
];

export const waiting: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
