import type { ColumnType } from 'kysely';

/** What is known of a column beyond its schema; the compiler refuses a value that the schema does not have. */
export type Narrowed<Values, Known extends Values | ColumnType<Values, unknown, unknown>> = Known;
