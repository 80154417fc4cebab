import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who gets which role of the Discord server, what a role opens in the games, and roles that are sold. */
const statements = [
  `create table discord_role_rules (
     id text primary key,
     version integer not null default 1,
     is_enabled boolean not null default false,
     kind text not null check (kind in ('linked', 'points', 'hours', 'bought', 'whitelist')),
     role_id text not null,
     role_name text not null,
     amount bigint check (amount > 0),
     server_ids text[] not null default '{}',
     created_at timestamptz(3) not null default now(),
     check ((kind in ('points', 'hours')) = (amount is not null)),
     check ((kind = 'whitelist') = (cardinality(server_ids) > 0))
   )`,
  // A change that Castellan owes the Discord server. The transaction that settles it also audits it.
  `create table discord_role_changes (
     id text primary key,
     discord_id text not null,
     role_id text not null,
     change text not null check (change in ('give', 'take')),
     because text not null,
     tries integer not null default 0,
     obstacle text,
     next_try_at timestamptz(3) not null default now(),
     handed_at timestamptz(3),
     is_with_bot boolean not null default false,
     is_wanted boolean not null default true,
     unique (discord_id, role_id)
   )`,
  'create index discord_role_changes_due on discord_role_changes (next_try_at)',
  // Who may hold a role because it was bought, until it has been taken back.
  `create table discord_bought_roles (
     discord_id text not null,
     role_id text not null,
     primary key (discord_id, role_id)
   )`,
  // An entry on the whitelist of a game server that a rule created, is creating, or removes. Only entries in state 'made' are ever removed.
  `create table discord_whitelist_entries (
     server_id text not null references game_servers,
     player_id bigint not null references players on delete cascade,
     rule_id text not null references discord_role_rules on delete cascade,
     state text not null default 'adding' check (state in ('adding', 'made', 'found', 'removing')),
     tries integer not null default 0,
     detail text,
     is_sent boolean not null default false,
     next_try_at timestamptz(3) not null default now(),
     primary key (server_id, player_id)
   )`,
  `create index deliveries_roles on deliveries (member_id) where line ->> 'kind' = 'role'`,
  `alter table deliveries drop constraint deliveries_waits_for_check,
     add constraint deliveries_waits_for_check
       check (waits_for in ('player', 'server', 'survivor-number', 'retry', 'license', 'discord'))`,
];

export const discordRoles: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
