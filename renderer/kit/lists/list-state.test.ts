import { expect, test } from 'vitest';
import type { SearchValues } from '../routing/use-search-state.ts';
import { isNarrowed, nextSort, readListState, writeListState } from './list-state.ts';

const columns = [{ id: 'name', sortBy: () => '' }, { id: 'map' }];
const filters = [{ id: 'game', options: [{ value: 'ark', label: 'ARK' }] }];

// Guarantee: a state that is written to the address is read back unchanged.
test('a state survives the address', () => {
  const state = {
    q: 'a&b=ç #1',
    sort: { id: 'name', isDescending: true },
    filters: { game: 'ark' },
  };
  const address = new URLSearchParams(writeListState(state, filters)).toString();
  expect(readListState(Object.fromEntries(new URLSearchParams(address)), columns, filters)).toEqual(state);
});

// Guarantee: a mangled address shows the list as if the unknown parts were not there.
test.each<SearchValues>([
  { sort: 'nothing' },
  { sort: '-' },
  { sort: '--name' },
  { sort: 'map' },
  { sort: '__proto__' },
  { game: 'chess' },
  { constructor: 'x', other: 'y' },
])('ignores %o', (values) => {
  expect(readListState(values, columns, filters)).toEqual({ q: '', sort: null, filters: {} });
});

// Guarantee: an endless search text from a link is truncated, not refused.
test('a search text is cut', () => {
  expect(readListState({ q: 'x'.repeat(5000) }, columns, filters).q).toHaveLength(200);
});

// Guarantee: a header sorts ascending, descending and back to none; a different header starts over.
test('the order of a header', () => {
  const up = nextSort(null, 'name');
  expect(up).toEqual({ id: 'name', isDescending: false });
  const down = nextSort(up, 'name');
  expect(down).toEqual({ id: 'name', isDescending: true });
  expect(nextSort(down, 'name')).toBeNull();
  expect(nextSort(down, 'map')).toEqual({ id: 'map', isDescending: false });
});

// Guarantee: only what hides rows counts as narrowing.
test('narrowed', () => {
  expect(isNarrowed({ q: '  ', sort: { id: 'name', isDescending: false }, filters: {} })).toBe(false);
  expect(isNarrowed({ q: '', sort: null, filters: { game: 'ark' } })).toBe(true);
});
