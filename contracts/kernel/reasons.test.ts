import { expect, test } from 'vitest';
import { type ReasonCode, reasonOf, reasons, reasonWithin, sentencesWithin } from './reasons.ts';

const codes = Object.keys(reasons) as ReasonCode[];

// Guarantee: each sentence has one code, by which it is found again together with its values; texts from elsewhere have none.
test.each(codes)('%s', (code) => {
  const sentence = reasons[code];
  if (typeof sentence === 'string') {
    expect(reasonOf(sentence)).toEqual({ code, values: [] });
    return;
  }
  const values = Array.from({ length: sentence.length }, (_, index) => `value ${index} (a.b)\nand more`);
  const said = (sentence as (...values: string[]) => string)(...values);
  expect(reasonOf(said)).toEqual({ code, values });
});

test('what others say', () => {
  for (const said of [null, '', 'Cancelled', 'Cancelled by .', 'Part 1:', 'The server said no.'])
    expect(reasonOf(said)).toBeNull();
  expect(reasonOf('Cancelled by Ada.')).toEqual({ code: 'cancelled-by', values: ['Ada'] });
});

// Guarantee: a value may repeat the text around it, and each value is as short as possible.
test('values that look like the sentence', () => {
  const said =
    'The limit is 1 per member in 2 per member in 3 days; this member has 4 days; this member has 5.';
  expect(reasonOf(said)).toEqual({
    code: 'order-per-period',
    values: ['1', '2 per member in 3', '4 days; this member has 5'],
  });
  expect(reasonOf('Part 1: 2: 3')).toEqual({ code: 'line-fault', values: ['1', '2: 3'] });
});

// Guarantee: a game's reply that was made to be hard to parse is read in one pass; with a regular expression this would not return.
test('hostile texts', () => {
  const hostile = (times: number) =>
    `The limit is x${' per member in y'.repeat(times)} days; this member has z${' days; this member has z'.repeat(times)}`;
  expect(hostile(90).length).toBeLessThan(4000);
  for (const said of [hostile(90), hostile(200), hostile(2000)]) {
    expect(reasonOf(said)).toBeNull();
    expect(sentencesWithin(said)).toBeNull();
    expect(reasonWithin(`a: ${said}`)).toEqual({ name: '', text: `a: ${said}`, reason: null });
  }
  const colons = 'a: '.repeat(20_000);
  expect(reasonWithin(colons)).toEqual({ name: '', text: colons, reason: null });
});
