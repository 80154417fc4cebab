import { expect, test } from 'vitest';
import { allOrNone, extended, type Selection, stillThere, toggled } from './selection.tsx';

const order = ['a', 'b', 'c', 'd', 'e'];
const ids = (selection: Selection) => Object.keys(selection).sort().join('');

// Guarantee: Space selects a row and deselects it again.
test('toggles', () => {
  const one = toggled({}, 'b');
  expect(ids(one)).toBe('b');
  expect(ids(toggled(one, 'b'))).toBe('');
});

// Guarantee: Shift extends a range, shrinks it, and turns it around its anchor, without touching what was selected before.
test('extends', () => {
  const start: Selection = { a: true, c: true };
  const larger = extended(start, order, 'c', 'c', 'e');
  expect(ids(larger)).toBe('acde');
  const smaller = extended(larger, order, 'c', 'e', 'd');
  expect(ids(smaller)).toBe('acd');
  expect(ids(extended(smaller, order, 'c', 'd', 'b'))).toBe('abc');
});

// Guarantee: a range whose anchor is gone from the list selects nothing by mistake.
test('an anchor that is gone', () => {
  expect(ids(extended({ e: true }, order, 'gone', 'gone', 'c'))).toBe('e');
});

// Guarantee: selecting or deselecting all does not affect rows that the search hides.
test('all or none', () => {
  const hidden: Selection = { hidden: true };
  const all = allOrNone(hidden, ['a', 'b']);
  expect(ids(all)).toBe('abhidden');
  expect(ids(allOrNone(all, ['a', 'b']))).toBe('hidden');
});

// Guarantee: rows that are gone are no longer selected; while none is gone nothing changes.
test('drops what is gone', () => {
  const chosen: Selection = { a: true, gone: true };
  expect(ids(stillThere(chosen, new Set(order)))).toBe('a');
  const present: Selection = { a: true };
  expect(stillThere(present, new Set(order))).toBe(present);
});
