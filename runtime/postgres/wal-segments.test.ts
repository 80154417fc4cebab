import { expect, test } from 'vitest';
import { segmentsBetween } from './wal-segments.ts';

// Guarantee: every segment is counted, even across the carry, which comes sooner with larger segments.
test('segments in between', () => {
  expect(segmentsBetween('0000000200000000000000FE', '000000020000000100000001', 16 * 2 ** 20)).toEqual([
    '0000000200000000000000FE',
    '0000000200000000000000FF',
    '000000020000000100000000',
    '000000020000000100000001',
  ]);
  expect(segmentsBetween('000000010000000A00000003', '000000010000000B00000000', 2 ** 30)).toEqual([
    '000000010000000A00000003',
    '000000010000000B00000000',
  ]);
  expect(segmentsBetween('000000010000000000000007', '000000010000000000000007', 2 ** 24)).toHaveLength(1);
});
