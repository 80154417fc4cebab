import { expect, test } from 'vitest';
import { countDeath, restartLimits, restartVerdict } from './restart-verdict.ts';

const delayAfter = (deaths: readonly number[], random: number) => {
  const verdict = restartVerdict(deaths, random, restartLimits);
  return verdict.kind === 'restart' ? verdict.delayMs : verdict.kind;
};

// Guarantee: restarts back off, with a quarter of jitter either way.
test('delays double', () => {
  expect([[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]].map((deaths) => delayAfter(deaths, 0.5))).toEqual([
    500, 1000, 2000, 4000,
  ]);
  expect([0, 1].map((random) => delayAfter([0], random))).toEqual([375, 625]);
});

// Guarantee: the fifth death without a stable life is a crash loop, even when each took a minute to come.
test('the budget is spent by deaths in a row', () => {
  expect(delayAfter([0, 1000, 2000, 3000], 0.5)).toBe(4000);
  expect(delayAfter([0, 1000, 2000, 3000, 4000], 0.5)).toBe('crash loop');
  expect(restartVerdict([0, 60_000, 120_000, 180_000, 240_000], 0.5, restartLimits)).toEqual({
    kind: 'crash loop',
    deaths: 5,
    withinMs: 240_000,
    delayMs: 300_000,
  });
});

// Guarantee: a life of two minutes clears all earlier deaths.
test('a stable while forgives earlier deaths', () => {
  expect(countDeath([1, 2, 3, 4], 200_000, 119_999, restartLimits)).toEqual([1, 2, 3, 4, 200_000]);
  expect(countDeath([1, 2, 3, 4], 200_000, 120_000, restartLimits)).toEqual([200_000]);
});
