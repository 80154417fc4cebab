import { expect, test } from 'vitest';
import { formatIn } from '#contracts/kernel/format.ts';
import { inOrder, type SortKey } from './use-sorted.ts';

const { compare } = formatIn('pt-BR');
const sorted = (keys: readonly SortKey[]) => keys.toSorted(inOrder(compare, false));
const sortedDown = (keys: readonly SortKey[]) => {
  const order = inOrder(compare, true);
  return keys.toSorted((a, b) => -order(a, b));
};

// Guarantee: names are in the order that people expect, with numbers by value, and accents next to their letters.
test('texts', () => {
  expect(sorted(['Mapa 10', 'zebra', 'mapa 9', 'Água', 'arca'])).toEqual([
    'Água',
    'arca',
    'mapa 9',
    'Mapa 10',
    'zebra',
  ]);
});

// Guarantee: unknown values come last, ascending and descending.
test('null', () => {
  expect(sorted([3, null, 1, null, 2])).toEqual([1, 2, 3, null, null]);
  expect(sortedDown([3, null, 1, null, 2])).toEqual([3, 2, 1, null, null]);
});
