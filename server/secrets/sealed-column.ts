/** A column whose values are sealed. Each feature declares its own; the composition root lists them all. */
export interface SealedColumn {
  readonly table: string;
  /** The table's primary key: columns of text, which never change. */
  readonly key: readonly string[];
  readonly column: string;
  /** What the secret of a row is, for people. */
  readonly describe: (key: readonly string[]) => string;
}

/** What is bound to a ciphertext, so that it opens in its own row and column alone. */
export const placeOf = ({ table, column }: SealedColumn, key: readonly string[]): string =>
  JSON.stringify([table, column, ...key]);
