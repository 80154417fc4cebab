import { expect, test } from 'vitest';
import { destination, positionIn } from './use-roving.ts';

const entries = ['a', 'b', 'c'].map((id) => ({ id }));

// Guarantee: the keyboard stays with its row when rows are added, removed or sorted again, and near it when the row is gone.
test.each([
  [
    { id: 'b', index: 1 },
    { id: 'b', index: 1 },
  ],
  [
    { id: 'c', index: 0 },
    { id: 'c', index: 2 },
  ],
  [
    { id: 'gone', index: 1 },
    { id: 'b', index: 1 },
  ],
  [
    { id: 'gone', index: 9 },
    { id: 'c', index: 2 },
  ],
  [
    { id: '', index: 0 },
    { id: 'a', index: 0 },
  ],
])('%o is now %o', (before, now) => expect(positionIn(entries, before)).toEqual(now));

test('nowhere in an empty list', () => expect(positionIn([], { id: 'a', index: 0 })).toBeNull());

// Guarantee: no key leads out of the list, and keys that do not move are left to others.
test.each([
  ['ArrowUp', 0, 0],
  ['ArrowDown', 99, 99],
  ['PageUp', 3, 0],
  ['PageDown', 95, 99],
  ['PageDown', 20, 30],
  ['Home', 50, 0],
  ['End', 50, 99],
  ['x', 50, null],
  ['Enter', 50, null],
] as const)('%s at %d leads to %s', (key, index, to) => expect(destination(key, index, 100, 10)).toBe(to));
