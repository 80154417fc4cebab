/** A row moves points from one account to another, so every entry balances. Erasing a member removes the notes. */
export const ledger = [
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
