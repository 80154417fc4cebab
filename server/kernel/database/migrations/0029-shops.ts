import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** External shops: what they sell, what they reported, and the state of their orders. */
const statements = [
  `create table shops (
     id text primary key,
     version integer not null default 1,
     kind text not null check (kind in ('generic', 'tebex', 'stripe')),
     name text not null,
     is_enabled boolean not null,
     game text not null,
     allows_names boolean not null,
     checks_address boolean not null,
     created_at timestamptz(3) not null default now()
   )`,
  `create table shop_secrets (
     id text primary key,
     shop_id text not null references shops,
     secret text not null,
     created_at timestamptz(3) not null default now()
   )`,
  'create index shop_secrets_shop on shop_secrets (shop_id)',
  `create table shop_products (
     shop_id text not null references shops,
     outside_key text not null,
     product_id text references products,
     quantity integer not null check (quantity between 1 and 1000),
     unique nulls not distinct (shop_id, outside_key, product_id)
   )`,
  // One for each order of a shop whose purchase has arrived. `order_id` is written before the order that it names.
  `create table shop_orders (
     id text primary key,
     number bigint generated always as identity unique,
     shop_id text not null references shops,
     external_id text not null,
     refs text[] not null,
     version integer not null default 1,
     state text not null default 'open'
       check (state in ('open', 'waiting', 'person', 'given', 'taken-back', 'not-given', 'set-aside')),
     reason text,
     detail text not null default '',
     reason_key text,
     decisions jsonb not null default '{}',
     receiver_id bigint references members,
     seen_ids text[] not null default '{}',
     seen_name text,
     seen_game text,
     order_id text references orders deferrable initially deferred,
     given jsonb,
     times_given integer not null default 0,
     is_taken boolean not null default false,
     taken_products text[] not null default '{}',
     created_at timestamptz(3) not null default now(),
     unique (shop_id, external_id)
   )`,
  `create index shop_orders_open on shop_orders (state) where state in ('open', 'waiting', 'person')`,
  'create index shop_orders_order on shop_orders (order_id)',
  'create index shop_orders_refs on shop_orders using gin (refs)',
  'create index shop_orders_receiver on shop_orders (receiver_id) where receiver_id is not null',
  // What is needed from an event, without the buyer's address, mail and payment.
  `create table shop_events (
     shop_id text not null references shops,
     event_id text not null,
     type text not null,
     digest bytea not null,
     refs text[] not null,
     facts jsonb not null,
     arrived_at timestamptz(3) not null default now(),
     shop_order_id text references shop_orders,
     conflicts integer not null default 0,
     primary key (shop_id, event_id)
   )`,
  'create index shop_events_refs on shop_events using gin (refs)',
  'create index shop_events_arrived on shop_events (shop_id, arrived_at desc)',
  'create index shop_events_order on shop_events (shop_order_id)',
  'create index shop_events_conflicts on shop_events (shop_id) where conflicts > 0',
  `create index shop_events_of_no_order on shop_events (shop_id)
     where shop_order_id is null and facts ->> 'kind' <> 'nothing'`,
  'create index players_name_key on players (name_key, game)',
];

export const shops: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
