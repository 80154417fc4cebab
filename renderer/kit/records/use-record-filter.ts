import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useReducer } from 'react';
import { type SearchState, type SearchValues, useSearchState } from '../routing/use-search-state.ts';
import { dayStart } from './range.ts';

/** Timers last no more than 24 days, and are late after the machine slept: checks at least once an hour. */
const longestTimerMs = 3_600_000;

/** Renders again when another day begins, so that "today" is today. */
const useToday = (): void => {
  const [count, again] = useReducer((now: number) => now + 1, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a timer for each day
  useEffect(() => {
    const now = new Date();
    const timer = setTimeout(again, Math.min(longestTimerMs, dayStart(now, 1).getTime() - now.getTime() + 1));
    return () => clearTimeout(timer);
  }, [count]);
};

/** Not every typed letter starts a request. */
const settledMs = 300;

interface RecordFilter<Filter> extends SearchState {
  readonly filter: Filter;
  /** The same text for the same filter. */
  readonly filterKey: string;
  /** How many filters are set. */
  readonly count: number;
  clear(): void;
}

/**
 * The filter of a list of records, from the page's address.
 * @param names of its values in the address
 * @param isTyped whether some of it is typed: it then applies after a short pause in typing
 */
export const useRecordFilter = <Filter extends object>(
  filterIn: (values: SearchValues) => Filter,
  names: readonly string[],
  isTyped: boolean,
): RecordFilter<Filter> => {
  const { values, set } = useSearchState();
  useToday();
  const now = JSON.stringify(filterIn(values));
  const [settled] = useDebouncedValue(now, settledMs);
  const filterKey = isTyped ? settled : now;
  const filter: Filter = JSON.parse(filterKey);
  return {
    values,
    set,
    filter,
    filterKey,
    // A time span counts as one filter.
    count: new Set(Object.keys(filter).map((name) => (name === 'to' ? 'from' : name))).size,
    clear: () => set(Object.fromEntries(names.map((name) => [name, '']))),
  };
};
