import { expect, test } from 'vitest';
import { keyState } from './key-state.ts';

const nowMs = Date.parse('2030-01-01T00:00:00Z');

// Guarantee: a key that expires within two weeks is marked before it stops a script, and an expired one is never called valid.
test.each([
  ['2030-01-15T00:00:01Z', 'valid'],
  ['2030-01-15T00:00:00Z', 'soon'],
  ['2030-01-01T00:00:01Z', 'soon'],
  ['2030-01-01T00:00:00Z', 'expired'],
])('expires at %s: %s', (expiresAt, state) => {
  expect(keyState({ expiresAt }, nowMs)).toBe(state);
});
