import type { Generated } from 'kysely';

/** Servers whose list of mods is shared with their players. */
export interface ModPlayerListsTable {
  server_id: string;
  /** Unguessable, and meant to be passed on: it is stored in plain text because the panel shows it again. */
  token: string;
  shared_at: Generated<Date>;
}
