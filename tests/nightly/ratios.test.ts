import { expect, test } from 'vitest';
import { betterOf, lostRatios, ratiosOf } from './ratios.ts';

// Guarantee: only figures beside a baseline are compared; absolute ones depend on the machine.
test('the ratios of a report', () => {
  const tables = {
    minecraft: { 'raw socket': { 'commands/s': 9000 }, ratio: { 'commands/s': 0.9, 'p50 ms': 1.2 } },
    figures: { '7 days': { 'median ms': 4, ratio: 30 } },
    agents: { 'times the bare server': { 'worst stall ms': 7 } },
  };
  const aims = [
    { what: 'in sets beside one by one', value: 12, aim: '> 10', met: true },
    { what: 'time to the first page', value: 700, aim: 'at most 900 ms', met: true },
  ];
  expect(ratiosOf({ tables, aims })).toEqual({
    'minecraft, ratio, commands/s': 0.9,
    'minecraft, ratio, p50 ms': 1.2,
    'figures, 7 days, ratio': 30,
    'in sets beside one by one': 12,
  });
});

// Guarantee: what has become half as bad again is named, whichever direction is worse; anything else is not.
test('lost ratios', () => {
  const kept = { 'a, ratio, commands/s': 0.9, 'a, ratio, p50 ms': 1.2 };
  expect(lostRatios({ 'a, ratio, commands/s': 0.7, 'a, ratio, p50 ms': 1.7 }, kept)).toEqual([]);
  expect(lostRatios({ 'a, ratio, commands/s': 0.5, 'a, ratio, p50 ms': 1.9 }, kept)).toEqual([
    'a, ratio, commands/s is 0.50; it was 0.90',
    'a, ratio, p50 ms is 1.90; it was 1.20',
  ]);
  expect(lostRatios({ 'a, ratio, commands/s': 2, 'b, ratio, p50 ms': 9 }, kept)).toEqual([]);
});

// Guarantee: of two runs the better ratio counts, so that one run beside something else names nothing.
test('the better of two runs', () => {
  const first = { 'a, ratio, commands/s': 0.5, 'a, ratio, p50 ms': 1.2, 'in sets': 1.7 };
  const second = { 'a, ratio, commands/s': 0.9, 'a, ratio, p50 ms': 1.9 };
  expect(betterOf(first, second)).toEqual({
    'a, ratio, commands/s': 0.9,
    'a, ratio, p50 ms': 1.2,
    'in sets': 1.7,
  });
});
