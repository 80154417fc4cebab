/**
 * What ends a delivery, for the API and for operators alike. The caller has begun the transaction; the lock order is
 * order, delivery, product, wallet.
 */
export const endings = [
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
  // Undone: it no longer counts against any limit. Restocked: nothing of it has arrived, nor may have; pieces that were
  // in no stock when they came back are marked as sold from none.
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
  // Something of it has arrived after all. What was sold again in between cannot be taken out of the stock once more.
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
  // A person has decided that it did not arrive. Withdrawn: the game said so, too; otherwise it may be in the game.
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
  // It was refunded, but has arrived anyway.
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
