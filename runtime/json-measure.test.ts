import { expect, test } from 'vitest';
import { isBeyondMeasure } from './json-measure.ts';

const most = { depth: 3, values: 5 };

test.each([
  ['[[[1]]]', false],
  ['[[[[1]]]]', true],
  ['{"a":[{"b":[]}]}', true],
  ['[[],[],[]]', false],
  ['[1,2,3,4,5,6]', false],
  ['[1,2,3,4,5,6,7]', true],
  ['["[[[[,,,,,,","\\\\","\\"[[[["]', false],
  ['"', false],
  ['"\\', false],
  ['', false],
])('%s', (text, expected) => {
  expect(isBeyondMeasure(text, most)).toBe(expected);
});
