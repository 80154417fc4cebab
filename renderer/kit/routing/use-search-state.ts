import { parseHash } from './hash-location.ts';
import { goTo, useHashSearch } from './use-hash-location.ts';

export type SearchValues = Readonly<Record<string, string>>;

export interface SearchState {
  readonly values: SearchValues;
  /** Changes some values; an empty one is removed from the address. A change replaces the entry in the browser's history. */
  set(changes: SearchValues): void;
}

const setInAddress = (changes: SearchValues): void => {
  const { path, search } = parseHash(location.hash);
  const parameters = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') parameters.delete(name);
    else parameters.set(name, value);
  }
  const text = parameters.toString();
  goTo(text ? `${path}?${text}` : path, { replace: true });
};

/** The query part of the panel's address: filters, order, the open tab. */
export const useSearchState = (): SearchState => ({
  values: Object.fromEntries(new URLSearchParams(useHashSearch())),
  set: setInAddress,
});
