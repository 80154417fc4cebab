import type { Generated } from 'kysely';

export interface RolesTable {
  /** Of a built-in role its name in contracts/permissions.ts. */
  id: string;
  name: string;
  name_key: string;
  /** Null for a built-in role. May hold names that this version no longer knows. */
  permissions: string[] | null;
  version: Generated<number>;
}
