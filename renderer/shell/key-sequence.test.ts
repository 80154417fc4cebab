import { describe, expect, test } from 'vitest';
import { matchKeys, nameOfKey } from './key-sequence.ts';

const known = ['g s', 'g o', '?', 'mod+k', 'o'];

// Guarantee: two keys one after the other trigger their action, and a mistyped key costs nothing but itself.
describe('sequences', () => {
  test.each([
    ['', '?', { outcome: 'found', keys: '?' }],
    ['', 'g', { outcome: 'begun', typed: 'g' }],
    ['g', 's', { outcome: 'found', keys: 'g s' }],
    ['g', 'o', { outcome: 'found', keys: 'g o' }],
    ['g', 'g', { outcome: 'begun', typed: 'g' }],
    ['g', '?', { outcome: 'found', keys: '?' }],
    ['g', 'x', { outcome: 'none' }],
    ['', 's', { outcome: 'none' }],
  ])('after "%s", "%s"', (typed, key, match) => {
    expect(matchKeys(typed, key, known)).toEqual(match);
  });
});

// Guarantee: key presses with Alt, or with Ctrl and Shift, are left to the system and the browser.
test('names of keys', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(nameOfKey({ ...plain, key: 'G' })).toBe('g');
  expect(nameOfKey({ ...plain, key: '?' })).toBe('?');
  expect(nameOfKey({ ...plain, key: 'k', ctrlKey: true })).toBe('mod+k');
  expect(nameOfKey({ ...plain, key: 'K', metaKey: true })).toBe('mod+k');
  expect(nameOfKey({ ...plain, key: '?', shiftKey: true })).toBe('?');
  expect(nameOfKey({ ...plain, key: 'o', altKey: true })).toBeNull();
  expect(nameOfKey({ ...plain, key: 'K', ctrlKey: true, shiftKey: true })).toBeNull();
});
