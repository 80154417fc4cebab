import { expect, test } from 'vitest';
import { matching, searchTexts } from './use-arranged.ts';

interface Server {
  readonly name: string;
  readonly game: string;
}
const rows: readonly Server[] = [
  { name: 'São Paulo Noite', game: 'ark' },
  { name: 'Fjordland', game: 'ark' },
  { name: 'The Quarry', game: 'minecraft' },
  { name: 'İstanbul', game: 'minecraft' },
];
const sieve = {
  texts: searchTexts(rows, ({ name }) => name),
  filters: [
    {
      id: 'game',
      label: 'Game',
      options: [],
      matches: ({ game }: Server, value: string) => game === value,
    },
  ],
};
const found = (q: string, filters: Record<string, string> = {}) =>
  matching(rows, sieve, { q, filters }).map(({ name }) => name);

// Guarantee: case, accents, spaces and word order do not hide a row.
test.each([
  ['sao paulo', ['São Paulo Noite']],
  ['  noite   SÃO ', ['São Paulo Noite']],
  ['istanbul', ['İstanbul']],
  ['quarry paulo', []],
])('searches %s', (q, names) => expect(found(q)).toEqual(names));

// Guarantee: filters and search narrow the list together, and a filter that the API applies narrows nothing here.
test('filters', () => {
  expect(found('o', { game: 'ark' })).toEqual(['São Paulo Noite', 'Fjordland']);
  expect(found('', { game: 'minecraft' })).toEqual(['The Quarry', 'İstanbul']);
  const ofApi = { ...sieve, filters: [{ id: 'game', label: 'Game', options: [] }] };
  expect(matching(rows, ofApi, { q: '', filters: { game: 'ark' } })).toBe(rows);
});

// Guarantee: where the API searches, its rows are not searched again.
test('leaves the search to the API', () => {
  expect(matching(rows, { ...sieve, texts: null }, { q: 'nothing', filters: {} })).toBe(rows);
});
