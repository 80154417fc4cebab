import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * On which servers players may spend and link by chat. Triggers end it, so that it ends whatever changes the address or the
 * agent, the API of the previous release included.
 */
const statements = [
  `create table chat_trusts (
     server_id text primary key references game_servers on delete cascade,
     is_trusted boolean not null,
     is_unreviewed boolean not null default false,
     ended_by text check (ended_by in ('address', 'agent')),
     origin_since timestamptz(3),
     changed_at timestamptz(3) not null default now(),
     version integer not null default 1
   )`,
  // Servers whose chat shop works today stay trusted until the owner looks at them.
  `insert into chat_trusts (server_id, is_trusted, is_unreviewed)
   select id, true, true from game_servers as server
   where archived_at is null and game <> 'palworld'
     and (host is not null or exists (select from game_agents where server_id = server.id))
     and exists (select from settings where section = 'chat-shop' and values -> 'isOpen' = 'true')`,
  `create table chat_confirmed_players (
     player_id bigint not null references players on delete cascade,
     server_id text not null references game_servers on delete cascade,
     confirmed_at timestamptz(3) not null default now(),
     primary key (player_id, server_id)
   )`,
  // When it was written here; games and agents say themselves when a player joined. Null: before this table.
  'alter table player_sessions add column recorded_at timestamptz(3)',
  'alter table player_sessions alter column recorded_at set default now()',
  `create function castellan_end_chat_trust(server text, why text) returns void language sql as $$
     insert into chat_trusts as known (server_id, is_trusted, origin_since) values (server, false, now())
     on conflict (server_id) do update set
       ended_by = case when known.is_trusted then why else known.ended_by end,
       is_trusted = false, is_unreviewed = false, origin_since = now(), changed_at = now(), version = known.version + 1
   $$`,
  `create function castellan_address_changed() returns trigger language plpgsql as $$
   begin
     perform castellan_end_chat_trust(new.id, 'address');
     return null;
   end $$`,
  `create trigger game_servers_chat_trust after update of host, port on game_servers for each row
     when (old.host is distinct from new.host or old.port is distinct from new.port)
     execute function castellan_address_changed()`,
  `create function castellan_agent_changed() returns trigger language plpgsql as $$
   begin
     perform castellan_end_chat_trust(server.id, 'agent') from game_servers as server
       where server.id = case when tg_op = 'DELETE' then old.server_id else new.server_id end;
     return null;
   end $$`,
  `create trigger game_agents_chat_trust after insert or delete on game_agents for each row
     execute function castellan_agent_changed()`,
  `create trigger game_agents_chat_trust_key after update of agent_key on game_agents for each row
     when (old.agent_key is distinct from new.agent_key) execute function castellan_agent_changed()`,
];

export const chatTrust: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
