import type { Generated } from 'kysely';

/** The Discord account of an admin. */
export interface DiscordAdminsTable {
  admin_id: string;
  discord_id: string;
  /** The name when it was linked. */
  discord_name: string;
  linked_at: Generated<Date>;
}

/** A code that links the Discord account by which it is typed. Each admin has one at a time. */
export interface DiscordAdminCodesTable {
  admin_id: string;
  digest: Buffer;
  expires_at: Date;
}

export interface DiscordRoleRightsTable {
  discord_role_id: string;
  name: string;
  permissions: string[];
}
