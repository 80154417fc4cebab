import type { SearchValues } from '../routing/use-search-state.ts';
import type { ListColumn, ListFilter } from './list-props.ts';

export interface ListSort {
  readonly id: string;
  readonly isDescending: boolean;
}

/** The search and filters of a list, and its order. */
export interface ListState {
  readonly q: string;
  readonly sort: ListSort | null;
  /** By the filters' ids; a filter that is not set is absent. */
  readonly filters: Readonly<Record<string, string>>;
}

type Column = Pick<ListColumn<never>, 'id' | 'sortBy'>;
type Filter = Pick<ListFilter<never>, 'id' | 'options'>;

/** More than anyone types. */
export const longestSearch = 200;

const readSort = (text: string | undefined, columns: readonly Column[]): ListSort | null => {
  if (!text) return null;
  const isDescending = text.startsWith('-');
  const id = isDescending ? text.slice(1) : text;
  return columns.some((column) => column.id === id && column.sortBy) ? { id, isDescending } : null;
};

/** From the address; anything that this list does not know is ignored. */
export const readListState = (
  values: SearchValues,
  columns: readonly Column[],
  filters: readonly Filter[],
): ListState => ({
  q: (values.q ?? '').slice(0, longestSearch),
  sort: readSort(values.sort, columns),
  filters: Object.fromEntries(
    filters.flatMap(({ id, options }) => {
      const wanted = values[id];
      return wanted && options.some(({ value }) => value === wanted) ? [[id, wanted]] : [];
    }),
  ),
});

export const writeSort = (sort: ListSort | null): string =>
  sort ? `${sort.isDescending ? '-' : ''}${sort.id}` : '';

/** For the address, with filters that are not set as empty values, so that they are removed from it. */
export const writeListState = (
  { q, sort, filters }: ListState,
  known: readonly Pick<Filter, 'id'>[],
): SearchValues => ({
  q,
  sort: writeSort(sort),
  ...Object.fromEntries(known.map(({ id }) => [id, filters[id] ?? ''])),
});

/** A header's button: ascending, descending, original order. */
export const nextSort = (present: ListSort | null, id: string): ListSort | null => {
  if (present?.id !== id) return { id, isDescending: false };
  return present.isDescending ? null : { id, isDescending: true };
};

export const isNarrowed = ({ q, filters }: ListState): boolean =>
  q.trim() !== '' || Object.keys(filters).length > 0;
