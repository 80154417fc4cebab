import { expect, test } from 'vitest';
import { zoomAsked } from './zoom-keys.ts';

const key = (pressed: string, more = {}) => ({
  type: 'keyDown',
  key: pressed,
  control: true,
  meta: false,
  alt: false,
  ...more,
});

// Guarantee: Ctrl with +, - and 0 zoom within bounds, and every other key is left to the page.
test.each([
  [key('+'), 0, 0.5],
  [key('='), 1, 1.5],
  [key('-'), 0, -0.5],
  [key('_'), 0, -0.5],
  [key('0'), 3, 0],
  [key('+'), 4, 4],
  [key('-'), -3, -3],
  [key('+', { control: false, meta: true }), 0, 0.5],
  [key('+', { control: false }), 0, null],
  [key('+', { alt: true }), 0, null],
  [key('+', { type: 'keyUp' }), 0, null],
  [key('k'), 0, null],
])('%j at %d', (pressed, level, wanted) => {
  expect(zoomAsked(pressed, level)).toBe(wanted);
});
