import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every player belongs to a member; members that are not merged hold a wallet. */
const members = [
  `create table members (
     id bigint generated always as identity primary key,
     discord_id text,
     created_at timestamptz(3) not null default now(),
     merged_into bigint references members,
     erased_at timestamptz(3),
     version integer not null default 1,
     check (merged_into is null or discord_id is null)
   )`,
  // Partial, so that a change of it is no change of a key and waits for no row that refers to the member.
  'create unique index members_discord on members (discord_id) where discord_id is not null',
  'create index members_merged on members (merged_into) where merged_into is not null',
  `create table wallets (
     member_id bigint primary key references members,
     balance bigint not null default 0,
     constraint wallets_balance check (balance >= 0)
   )`,
  `create function castellan_open_wallet() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.wallets (member_id) values (new.id);
     return null;
   end $$`,
  'create trigger castellan_open_wallet after insert on members for each row execute function castellan_open_wallet()',

  'alter table players add column member_id bigint references members',
  'alter table members add column first_player bigint',
  'insert into members (first_player, created_at) select id, first_seen_at from players order by id',
  'update players set member_id = members.id from members where members.first_player = players.id',
  'alter table members drop column first_player',
  'create index players_member on players (member_id)',
  // After the insert: one that turns into an update makes no member. Versions before this one insert players, too.
  `create function castellan_member_of_player() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     made bigint;
   begin
     insert into public.members (created_at) values (new.first_seen_at) returning id into made;
     update public.players set member_id = made where id = new.id;
     return null;
   end $$`,
  `create trigger castellan_member_of_player after insert on players
     for each row when (new.member_id is null) execute function castellan_member_of_player()`,

  `create table member_link_codes (
     digest bytea primary key,
     member_id bigint not null unique references members,
     expires_at timestamptz(3) not null
   )`,
  `create table member_merges (
     id bigint generated always as identity primary key,
     at timestamptz(3) not null default now(),
     kept_id bigint not null references members,
     merged_id bigint not null references members,
     player_ids bigint[] not null,
     member_ids bigint[] not null,
     discord_id text,
     points bigint not null,
     entries_before bigint not null,
     points_returned bigint,
     actor text not null,
     actor_name text,
     undone_at timestamptz(3)
   )`,
  'create index member_merges_kept on member_merges (kept_id, id)',
  // Members that were merged before point at the one that is left, so one step is enough.
  `create function castellan_member_today(id bigint) returns bigint
     language sql stable set search_path = pg_catalog, pg_temp as $$
     select coalesce(merged_into, members.id) from public.members where members.id = $1 $$`,
];

const catalogue = [
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

const orders = [
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

/** `job_state` is what the documented view of the queue shows. */
const deliveries = [
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
  // Signed numbers that are added up, so that no two deliveries wait for one row; the sweep folds them.
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

/** A row moves points from one account to another, so every entry balances. Erasing a member removes the notes. */
const ledger = [
  `create table ledger (
     id bigint generated always as identity primary key,
     at timestamptz(3) not null default now(),
     kind text not null check (kind in ('grant', 'purchase', 'refund', 'charge', 'correction', 'transfer', 'merge')),
     from_account text not null check (from_account in ('wallet', 'issued', 'sales')),
     from_member bigint references members,
     to_account text not null check (to_account in ('wallet', 'issued', 'sales')),
     to_member bigint references members,
     amount bigint not null check (amount > 0),
     order_id text references orders,
     delivery_id uuid references deliveries,
     actor text not null,
     actor_name text,
     check ((from_account = 'wallet') = (from_member is not null)),
     check ((to_account = 'wallet') = (to_member is not null)),
     check (from_account <> to_account or from_member <> to_member)
   )`,
  'create index ledger_from on ledger (from_member, id) where from_member is not null',
  'create index ledger_to on ledger (to_member, id) where to_member is not null',
  'create index ledger_order on ledger (order_id) where order_id is not null',
  'create table ledger_notes (entry_id bigint primary key references ledger, note text not null)',
  `create function castellan_move_points() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     perform from public.wallets
       where member_id in (select from_member from added union select to_member from added)
       order by member_id for update;
     -- A merge holds both wallets: one that began before this statement was not seen when the wallet was chosen.
     if exists (select from added join public.members on members.id = added.to_member
                where members.merged_into is not null) then
       raise exception 'the member was merged into another one meanwhile'
         using errcode = 'serialization_failure', hint = 'nothing was changed; try again';
     end if;
     update public.wallets set balance = balance + moved.change
       from (select member_id, sum(change) as change from (
               select from_member as member_id, -amount as change from added where from_member is not null
               union all select to_member, amount from added where to_member is not null) each_side
             group by member_id) moved
       where wallets.member_id = moved.member_id and moved.change <> 0;
     return null;
   end $$`,
  `create trigger castellan_move_points after insert on ledger
     referencing new table as added for each statement execute function castellan_move_points()`,
  `create function castellan_refuse_change() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     raise exception 'the ledger is only ever added to' using errcode = 'feature_not_supported';
   end $$`,
  `create trigger castellan_append_only before update or delete or truncate on ledger
     for each statement execute function castellan_refuse_change()`,
];

/**
 * What ends a delivery, for the API and for operators alike. The caller has begun the transaction; locks are taken in the
 * order order, delivery, product, wallet.
 */
const endings = [
  `create function castellan_lock_delivery(delivery uuid) returns deliveries
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     locked public.deliveries;
   begin
     perform from public.orders
       where id = (select order_id from public.deliveries where deliveries.id = delivery) for update;
     select * into locked from public.deliveries where id = delivery for update;
     return locked;
   end $$`,
  // Undone: it counts against no limit any more. Restocked: nothing of it has arrived, nor may have; what was in no stock
  // when it came back is marked as what was sold from none.
  `create function castellan_settle_order_line(settled_line bigint) returns void
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
       update public.products set stock = stock + returned.quantity
         where id = returned.product_id and stock is not null;
       update public.order_lines set restocked_at = case when found then now() else created_at end
         where id = settled_line;
     end if;
   end $$`,
  // Something of it has arrived after all. What was sold again meanwhile cannot be taken out of the stock once more.
  `create function castellan_reopen_order_line(reopened_line bigint) returns void
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     reopened public.order_lines;
   begin
     update public.order_lines set undone_at = null where id = reopened_line and undone_at <> created_at;
     update public.order_lines set restocked_at = null where id = reopened_line and restocked_at <> created_at
       returning * into reopened;
     if found then
       update public.products set stock = greatest(0, stock - reopened.quantity)
         where id = reopened.product_id and stock is not null;
     end if;
   end $$`,
  `create function castellan_refund_delivery(delivery uuid, by_actor text, by_name text) returns bigint
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     refunded public.deliveries;
   begin
     update public.deliveries set refunded_at = now() where id = delivery and refunded_at is null
       returning * into refunded;
     if not found then
       return 0;
     end if;
     perform public.castellan_settle_order_line(refunded.order_line_id);
     if refunded.points > 0 then
       insert into public.ledger (kind, from_account, to_account, to_member, amount, order_id, delivery_id, actor, actor_name)
         select 'refund', 'sales', 'wallet', public.castellan_member_today(orders.member_id), refunded.points,
                orders.id, refunded.id, by_actor, by_name
         from public.orders where id = refunded.order_id;
     end if;
     return refunded.points;
   end $$`,
  // A person has decided that it did not arrive. Withdrawn: the game said so, too; else it may be in the game.
  `create function castellan_refund_undelivered(delivery uuid, is_withdrawn boolean, why text, by_actor text, by_name text)
     returns bigint
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     update public.deliveries
        set state = 'cancelled', certainty = null, waits_for = null, detail = why, ended_at = now(),
            may_have_arrived = not is_withdrawn, desk_reason = null, desk_at = null
      where id = delivery;
     update public.delivery_attempts set ended_at = now() where delivery_id = delivery and ended_at is null;
     return public.castellan_refund_delivery(delivery, by_actor, by_name);
   end $$`,
  // It was refunded, and has arrived all the same.
  `create function castellan_charge_again(delivery uuid, by_actor text, by_name text) returns void
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     charged public.deliveries;
   begin
     update public.deliveries
        set state = 'delivered', certainty = 'proven', waits_for = null, ended_at = now(), refunded_at = null,
            may_have_arrived = false, desk_reason = null, desk_at = null
      where id = delivery returning * into charged;
     perform public.castellan_reopen_order_line(charged.order_line_id);
     if charged.points > 0 then
       insert into public.ledger (kind, from_account, from_member, to_account, amount, order_id, delivery_id, actor, actor_name)
         select 'charge', 'wallet', public.castellan_member_today(orders.member_id), 'sales', charged.points,
                orders.id, charged.id, by_actor, by_name
         from public.orders where id = charged.order_id;
     end if;
   end $$`,
  `create function castellan_cancel_delivery(delivery uuid, why text, by_actor text, by_name text) returns timestamptz
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     found_delivery public.deliveries := public.castellan_lock_delivery(delivery);
   begin
     if found_delivery.state is null or found_delivery.state not in ('pending', 'waiting', 'failed') then
       raise exception 'delivery % is %: only what waits or has failed can be cancelled',
         delivery, coalesce(found_delivery.state, 'gone')
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; what may have been sent is decided in the panel';
     end if;
     if found_delivery.state <> 'failed' and found_delivery.epoch < (select epoch from public.store_state) then
       raise exception 'delivery % is of a database that was restored: it may have been sent since that backup', delivery
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; cancel it in the panel, which asks the game first';
     end if;
     if exists (select from public.delivery_attempts where delivery_id = delivery and ended_at is null) then
       raise exception 'delivery % has an attempt that is not settled', delivery
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; wait for its result, or decide it in the panel';
     end if;
     update public.deliveries
        set state = 'cancelled', waits_for = null, detail = why, ended_at = now(), desk_reason = null, desk_at = null
      where id = delivery;
     perform public.castellan_settle_order_line(found_delivery.order_line_id);
     perform public.castellan_refund_delivery(delivery, by_actor, by_name);
     return (select ended_at from public.deliveries where id = delivery);
   end $$`,
  'revoke all on function castellan_lock_delivery(uuid) from public',
  'revoke all on function castellan_settle_order_line(bigint) from public',
  'revoke all on function castellan_reopen_order_line(bigint) from public',
  'revoke all on function castellan_refund_delivery(uuid, text, text) from public',
  'revoke all on function castellan_refund_undelivered(uuid, boolean, text, text, text) from public',
  'revoke all on function castellan_charge_again(uuid, text, text) from public',
  'revoke all on function castellan_cancel_delivery(uuid, text, text, text) from public',
];

export const store: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [...members, ...catalogue, ...orders, ...deliveries, ...ledger, ...endings])
      await sql.raw(statement).execute(db);
  },
};
