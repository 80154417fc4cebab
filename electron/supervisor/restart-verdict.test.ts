import { expect, test } from 'vitest';
import { countDeath, restartLimits, restartVerdict } from './restart-verdict.ts';

const delayAfter = (deaths: readonly number[], random: number) => {
  const verdict = restartVerdict(deaths, random, restartLimits);
  return verdict.kind === 'restart' ? verdict.delayMs : verdict.kind;
};
/** Far enough apart that they are no crash loop. */
const rareDeaths = (count: number) => Array.from({ length: count }, (_, index) => index * 60_000);

// Guarantee: restarts back off to half a minute, with a quarter of jitter either way.
test('delays double up to the longest', () => {
  expect([1, 2, 3, 4, 7, 40].map((count) => delayAfter(rareDeaths(count), 0.5))).toEqual([
    500, 1000, 2000, 4000, 30_000, 30_000,
  ]);
  expect([0, 1].map((random) => delayAfter([0], random))).toEqual([375, 625]);
});

// Guarantee: five deaths within two minutes are a crash loop, four are not, nor are five in a longer time.
test('the budget is spent by deaths close together', () => {
  expect(delayAfter([0, 1000, 2000, 3000], 0.5)).toBe(4000);
  expect(delayAfter([0, 1000, 2000, 3000, 120_000], 0.5)).toBe('crash loop');
  expect(delayAfter([0, 1000, 2000, 3000, 120_001], 0.5)).toBe(8000);
});

// Guarantee: a life of two minutes makes a clean slate.
test('a stable while forgives earlier deaths', () => {
  expect(countDeath([1, 2, 3, 4], 200_000, 119_999, restartLimits)).toEqual([1, 2, 3, 4, 200_000]);
  expect(countDeath([1, 2, 3, 4], 200_000, 120_000, restartLimits)).toEqual([200_000]);
});
