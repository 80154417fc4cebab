import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Agents name their memory of commands; a late result replaces the outcome in the history, and says so. Commands
 * written within one millisecond keep their order by their number.
 */
const statements = [
  'alter table agent_commands add column number bigint generated always as identity',
  'alter table game_agents add column command_journal text',
  'alter table game_agents add column commands_doubted boolean not null default false',
  'alter table console_commands add column revised_from text',
  'alter table console_commands add column revised_at timestamptz(3)',
];

export const lateResults: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
