import { expect, test } from 'vitest';
import { movedRow, placeAt, placeByArrow } from './moved-row.ts';

// Guarantee: a moved row is where it was dropped, and all others keep their order.
test('a row is moved', () => {
  const rows = ['a', 'b', 'c', 'd'];
  expect(movedRow(rows, 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(movedRow(rows, 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(movedRow(rows, 1, 1)).toBe(rows);
  expect(movedRow(rows, 7, 1)).toBe(rows);
});

// Guarantee: a dragged row takes the place of the rows above its centre, wherever it came from.
test('where a row is dropped', () => {
  const centres = [10, 30, 50, 70];
  expect(placeAt(centres, -5, 2)).toBe(0);
  expect(placeAt(centres, 12, 2)).toBe(1);
  expect(placeAt(centres, 50, 2)).toBe(2);
  expect(placeAt(centres, 75, 2)).toBe(3);
  expect(placeAt(centres, 35, 0)).toBe(1);
});

// Guarantee: keys never move a row out of the list.
test('places by keys', () => {
  expect(placeByArrow('ArrowUp', 0, 3)).toBe(0);
  expect(placeByArrow('ArrowDown', 2, 3)).toBe(2);
  expect(placeByArrow('ArrowDown', 0, 3)).toBe(1);
  expect(placeByArrow('End', 0, 3)).toBe(2);
  expect(placeByArrow('Tab', 0, 3)).toBeNull();
});
