/** A column whose values are sealed. Each feature declares its own; the composition root lists them all. */
export interface SealedColumn {
  readonly table: string;
  /** The table's primary key: columns of text, which never change. */
  readonly key: readonly string[];
  /** Null in rows without such a secret. */
  readonly column: string;
  /** The associated data that binds a ciphertext to its row, so that it opens only there. */
  readonly placeOf: (...key: readonly string[]) => string;
}
