import type { ColumnType } from 'kysely';

/** A server without a row never had a form. */
export interface ChatFormsTable {
  server_id: string;
  forms: string[];
  version: ColumnType<number, number | undefined, number>;
  changed_at: ColumnType<Date, Date | undefined, Date>;
}
