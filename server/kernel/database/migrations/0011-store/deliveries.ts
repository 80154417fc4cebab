/** `job_state` is what the documented view of the queue shows. */
export const deliveries = [
  `create table deliveries (
     id uuid primary key default gen_random_uuid(),
     number bigint generated always as identity unique,
     created_at timestamptz(3) not null default now(),
     order_id text not null references orders,
     order_line_id bigint not null references order_lines,
     member_id bigint not null references members,
     game text not null,
     cluster_ids text[] not null,
     server_ids text[] not null,
     line jsonb not null,
     points bigint not null check (points >= 0),
     state text not null default 'pending'
       check (state in ('pending', 'waiting', 'sending', 'delivered', 'failed', 'unknown', 'cancelled')),
     certainty text check (certainty in ('proven', 'settled', 'unconfirmed', 'decided')),
     waits_for text check (waits_for in ('player', 'server', 'survivor-number', 'retry', 'license')),
     detail text,
     server_id text references game_servers,
     player_id bigint,
     way text check (way in ('agent', 'direct')),
     generation integer not null default 1,
     attempts integer not null default 0,
     epoch integer not null,
     next_try_at timestamptz(3) not null default now(),
     expires_at timestamptz(3),
     started_at timestamptz(3),
     ended_at timestamptz(3),
     refunded_at timestamptz(3),
     may_have_arrived boolean not null default false,
     rolled_back_at timestamptz(3),
     doubled_at timestamptz(3),
     desk_reason text check (desk_reason in ('unknown', 'rolled-back', 'contradiction', 'late-result', 'restored')),
     desk_at timestamptz(3),
     job_state text not null generated always as (
       case state when 'pending' then 'created' when 'waiting' then 'retry' when 'sending' then 'active'
         when 'failed' then 'failed' when 'cancelled' then 'cancelled' else 'completed' end) stored,
     check ((state = 'delivered') = (certainty is not null)),
     check ((state = 'waiting') = (waits_for is not null)),
     check ((desk_reason is null) = (desk_at is null))
   ) with (fillfactor = 70)`,
  `create index deliveries_open on deliveries (member_id, number) where state in ('pending', 'waiting', 'sending')`,
  `create index deliveries_due on deliveries (next_try_at) where state in ('pending', 'waiting')`,
  `create index deliveries_sending on deliveries (id) where state = 'sending'`,
  `create index deliveries_expiry on deliveries (expires_at) where state in ('pending', 'waiting')`,
  'create index deliveries_desk on deliveries (desk_at, number) where desk_reason is not null',
  'create index deliveries_order on deliveries (order_id)',
  'create index deliveries_order_line on deliveries (order_line_id)',
  'create index deliveries_member on deliveries (member_id, number)',
  'create index deliveries_created on deliveries (created_at, number)',
  'create index deliveries_job_state on deliveries (job_state, number)',
  'create index deliveries_ended on deliveries (ended_at) where ended_at is not null',
  `create table delivery_attempts (
     delivery_id uuid not null references deliveries,
     number integer not null,
     command_id text not null unique,
     server_id text not null references game_servers,
     way text not null check (way in ('agent', 'direct')),
     player_id bigint,
     command text not null,
     began_at timestamptz(3) not null default now(),
     ended_at timestamptz(3),
     outcome text,
     reply text,
     verdict text,
     detail text,
     evidence jsonb not null default '{}',
     primary key (delivery_id, number)
   )`,
  // Signed numbers that are summed, so that no two deliveries wait for one row; the sweep folds them.
  'create table delivery_counts (job_state text not null, count bigint not null)',
  `create function castellan_count_deliveries() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if tg_op = 'INSERT' then
       insert into public.delivery_counts select job_state, count(*) from added group by 1;
     else
       insert into public.delivery_counts
         select job_state, sum(change) from (
           select job_state, 1 as change from added union all select job_state, -1 from removed) changed
         group by 1 having sum(change) <> 0;
       insert into public.queue_failures as counted (queue, failures_total)
         select 'delivery', count(*) from added join removed using (id)
         where added.state = 'failed' and removed.state <> 'failed' having count(*) > 0
         on conflict (queue) do update set failures_total = counted.failures_total + excluded.failures_total;
     end if;
     return null;
   end $$`,
  `create trigger castellan_count_inserted after insert on deliveries
     referencing new table as added for each statement execute function castellan_count_deliveries()`,
  `create trigger castellan_count_updated after update on deliveries
     referencing new table as added old table as removed for each statement execute function castellan_count_deliveries()`,
  `create table survivor_numbers (
     player_id bigint not null references players on delete cascade,
     server_id text not null references game_servers,
     number text not null,
     source text not null check (source in ('staff', 'agent')),
     set_at timestamptz(3) not null default now(),
     primary key (player_id, server_id)
   )`,
  `create table desk_rules (
     id bigint generated always as identity primary key,
     server_id text references game_servers,
     product_id text references products,
     decision text not null check (decision in ('delivered', 'send-again', 'refund')),
     created_at timestamptz(3) not null default now(),
     actor text not null,
     actor_name text,
     unique nulls not distinct (server_id, product_id)
   )`,
  `create table store_state (
     id boolean primary key default true check (id),
     epoch integer not null default 1,
     incarnation text,
     unlicensed_since timestamptz(3)
   )`,
  'insert into store_state default values',
  `create table queue_pauses (
     queue text primary key,
     paused_at timestamptz(3) not null default now(),
     actor text not null,
     actor_name text
   )`,
];
