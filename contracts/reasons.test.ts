import { expect, test } from 'vitest';
import { type ReasonCode, reasonOf, reasons } from './reasons.ts';

const codes = Object.keys(reasons) as ReasonCode[];

// Guarantee: each sentence has one code, by which it is found again with what it names; what others say has none.
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
  for (const said of [null, '', 'Cancelled', 'Cancelled by .', 'Line 1:', 'The server said no.'])
    expect(reasonOf(said)).toBeNull();
  expect(reasonOf('Cancelled by Ada.')).toEqual({ code: 'cancelled-by', values: ['Ada'] });
});
