import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Seasons: what a wipe gives again, takes and resets, member by member. */
const statements = [
  `alter table products
     add column on_wipe text not null default 'nothing' check (on_wipe in ('nothing', 'regrant')),
     add column regrant_most integer check (regrant_most > 0),
     add column limits_since timestamptz(3)`,
  `create table seasons (
     id text primary key,
     number bigint generated always as identity unique,
     name text not null,
     game text not null,
     cluster_ids text[] not null default '{}',
     server_ids text[] not null default '{}',
     scope_server_ids text[],
     began_at timestamptz(3) not null,
     created_at timestamptz(3) not null default now(),
     balances jsonb not null,
     announcement jsonb not null default '{}',
     state text not null default 'running' check (state in ('running', 'done', 'undoing', 'undone')),
     announced_at timestamptz(3),
     ended_at timestamptz(3),
     undone_at timestamptz(3),
     actor text not null,
     actor_name text,
     undone_by text
   )`,
  // One at a time: a second one would be computed from what the first is changing.
  `create unique index seasons_at_work on seasons ((true)) where state in ('running', 'undoing')`,
  `create table season_steps (
     id bigint generated always as identity primary key,
     season_id text not null references seasons,
     kind text not null check (kind in ('balance', 'limit', 'regrant')),
     member_id bigint references members,
     product_id text references products,
     quantity integer check (quantity > 0),
     points bigint check (points >= 0),
     state text not null default 'waiting' check (state in ('waiting', 'done', 'skipped', 'undone')),
     next_try_at timestamptz(3) not null default now(),
     tries integer not null default 0,
     detail text,
     order_id text references orders deferrable initially deferred,
     entry_id bigint references ledger,
     undo_entry_id bigint references ledger,
     limits_since_was timestamptz(3),
     unique nulls not distinct (season_id, kind, member_id, product_id),
     check ((kind = 'limit') = (member_id is null)),
     check ((kind = 'balance') = (product_id is null)),
     check ((kind = 'regrant') = (quantity is not null)),
     check ((kind = 'balance') = (points is not null))
   )`,
  'create index season_steps_state on season_steps (season_id, state, kind, id)',
  'create index season_steps_member on season_steps (member_id) where member_id is not null',
  'create index season_steps_order on season_steps (order_id) where order_id is not null',
  'alter table orders drop constraint orders_source_check',
  `alter table orders add constraint orders_source_check
     check (source in ('panel', 'api', 'test', 'chat', 'shop', 'season'))`,
  'alter table ledger drop constraint ledger_kind_check',
  `alter table ledger add constraint ledger_kind_check
     check (kind in ('grant', 'purchase', 'refund', 'charge', 'correction', 'transfer', 'merge', 'reward', 'season'))`,
];

export const seasons: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
