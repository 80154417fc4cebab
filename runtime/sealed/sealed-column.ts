/** A column whose values are sealed. Each feature declares its own; the composition root lists them all. */
export interface SealedColumn {
  readonly table: string;
  /** The table's primary key: columns of text, which never change. */
  readonly key: readonly string[];
  /** Null where a row has no such secret. */
  readonly column: string;
  /** What is bound to the ciphertext of a row, so that it opens there alone. */
  readonly placeOf: (...key: readonly string[]) => string;
}
