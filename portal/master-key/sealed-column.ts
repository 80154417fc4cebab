/** A column whose values are sealed under the master key. Each feature declares its own; `context.ts` lists them all. */
export interface SealedColumn {
  readonly table: string;
  /** The table's primary key: one column, which never changes. */
  readonly key: string;
  readonly keyType: 'text' | 'bigint';
  /** Null where a row has no such secret. */
  readonly column: string;
  /** What is bound to the ciphertext of a row, so that it opens there alone. */
  readonly placeOf: (key: string) => string;
}
