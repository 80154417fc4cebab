import type { Generated } from 'kysely';

/** A single row, which the migration creates. */
export interface DiscordSettingsTable {
  id: 'discord';
  version: Generated<number>;
  /** Sealed. */
  token: string | null;
  client_id: string | null;
  guild_id: string | null;
}
