import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useFormat } from '../language/use-format.ts';
import type { DataListProps, ListFilter } from './list-props.ts';
import type { ListState } from './list-state.ts';
import { isNoneChosen, type Selection, stillThere } from './selection.tsx';
import { inOrder, type SortKey, useSorted } from './use-sorted.ts';

export interface Entry<Row> {
  readonly id: string;
  readonly row: Row;
  /** Its current sort key; looked up once, not at each comparison. */
  readonly key: SortKey;
  /** Its original place; of equal keys, the earlier one comes first. */
  readonly at: number;
}

export interface Arranged<Row> {
  /** The shown rows, in their order. */
  readonly entries: readonly Entry<Row>[];
  /** The shown rows are about to be replaced. */
  readonly isStale: boolean;
  /** Includes rows that the search hides. */
  readonly selection: Selection;
  setSelection(change: (selection: Selection) => Selection): void;
}

/** Searched, filtered and sorted; for 100,000 rows that takes a moment, in which the page stays responsive. */
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
      (row, at): Entry<Row> => ({ id: rowId(row), row, key: sortBy ? sortBy(row) : null, at }),
    );
  }, [rows, rowId, columns, texts, filters, q, sort, chosen]);

  const order = useMemo(() => {
    if (sort === null) return null;
    const before = inOrder(compare, sort.isDescending);
    const turned = sort.isDescending ? -1 : 1;
    return (a: Entry<Row>, b: Entry<Row>) => turned * before(a.key, b.key) || a.at - b.at;
  }, [compare, sort]);
  const { entries, isStale } = useSorted(data, order);
  const [selection, setSelection] = useState<Selection>({});

  useEffect(() => {
    setSelection((chosen) => (isNoneChosen(chosen) ? chosen : stillThere(chosen, new Set(rows.map(rowId)))));
  }, [rows, rowId]);

  return {
    entries,
    isStale: isStale || wanted !== settled,
    selection,
    setSelection,
  };
};

/** Without accents and case, as people search. */
const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Folding changes nothing in it but its case. */
const isPlain = /^[\x20-\x7e]*$/;
const foldedFast = (text: string): string => (isPlain.test(text) ? text.toLowerCase() : folded(text));

/** The searched text of each row; folded when it is first searched, and only once. */
export const searchTexts = <Row>(
  rows: readonly Row[],
  search: (row: Row) => string,
): ((row: Row) => string) => {
  let texts: Map<Row, string> | null = null;
  return (row) => {
    texts ??= new Map(rows.map((each) => [each, foldedFast(search(each))]));
    return texts.get(row) ?? '';
  };
};

/** The rows that contain every word of the search and pass every filter. */
export const matching = <Row>(
  rows: readonly Row[],
  {
    texts,
    filters,
  }: {
    /** For each row; null if the API searches, or there is no search. */
    readonly texts: ((row: Row) => string) | null;
    readonly filters: readonly ListFilter<Row>[];
  },
  { q, filters: chosen }: Pick<ListState, 'q' | 'filters'>,
): readonly Row[] => {
  const words = texts ? foldedFast(q).split(/\s+/).filter(Boolean) : [];
  const tests = filters.flatMap(({ id, matches }) => {
    const value = chosen[id];
    return matches && value !== undefined ? [(row: Row) => matches(row, value)] : [];
  });
  if (texts && words.length > 0) {
    tests.push((row) => {
      const text = texts(row);
      return words.every((word) => text.includes(word));
    });
  }
  return tests.length === 0 ? rows : rows.filter((row) => tests.every((passes) => passes(row)));
};
