import type { Generated } from 'kysely';

/** Servers whose list of mods is shared with their players. */
export interface ModPlayerListsTable {
  server_id: string;
  /** Cannot be guessed, and is made to be passed on: it is kept as it is, for the panel shows it again. */
  token: string;
  shared_at: Generated<Date>;
}
