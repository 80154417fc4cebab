import { useDebouncedValue } from '@mantine/hooks';
import { type SearchState, type SearchValues, useSearchState } from '../routing/use-search-state.ts';

/** Whoever types is not answered at each letter. */
const settledMs = 300;

export interface RecordFilter<Filter> extends SearchState {
  readonly filter: Filter;
  /** The same filter is the same text. */
  readonly filterKey: string;
  /** How many filters are set. */
  readonly count: number;
  clear(): void;
}

/**
 * What a list of records is filtered by, as the page's address has it.
 * @param names of its values in the address
 * @param isTyped whether some of it is typed: it then holds once nobody has changed it for a moment
 */
export const useRecordFilter = <Filter extends object>(
  filterIn: (values: SearchValues) => Filter,
  names: readonly string[],
  isTyped: boolean,
): RecordFilter<Filter> => {
  const { values, set } = useSearchState();
  const now = JSON.stringify(filterIn(values));
  const [settled] = useDebouncedValue(now, settledMs);
  const filterKey = isTyped ? settled : now;
  const filter: Filter = JSON.parse(filterKey);
  return {
    values,
    set,
    filter,
    filterKey,
    count: Object.keys(filter).length,
    clear: () => set(Object.fromEntries(names.map((name) => [name, '']))),
  };
};
