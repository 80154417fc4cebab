import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Each server's figures over time, in steps of three lengths, and the lines that its console pushed to the API itself.
 * A step has sums and counts, so that it grows with each sample; unknown values count for nothing.
 */
const statements = [
  `create table server_figures (
     server_id text not null references game_servers,
     step_seconds integer not null,
     at timestamptz(3) not null,
     players_sum double precision not null default 0,
     players_count integer not null default 0,
     answer_ms_sum double precision not null default 0,
     answer_ms_count integer not null default 0,
     primary key (server_id, step_seconds, at)
   )`,
  'create index server_figures_at on server_figures (step_seconds, at)',
  `create table console_lines (
     id bigint generated always as identity primary key,
     server_id text not null references game_servers,
     at timestamptz(3) not null,
     text text not null
   )`,
  'create index console_lines_server on console_lines (server_id, id)',
];

export const serverFigures: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
