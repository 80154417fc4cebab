import type { ColumnType, Generated } from 'kysely';

/** One row per section that was ever saved. */
export interface SettingsTable {
  section: string;
  version: Generated<number>;
  /** The plain fields that were ever saved; the others have their initial value. Written as JSON text. */
  values: ColumnType<Record<string, unknown>, string | undefined, string>;
}

/** One row per sensitive field that is set. */
export interface SettingsSecretsTable {
  section: string;
  field: string;
  sealed: string;
}
