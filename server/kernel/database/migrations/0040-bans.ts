import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Bans, and how far they have reached the servers. */
const statements = [
  `create table bans (
     id bigint generated always as identity primary key,
     player_id bigint references players on delete set null,
     player_name text not null,
     platform_id text,
     game text not null,
     is_everywhere boolean not null,
     reason text not null,
     banned_at timestamptz(3) not null,
     actor text not null,
     actor_name text,
     until timestamptz(3),
     ended_at timestamptz(3),
     ended_how text check (ended_how in ('lifted', 'expired')),
     ended_actor text,
     ended_actor_name text,
     check ((ended_at is null) = (ended_how is null)),
     check (ended_actor is null or ended_at is not null)
   )`,
  'create index bans_player on bans (player_id)',
  'create index bans_active on bans (game) where ended_at is null',
  'create index bans_due on bans (until) where ended_at is null and until is not null',
  // The servers that a ban is meant for; for a ban meant for all, those where it was lifted.
  `create table ban_servers (
     ban_id bigint not null references bans on delete cascade,
     server_id text not null references game_servers,
     lifted_at timestamptz(3),
     primary key (ban_id, server_id)
   )`,
  // For all bans of a player together: one that ends must not lift what another one holds.
  `create table ban_places (
     id uuid primary key default gen_random_uuid(),
     server_id text not null references game_servers,
     player_id bigint not null references players on delete cascade,
     wanted text not null check (wanted in ('banned', 'free')),
     wanted_at timestamptz(3) not null,
     known text not null default 'never' check (known in ('never', 'unsure', 'banned', 'free')),
     certainty text check (certainty in ('proven', 'unconfirmed')),
     known_at timestamptz(3),
     is_refused boolean not null default false,
     tries integer not null default 0,
     next_try_at timestamptz(3) not null,
     is_sent boolean not null default false,
     change text check (change in ('ban', 'unban')),
     command_id text unique,
     way text check (way in ('agent', 'direct')),
     sent_at timestamptz(3),
     command text,
     outcome text,
     reply text,
     detail text,
     listed_as text,
     is_settled boolean not null generated always as (
       case wanted when 'banned' then known = 'banned' else known in ('never', 'free') end) stored,
     unique (player_id, server_id),
     check ((known in ('banned', 'free')) = (certainty is not null)),
     check (not is_sent or command_id is not null and change is not null and way is not null)
   )`,
  'create index ban_places_due on ban_places (server_id, next_try_at) where not is_settled and not is_sent',
  'create index ban_places_sent on ban_places (sent_at) where is_sent',
  // Only ever inserted and deleted, so that no writer waits for another.
  `create table ban_news (
     id bigint generated always as identity primary key,
     player_id bigint not null
   )`,
  'create index ban_news_player on ban_news (player_id)',
  // A ban means all players of its member.
  `create function castellan_follow_ban() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.players as banned join public.players as theirs on theirs.member_id = banned.member_id
        where banned.id in (new.player_id, old.player_id);
     return null;
   end $$`,
  `create trigger castellan_follow_ban after insert or update of player_id, until, ended_at, is_everywhere on bans
     for each row execute function castellan_follow_ban()`,
  `create function castellan_follow_ban_server() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.bans join public.players as banned on banned.id = bans.player_id
         join public.players as theirs on theirs.member_id = banned.member_id
        where bans.id in (new.ban_id, old.ban_id);
     return null;
   end $$`,
  `create trigger castellan_follow_ban_server after insert or update or delete on ban_servers
     for each row execute function castellan_follow_ban_server()`,
  // Merges and undoing them move players between members.
  `create function castellan_follow_banned_player() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     if exists (select from public.bans join public.players as banned on banned.id = bans.player_id
                 where banned.member_id in (old.member_id, new.member_id) and bans.ended_at is null) then
       insert into public.ban_news (player_id)
         select id from public.players where member_id in (old.member_id, new.member_id);
     end if;
     return null;
   end $$`,
  `create trigger castellan_follow_banned_player after update of member_id on players
     for each row when (new.member_id is distinct from old.member_id) execute function castellan_follow_banned_player()`,
  // A banned member's other account that enters the game later.
  `create function castellan_follow_banned_session() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.ban_news (player_id)
       select new.player_id
        where exists (select from public.bans where ended_at is null)
          and exists (
            select from public.players as player join public.players as banned on banned.member_id = player.member_id
              join public.bans on bans.player_id = banned.id and bans.ended_at is null
              join public.game_servers as server on server.id = new.server_id and server.game = bans.game
             where player.id = new.player_id)
          and not exists (
            select from public.ban_places as place
             where place.player_id = new.player_id and place.server_id = new.server_id and place.wanted = 'banned');
     return null;
   end $$`,
  `create trigger castellan_follow_banned_session after insert or update of player_id on player_sessions
     for each row execute function castellan_follow_banned_session()`,
  // A server that is new, or back from the archive, gets the bans of its game.
  `create function castellan_follow_banning_server() returns trigger
     language plpgsql set search_path = pg_catalog, pg_temp as $$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.bans join public.players as banned on banned.id = bans.player_id
         join public.players as theirs on theirs.member_id = banned.member_id
        where bans.game = new.game and bans.ended_at is null;
     return null;
   end $$`,
  `create trigger castellan_follow_new_banning_server after insert on game_servers
     for each row execute function castellan_follow_banning_server()`,
  `create trigger castellan_follow_banning_server after update of archived_at, game on game_servers
     for each row when (
       new.archived_at is null and (old.archived_at is not null or new.game is distinct from old.game))
     execute function castellan_follow_banning_server()`,
];

export const bans: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
