import { expect, test } from 'vitest';
import * as z from 'zod';
import { entriesOf, readSourceJson, rowsOf } from './source-json.ts';

const row = z.object({ id: z.string(), name: z.string(), tags: rowsOf(z.string(), 3) });
const rows = rowsOf(row, 1_000_000);
/** Far more than a machine busy with other tests needs to read in one pass, and far less than it took before. */
const patientMs = 4000;
const megabytes = 16 * 1024 * 1024;
const filled = (one: string, bytes = megabytes) =>
  `[${Array(Math.floor(bytes / (one.length + 1)))
    .fill(one)
    .join()}]`;

test('what makes sense', () => {
  const one = { id: 'a', name: '"[{\\', tags: ['x'] };
  expect(readSourceJson(rows, JSON.stringify([one, { ...one, more: 1 }]))).toEqual([one, one]);
  expect(readSourceJson(entriesOf(row, 2), JSON.stringify({ h: one }))).toEqual([['h', one]]);
  expect(readSourceJson(rows.nullish(), 'null')).toBeNull();
});

test.each([
  ['no list', '{}'],
  ['a row that is none', '[{"id":"a","name":"b","tags":[]},{}]'],
  ['more rows than there may be', '[{"id":"a","name":"b","tags":["1","2","3","4"]}]'],
  ['no JSON', '[{"id'],
  ['a text that does not end', '"\\'],
])('%s', (_, text) => {
  expect(readSourceJson(rows, text)).toBeNull();
});

// Guarantee: an answer of the largest size holds up the API only as long as reading it takes, whatever it contains.
test.each([
  ['brackets', '['.repeat(megabytes)],
  ['nested lists', `${'['.repeat(megabytes / 2)}${']'.repeat(megabytes / 2)}`],
  ['nested objects', `[${'{"a":'.repeat(2_000_000)}1${'}'.repeat(2_000_000)}]`],
  ['numbers in the place of rows', filled('0')],
  ['empty rows', filled('{}')],
  ['as many empty rows as are read', filled('{}', 2_900_000)],
  ['rows with numbers in the place of words', `[{"id":"a","name":"b","tags":${filled('0')}}]`],
  ['quotes', '"'.repeat(megabytes)],
  ['backslashes', `"${'\\'.repeat(megabytes)}`],
])('%s', { timeout: 60_000 }, (_, text) => {
  const began = performance.now();
  expect(readSourceJson(rows, text)).toBeNull();
  expect(readSourceJson(entriesOf(row, 100), text)).toBeNull();
  expect(performance.now() - began).toBeLessThan(patientMs);
});
