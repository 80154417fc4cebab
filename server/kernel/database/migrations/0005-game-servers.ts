import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Servers and clusters are archived, never deleted: their history keeps its place. Names are unique among those in use.
 * Times are stored in milliseconds, like JavaScript's, so that a cursor names a row exactly.
 */
const statements = [
  `create table clusters (
     id text primary key,
     name text not null,
     name_key text not null,
     description text not null,
     created_at timestamptz(3) not null default now(),
     archived_at timestamptz(3),
     version integer not null default 1
   )`,
  'create unique index clusters_name on clusters (name_key) where archived_at is null',

  `create table game_servers (
     id text primary key,
     cluster_id text not null references clusters,
     name text not null,
     name_key text not null,
     game text not null,
     host text,
     port integer not null,
     password text,
     created_at timestamptz(3) not null default now(),
     archived_at timestamptz(3),
     version integer not null default 1
   )`,
  'create unique index game_servers_name on game_servers (name_key) where archived_at is null',
  'create index game_servers_cluster on game_servers (cluster_id)',

  `create table console_commands (
     id bigint generated always as identity primary key,
     at timestamptz(3) not null default now(),
     server_id text not null references game_servers,
     run_id text not null,
     actor text not null,
     actor_name text,
     command text not null,
     outcome text,
     reply text,
     truncated boolean not null default false,
     duration_ms integer,
     via text check (via in ('agent', 'direct'))
   )`,
  'create index console_commands_at on console_commands (at, id)',
  'create index console_commands_server on console_commands (server_id, at, id)',
  'create index console_commands_running on console_commands (id) where outcome is null',
  `create table saved_commands (
     id text primary key,
     name text not null,
     name_key text not null unique,
     command text not null,
     game text,
     version integer not null default 1
   )`,

  `create table game_agents (
     server_id text primary key references game_servers,
     agent_key text not null,
     pinned_at timestamptz(3) not null default now(),
     version text not null,
     address text not null,
     mode text not null check (mode in ('websocket', 'polling')),
     last_seen_at timestamptz(3) not null default now(),
     journal text not null,
     last_event bigint not null default 0
   )`,
  `create table agent_commands (
     id text primary key,
     server_id text not null references game_servers,
     command text not null,
     timeout_ms integer not null,
     created_at timestamptz(3) not null default now(),
     expires_at timestamptz(3) not null,
     sent_at timestamptz(3),
     accepted_at timestamptz(3),
     done_at timestamptz(3),
     result jsonb
   )`,
  'create index agent_commands_waiting on agent_commands (server_id, created_at) where done_at is null',
  'create index agent_commands_done on agent_commands (done_at) where done_at is not null',

  `create table players (
     id bigint generated always as identity primary key,
     identity text not null unique,
     platform_id text,
     game text not null,
     name text not null,
     name_key text not null,
     first_seen_at timestamptz(3) not null default now(),
     last_seen_at timestamptz(3) not null default now()
   )`,
  'create index players_seen on players (last_seen_at, id)',
  'create index players_platform_id on players (lower(platform_id))',
  "create index players_id_of_platform on players (lower(split_part(platform_id, ':', 2)))",
  `create table player_names (
     player_id bigint not null references players on delete cascade,
     name text not null,
     name_key text not null,
     first_seen_at timestamptz(3) not null default now(),
     last_seen_at timestamptz(3) not null default now(),
     primary key (player_id, name)
   )`,
  `create table player_sessions (
     id bigint generated always as identity primary key,
     player_id bigint not null references players on delete cascade,
     server_id text not null references game_servers,
     handle text not null,
     joined_at timestamptz(3) not null default now(),
     confirmed_at timestamptz(3) not null default now(),
     left_at timestamptz(3),
     last_seen_at timestamptz(3) not null generated always as (coalesce(left_at, confirmed_at)) stored
   )`,
  'create unique index player_sessions_open on player_sessions (server_id, player_id) where left_at is null',
  'create index player_sessions_player on player_sessions (player_id, joined_at, id)',
  'create index player_sessions_seen on player_sessions (server_id, last_seen_at, player_id)',
  'create index player_sessions_player_seen on player_sessions (player_id, server_id, last_seen_at, id)',
];

export const gameServers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
