import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What Game Agents are asked for besides console commands, and what they last reported about their machines. */
const statements = [
  `create table agent_tasks (
     id text primary key,
     number bigint generated always as identity,
     server_id text not null references game_servers,
     kind text not null,
     request jsonb not null,
     state text not null default 'waiting' check (state in ('waiting', 'sent', 'accepted', 'running', 'done')),
     progress jsonb,
     result jsonb,
     created_by text not null,
     created_by_name text not null,
     created_at timestamptz(3) not null default now(),
     expires_at timestamptz(3) not null,
     sent_at timestamptz(3),
     cancel_at timestamptz(3),
     done_at timestamptz(3),
     constraint agent_tasks_done check ((state = 'done') = (done_at is not null) and (state = 'done') = (result is not null))
   )`,
  'create index agent_tasks_open on agent_tasks (server_id, number) where done_at is null',
  'create index agent_tasks_of_server on agent_tasks (server_id, number)',
  'create index agent_tasks_ended on agent_tasks (done_at) where done_at is not null',
  `create table agent_reports (
     server_id text primary key references game_servers,
     journal text not null,
     task_journal text not null,
     machine jsonb not null,
     machine_at timestamptz(3) not null,
     process jsonb,
     process_at timestamptz(3)
   )`,
];

export const agentTasks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
