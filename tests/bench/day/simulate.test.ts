import { expect, test } from 'vitest';
import { minuteMs, simulateDays } from './simulate.ts';

const hourMs = 60 * minuteMs;
const sum = (load: Float64Array, from: number, to: number) =>
  load.subarray(from, to).reduce((all, checks) => all + checks, 0);

/** The same random numbers in each run. */
const numbers = () => {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
};

// Guarantee: the simulation is the real schedule: one check a day each, all owed checks after an outage within the
// longest retry, and no installation forgotten.
test('a day with an outage of four hours', () => {
  const installations = 20_000;
  const outage = { fromMs: 34 * hourMs, toMs: 38 * hourMs };
  const load = simulateDays({ installations, days: 3, outage, random: numbers() });
  const perMinute = installations / ((23 + 27.5 / 60) * 60);
  expect(sum(load, 0, 24 * 60) / (24 * 60) / perMinute).toBeCloseTo(1, 1);
  const owed = perMinute * 4 * 60;
  expect(sum(load, 38 * 60, 38 * 60 + 18) / (owed + 18 * perMinute)).toBeCloseTo(1, 1);
  const peak = Math.max(...load.subarray(38 * 60, 39 * 60));
  expect(peak).toBeLessThan((owed / 15) * 1.4 + perMinute);
});
