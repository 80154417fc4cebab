import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault, lineAt, linesOf } from './json-places.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

// Guarantee: what JSON.parse refuses has a fault with a place in the text, and what it accepts has none.
test('the reader agrees with JSON.parse', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom('', ',', '"', '\\', '}', '[', '0', '\n', 'x'),
      (json, at, sign) => {
        const place = at % (json.length + 1);
        for (const text of [json, json.slice(0, place) + sign + json.slice(place), json.slice(0, place)]) {
          const fault = findJsonFault(text);
          // Repeated names are JSON, but no catalogue.
          if (fault?.message === 'This name appears twice in the same object.') continue;
          expect([text, fault === null]).toEqual([text, parses(text)]);
          if (fault) expect(fault.offset).toBeLessThanOrEqual(text.length);
        }
      },
    ),
    { numRuns: 500 },
  );
});

// Guarantee: a fault is reported where it is, not where a parser gives up.
test.each([
  ['{\n "a": 1,\n}', 3],
  ['{\n "a": 1\n "b": 2}', 3],
  ['{\n "a": "no end\n}', 2],
  ['[1,\n\n2', 3],
  ['{"a": 1}\n\nmore', 3],
  ['{"a": 1,\n "a": 2}', 2],
  ['["\\x"]', 1],
  ['', 1],
])('%j', (text, line) => {
  const fault = findJsonFault(text);
  expect(fault && lineAt(text, fault.offset)).toBe(line);
});

// Guarantee: deep nesting ends neither the process nor the stack.
test('a hundred thousand brackets', () => {
  expect(findJsonFault('['.repeat(100_000))?.message).toBe('This is nested too deeply.');
  expect(findJsonFault('{"a":'.repeat(100_000))?.message).toBe('This is nested too deeply.');
});

// Guarantee: each value has its line, and a missing value has that of the object where it would be.
test('lines of values', () => {
  const text = '{\n  "a": [\n    {"b": "x\\ny"},\n    {\n      "c": 1\n    }\n  ]\n}';
  expect(
    linesOf(text, [
      ['a'],
      ['a', 0, 'b'],
      ['a', 1],
      ['a', 1, 'c'],
      ['a', 1, 'missing', 'deeper'],
      ['nowhere'],
      [],
    ]),
  ).toEqual([2, 3, 4, 5, 4, 1, 1]);
});
