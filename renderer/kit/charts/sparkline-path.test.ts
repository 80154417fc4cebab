import { expect, test } from 'vitest';
import { sparklineShapes } from './sparkline-path.ts';

// Guarantee: an unknown value is a gap in the line, and never drawn as zero.
test('gaps', () => {
  const { line, area, dots } = sparklineShapes([0, 10, null, 5, null, 10, 0], 62, 12);
  expect(line).toBe('M1 11L11 1M51 1L61 11');
  expect(area).toBe('M1 11L11 1L11 12L1 12ZM51 1L61 11L61 12L51 12Z');
  expect(dots).toBe('M31 6h0');
});

// Guarantee: no known value draws nothing, and an empty server draws a line on the floor.
test('nothing and zero', () => {
  expect(sparklineShapes([null, null], 50, 10)).toEqual({ line: '', area: '', dots: '' });
  expect(sparklineShapes([], 50, 10)).toEqual({ line: '', area: '', dots: '' });
  expect(sparklineShapes([0, 0], 50, 10).line).toBe('M1 9L49 9');
});
