import type { SealedColumn } from '#runtime/sealed/sealed-column.ts';

export interface DescribedColumn extends SealedColumn {
  /** What a row's secret is, for people. */
  readonly describe: (key: readonly string[]) => string;
}

export const sealedColumn = (column: Omit<DescribedColumn, 'placeOf'>): DescribedColumn => ({
  ...column,
  placeOf: (...key) => JSON.stringify([column.table, column.column, ...key]),
});
