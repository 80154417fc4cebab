import type { ColumnType, Generated } from 'kysely';

/** One row per section that was ever saved. */
export interface SettingsTable {
  section: string;
  /** Rises with each save; a save based on an older one is refused. */
  version: Generated<number>;
  /** The plain fields that were ever saved; the others have their initial value. Written as JSON text. */
  values: ColumnType<Record<string, unknown>, string | undefined, string>;
}

/** One row per sensitive field that is set. */
export interface SettingsSecretsTable {
  section: string;
  field: string;
  /** Encrypted with the installation's key. */
  sealed: string;
}
