export const catalogue = [
  `create table products (
     id text primary key,
     version integer not null default 1,
     is_enabled boolean not null default false,
     stock integer,
     held_at timestamptz(3),
     held_reason text,
     archived_at timestamptz(3),
     created_at timestamptz(3) not null default now(),
     constraint products_stock check (stock >= 0)
   )`,
  `create table product_versions (
     product_id text not null references products,
     version integer not null,
     name text not null,
     name_key text not null,
     description text not null,
     category text not null,
     price bigint not null check (price >= 0),
     game text not null,
     cluster_ids text[] not null default '{}',
     server_ids text[] not null default '{}',
     lines jsonb not null,
     limits jsonb not null default '{}',
     created_at timestamptz(3) not null default now(),
     primary key (product_id, version)
   )`,
  `create table product_pictures (
     product_id text primary key references products,
     media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
     width integer not null,
     height integer not null,
     bytes bytea not null,
     sha256 text not null
   )`,
  `create table own_items (
     game text not null,
     id text not null,
     name text not null,
     primary key (game, id)
   )`,
  `create table item_confirmations (
     game text not null,
     item text not null,
     confirmed_at timestamptz(3) not null default now(),
     actor text not null,
     actor_name text,
     delivery_id uuid not null,
     primary key (game, item)
   )`,
];
