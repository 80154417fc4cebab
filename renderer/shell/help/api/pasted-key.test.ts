import { afterEach, expect, test } from 'vitest';
import { forgetPasted, keyIn, pastedText, setPasted } from './pasted-key.ts';

const key = 'ck_0123456789abcdefghij-_';
afterEach(forgetPasted);

// Guarantee: a pasted key is never shown to, nor copied by, the person who signs in next.
test('a key belongs to the person who pasted it', () => {
  setPasted('1', key);
  expect(pastedText('1')).toBe(key);
  expect(pastedText('2')).toBe('');
});

// Guarantee: a key that was cleared or left behind is gone from memory.
test('a key is forgotten', () => {
  setPasted('1', key);
  forgetPasted();
  expect(pastedText('1')).toBe('');
});

test('only what can be a key goes into a command', () => {
  expect(keyIn(` ${key}\n`)).toBe(key);
  expect(keyIn('short')).toBeNull();
});
