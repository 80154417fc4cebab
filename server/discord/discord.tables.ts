import type { Generated } from 'kysely';

/** A single row, which the migration makes. */
export interface DiscordSettingsTable {
  id: 'discord';
  version: Generated<number>;
  /** Sealed. */
  token: string | null;
  client_id: string | null;
  guild_id: string | null;
}
