import {
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { useFormat } from '../language/use-format.ts';
import type { DataListProps } from './list-props.ts';
import type { ListState } from './list-state.ts';
import { matching, searchTexts } from './matching.ts';
import { type Selection, stillThere } from './selection.ts';
import { inOrder, type SortKey } from './sort-order.ts';

const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  sortedRowModel: createSortedRowModel(),
});

export interface Entry<Row> {
  readonly id: string;
  readonly row: Row;
  /** What it is sorted by at the moment; looked up once, not at each comparison. */
  readonly key: SortKey;
}

export interface Arranged<Row> {
  /** What is shown, in its order. */
  readonly entries: readonly Entry<Row>[];
  /** What is shown is about to be replaced. */
  readonly isStale: boolean;
  /** Also of rows that the search hides. */
  readonly selection: Selection;
  setSelection(change: (selection: Selection) => Selection): void;
}

/** Searched, filtered and sorted; of 100,000 rows that takes a moment, in which the page goes on answering. */
export const useArranged = <Row>(props: DataListProps<Row>, state: ListState): Arranged<Row> => {
  const { rows, rowId, columns, search, filters } = props;
  const { compare } = useFormat();
  const wanted = JSON.stringify(state);
  const settled = useDeferredValue(wanted);
  const { q, sort, filters: chosen } = useMemo((): ListState => JSON.parse(settled), [settled]);

  const texts = useMemo(
    () => (typeof search === 'function' ? searchTexts(rows, search) : null),
    [rows, search],
  );
  const data = useMemo(() => {
    const sortBy = sort && columns.find(({ id }) => id === sort.id)?.sortBy;
    return matching(rows, { texts, filters: filters ?? [] }, { q, filters: chosen }).map(
      (row): Entry<Row> => ({ id: rowId(row), row, key: sortBy ? sortBy(row) : null }),
    );
  }, [rows, rowId, columns, texts, filters, q, sort, chosen]);

  const tableColumns = useMemo(() => {
    const before = inOrder(compare, sort?.isDescending === true);
    return columns.map(({ id }) => ({
      id,
      accessorFn: ({ key }: Entry<Row>) => key,
      sortFn: (a: { readonly original: Entry<Row> }, b: { readonly original: Entry<Row> }) =>
        before(a.original.key, b.original.key),
    }));
  }, [columns, compare, sort]);
  const sorting = useMemo(() => (sort ? [{ id: sort.id, desc: sort.isDescending }] : []), [sort]);
  const table = useTable<typeof features, Entry<Row>>({
    features,
    data,
    columns: tableColumns,
    getRowId: ({ id }) => id,
    state: { sorting },
  });

  useEffect(() => {
    table.setRowSelection((selection) => {
      if (Object.keys(selection).length === 0) return selection;
      return stillThere(selection, new Set(rows.map(rowId)));
    });
  }, [rows, rowId, table.setRowSelection]);

  // As they came, there is no order to find, and the table need not be asked.
  const sorted = sort ? table.getSortedRowModel().rows : null;
  const entries = useMemo(() => sorted?.map(({ original }) => original) ?? data, [sorted, data]);
  return {
    entries,
    isStale: wanted !== settled,
    selection: table.state.rowSelection,
    setSelection: (change) => table.setRowSelection(change),
  };
};
