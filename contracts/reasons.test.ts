import { expect, test } from 'vitest';
import { type ReasonCode, reasonOf, reasons } from './reasons.ts';

// Guarantee: each sentence has one code, by which it is found again; what others say has none.
test('sentences and codes', () => {
  for (const [code, text] of Object.entries(reasons)) expect(reasonOf(text)).toBe(code as ReasonCode);
  expect(reasonOf('Cancelled by Ada.')).toBeNull();
  expect(reasonOf(null)).toBeNull();
});
