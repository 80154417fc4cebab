import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * An enrolled agent has its own secret in `game_agents`. The code of an enrolment stays sealed until the row is
 * deleted, so that an agent whose response was lost can prove itself again; `request_digest` and `answer` are what it
 * is answered then.
 */
const statements = [
  'alter table game_agents add column secret text',
  `create table agent_enrolments (
     id text primary key,
     server_id text not null references game_servers on delete cascade,
     code text not null,
     created_by text not null,
     created_at timestamptz(3) not null,
     expires_at timestamptz(3) not null,
     is_ended boolean not null default false,
     downloaded_at timestamptz(3),
     used_at timestamptz(3),
     request_digest text,
     answer jsonb,
     check ((used_at is null) = (request_digest is null) and (used_at is null) = (answer is null))
   )`,
  'create unique index agent_enrolments_open on agent_enrolments (server_id) where not is_ended and used_at is null',
  'create index agent_enrolments_server on agent_enrolments (server_id, created_at)',
];

export const agentEnrolment: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
