export const orders = [
  `create table orders (
     id text primary key,
     number bigint generated always as identity unique,
     created_at timestamptz(3) not null default now(),
     member_id bigint not null references members,
     receiver_id bigint not null references members,
     total bigint not null check (total >= 0),
     source text not null check (source in ('panel', 'api', 'test')),
     actor text not null,
     actor_name text
   )`,
  'create index orders_created on orders (created_at, number)',
  'create index orders_member on orders (member_id, number)',
  'create index orders_receiver on orders (receiver_id, number)',
  `create table order_lines (
     id bigint generated always as identity primary key,
     order_id text not null references orders,
     product_id text not null,
     product_version integer not null,
     receiver_id bigint not null references members,
     quantity integer not null check (quantity > 0),
     unit_price bigint not null check (unit_price >= 0),
     created_at timestamptz(3) not null default now(),
     undone_at timestamptz(3),
     restocked_at timestamptz(3),
     foreign key (product_id, product_version) references product_versions
   )`,
  'create index order_lines_order on order_lines (order_id)',
  'create index order_lines_product on order_lines (product_id, order_id)',
  'create index order_lines_limits on order_lines (receiver_id, product_id, created_at) where undone_at is null',
  `create table order_requests (
     caller text not null,
     key text not null,
     body_digest bytea not null,
     order_id text not null references orders deferrable initially deferred,
     created_at timestamptz(3) not null default now(),
     primary key (caller, key)
   )`,
];
