/** Every player belongs to a member; members that are not merged hold a wallet. */
export const members = [
  `create table members (
     id bigint generated always as identity primary key,
     discord_id text,
     created_at timestamptz(3) not null default now(),
     merged_into bigint references members,
     erased_at timestamptz(3),
     version integer not null default 1,
     check (merged_into is null or discord_id is null)
   )`,
  // Partial, so that changing it is not a key change and waits for no row that refers to the member.
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
  // After the insert: an insert that turns into an update creates no member. Versions before this one insert players, too.
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
  // Members that were merged earlier point at the remaining one, so one step is enough.
  `create function castellan_member_today(id bigint) returns bigint
     language sql stable set search_path = pg_catalog, pg_temp as $$
     select coalesce(merged_into, members.id) from public.members where members.id = $1 $$`,
];
