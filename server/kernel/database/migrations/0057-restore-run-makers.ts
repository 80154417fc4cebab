import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Whose right a run lives by, whether it stops a game that ran, and whether an event has told that its step waits. Runs of the
 * previous release have no maker: their actor counts.
 */
const statements = [
  'alter table restore_runs add column maker text',
  'alter table restore_runs add column stops boolean',
  'alter table restore_runs add column waits_told boolean not null default false',
];

export const restoreRunMakers: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
