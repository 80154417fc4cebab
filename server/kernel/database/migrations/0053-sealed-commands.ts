import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Passwords in commands for agents are sealed while they are needed, and those that older releases kept are masked. */
const statements = [
  // With it, `command` is the bare mask: the previous release would send that, and not half of the command.
  'alter table agent_commands add column sealed text',
  'create index agent_commands_sealed on agent_commands (id) where sealed is not null',
  // How far the stored commands of a table are masked by which rules.
  `create table command_masking (
     source text primary key,
     rules integer not null,
     after text,
     is_done boolean not null default false
   )`,
];

export const sealedCommands: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
