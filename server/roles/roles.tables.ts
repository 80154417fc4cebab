import type { Generated } from 'kysely';

export interface RolesTable {
  /** For a built-in role, its name in contracts/permissions.ts. */
  id: string;
  name: string;
  name_key: string;
  /** Null for a built-in role. May contain names that this version no longer knows. */
  permissions: string[] | null;
  version: Generated<number>;
}
