import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Timed purchases: how long they last, where they were given, and how they are taken back. */
const statements = [
  // One for each member, game and key. `ends_at` and `ended_at` follow from the grants.
  `create table entitlements (
     id bigint generated always as identity primary key,
     member_id bigint not null references members,
     game text not null,
     key text not null,
     created_at timestamptz(3) not null default now(),
     ends_at timestamptz(3),
     ended_at timestamptz(3),
     unique (member_id, game, key)
   )`,
  'create index entitlements_due on entitlements (ends_at) where ended_at is null',
  // One for each delivery that arrived. Its time counts unless it was revoked; one that was part of an end is over permanently.
  `create table entitlement_grants (
     delivery_id uuid primary key references deliveries,
     entitlement_id bigint not null references entitlements,
     order_line_id bigint not null,
     position integer not null,
     is_daily boolean not null,
     given_at timestamptz(3) not null,
     seconds bigint not null check (seconds > 0),
     extends boolean not null,
     is_placed boolean not null default false,
     revoked_at timestamptz(3),
     ended_at timestamptz(3)
   )`,
  'create index entitlement_grants_entitlement on entitlement_grants (entitlement_id, given_at)',
  // A kit of several deliveries is one grant, and what is given on later days is none.
  'create unique index entitlement_grants_daily on entitlement_grants (order_line_id, position) where is_daily',
  `create index entitlement_grants_kits on entitlement_grants (entitlement_id)
     where is_daily and revoked_at is null and ended_at is null`,
  // Grants that changed and have not been added up since. Only ever inserted and deleted, so that no writer waits for another.
  `create table entitlement_news (
     id bigint generated always as identity primary key,
     entitlement_id bigint not null
   )`,
  'create index entitlement_news_entitlement on entitlement_news (entitlement_id)',
  // A server and a player that a lasting command was given to.
  `create table entitlement_places (
     id uuid primary key default gen_random_uuid(),
     entitlement_id bigint not null references entitlements,
     server_id text not null references game_servers,
     player_id bigint,
     delivery_id uuid not null references deliveries,
     state text not null check (state in ('held', 'taking', 'giving', 'unknown', 'taken', 'given-up')),
     changed_at timestamptz(3) not null,
     tries integer not null default 0,
     next_try_at timestamptz(3) not null,
     sends integer not null default 0,
     is_sent boolean not null default false,
     command_id text unique,
     way text check (way in ('agent', 'direct')),
     sent_at timestamptz(3),
     command text,
     outcome text,
     reply text,
     certainty text check (certainty in ('proven', 'unconfirmed', 'decided')),
     detail text,
     unique nulls not distinct (entitlement_id, server_id, player_id),
     check (not is_sent or state in ('taking', 'giving')),
     check (not is_sent or command_id is not null)
   )`,
  `create index entitlement_places_due on entitlement_places (next_try_at)
     where state in ('taking', 'giving') and not is_sent`,
  'create index entitlement_places_sent on entitlement_places (id) where is_sent',
  `create index entitlement_places_unknown on entitlement_places (changed_at, id) where state = 'unknown'`,
  'create index entitlement_places_player on entitlement_places (player_id)',
  // A day of the community's time zone that has its kit: these deliveries, or without any the one that was bought or still waits.
  `create table entitlement_days (
     entitlement_id bigint not null references entitlements,
     day date not null,
     delivery_ids uuid[] not null,
     primary key (entitlement_id, day)
   )`,
  // Since when the database counts as restored; what was given earlier on that day is not known here.
  'alter table store_state add column epoch_since timestamptz(3)',
  `create function castellan_follow_lasting_delivery() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   declare
     lasts jsonb := new.line -> 'lasts';
     is_item boolean := new.line ->> 'kind' = 'item';
     followed bigint;
     is_known boolean;
   begin
     if new.state = 'delivered' and new.refunded_at is null then
       insert into public.entitlements (member_id, game, key)
         values (new.member_id, new.game, lasts ->> 'key') on conflict (member_id, game, key) do nothing;
       select id into followed from public.entitlements
         where member_id = new.member_id and game = new.game and key = lasts ->> 'key';
       insert into public.entitlement_grants
           (delivery_id, entitlement_id, order_line_id, position, is_daily, given_at, seconds, extends)
         values (new.id, followed, new.order_line_id, (new.line ->> 'position')::integer, is_item,
                 coalesce(new.ended_at, now()),
                 (lasts ->> 'seconds')::bigint * case when is_item then 1 else (new.line ->> 'quantity')::bigint end,
                 (lasts ->> 'extends')::boolean)
         on conflict do nothing;
       if not found and old.state = 'delivered' then
         -- Its refund was undone. What was part of an end stays over.
         update public.entitlement_grants set revoked_at = null, is_placed = false
           where delivery_id = new.id and revoked_at is not null;
       elsif not found then
         update public.entitlement_grants
           set revoked_at = null, ended_at = null, is_placed = false, given_at = coalesce(new.ended_at, now())
           where delivery_id = new.id and (revoked_at is not null or not is_item);
       end if;
     -- It is to be sent again, too. One gift of a kit is not what its days hang on.
     elsif new.refunded_at is not null or new.state in ('failed', 'cancelled') or old.state = 'delivered' and not is_item then
       update public.entitlement_grants set revoked_at = now()
         where delivery_id = new.id and revoked_at is null;
       is_known := found or exists (select from public.entitlement_grants where delivery_id = new.id);
       -- The game may have it all the same: a grant that never counted has its place taken back.
       if not is_known and new.may_have_arrived and new.line ->> 'kind' = 'command' then
         insert into public.entitlements (member_id, game, key)
           values (new.member_id, new.game, lasts ->> 'key') on conflict (member_id, game, key) do nothing;
         insert into public.entitlement_grants
             (delivery_id, entitlement_id, order_line_id, position, is_daily, given_at, seconds, extends, revoked_at)
           select new.id, id, new.order_line_id, (new.line ->> 'position')::integer, false, now(),
                  (lasts ->> 'seconds')::bigint * (new.line ->> 'quantity')::bigint, (lasts ->> 'extends')::boolean, now()
             from public.entitlements
            where member_id = new.member_id and game = new.game and key = lasts ->> 'key';
       end if;
     end if;
     if found then
       insert into public.entitlement_news (entitlement_id)
         select entitlement_id from public.entitlement_grants where delivery_id = new.id;
     end if;
     return null;
   end $$`,
  `create trigger castellan_follow_lasting after insert or update of state, refunded_at on deliveries
     for each row when (new.line ? 'lasts') execute function castellan_follow_lasting_delivery()`,
  // A merge, and undoing it, change whose grants are added up together.
  `create function castellan_follow_merged_lasting() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.entitlement_news (entitlement_id)
       select id from public.entitlements where member_id in (new.id, old.merged_into, new.merged_into);
     return null;
   end $$`,
  `create trigger castellan_follow_merged_lasting after update of merged_into on members
     for each row when (new.merged_into is distinct from old.merged_into)
     execute function castellan_follow_merged_lasting()`,
];

export const entitlements: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
