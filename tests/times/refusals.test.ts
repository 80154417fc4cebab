import { expect, test } from 'vitest';
import { type Measured, refusals, slowness } from './refusals.ts';

const file = 'server/store/store.test.ts';
const of = (name: string, ms: number, tier: Measured['tier'] = 'units', startedMs = 0): Measured => ({
  file,
  name,
  ms,
  startedMs,
  tier,
});
const whys = (measured: readonly Measured[], kept = {}, reasons = {}) =>
  refusals(measured, kept, reasons).map(({ name, why }) => `${name} ${why}`);

// Guarantee: a test over its tier's limit is refused by name, whether or not its time was kept.
test('over the limit', () => {
  expect(whys([of('long', 1010), of('short', 990)])).toEqual([
    'long uses 1010 ms of the processor; its tier allows 1000 ms',
  ]);
  expect(whys([of('long', 5010, 'middle'), of('short', 4990, 'middle')])).toHaveLength(1);
  expect(whys([of('long', 60_010, 'night'), of('short', 59_000, 'night')])).toHaveLength(1);
});

// Guarantee: a reason excuses the limit of the test or the file that it names, and growth up to three times.
test('a reason', () => {
  const kept = { [file]: { long: 1200 } };
  expect(whys([of('long', 1300)], kept, { [`${file} > long`]: 'hashes a real password' })).toEqual([]);
  expect(whys([of('long', 1300)], kept, { [file]: 'hashes real passwords' })).toEqual([]);
  expect(whys([of('long', 1300)], kept, { [`${file} > other`]: 'another' })).toHaveLength(1);
  expect(whys([of('long', 3590)], kept, { [file]: 'hashes real passwords' })).toEqual([]);
  expect(whys([of('long', 3610)], kept, { [file]: 'hashes real passwords' })).toEqual([
    'long uses 3610 ms of the processor; it was 1200 ms',
  ]);
});

// Guarantee: growth by half is refused, unless it is so little that the machine may be the cause.
test('growth', () => {
  const kept = { [file]: { grown: 2200, small: 100 } };
  expect(whys([of('grown', 3310, 'middle'), of('small', 1050, 'middle')], kept)).toEqual([
    'grown uses 3310 ms of the processor; it was 2200 ms',
  ]);
  expect(whys([of('grown', 3290, 'middle')], kept)).toEqual([]);
});

// Guarantee: a slower machine refuses nothing that it would not refuse elsewhere, and a faster one hides nothing.
test('a slower machine', () => {
  const names = Array.from({ length: 30 }, (_, index) => `test ${index}`);
  const kept = { [file]: Object.fromEntries(names.map((name) => [name, 800])) };
  const twice = names.map((name) => of(name, 1600));
  expect(slowness(twice, kept)).toEqual({ own: 2, started: 1 });
  expect(whys(twice, kept)).toEqual([]);
  expect(whys([...twice, of('another', 2100)], kept)).toHaveLength(1);
  const half = names.map((name) => of(name, 400));
  expect(whys([...half, of('another', 1010)], kept)).toHaveLength(1);
});

// Guarantee: a machine on which only programs start slower excuses only tests that start them, and says what it allowed.
test('a machine that starts programs slower', () => {
  const names = Array.from({ length: 30 }, (_, index) => `test ${index}`);
  const kept = { [file]: { ...Object.fromEntries(names.map((name) => [name, 800])), own: 2000 } };
  const slow = names.map((name) => of(name, 1600, 'middle', 1500));
  expect(whys([...slow, of('own', 3100, 'middle')], kept)).toEqual([
    'own uses 3100 ms of the processor; it was 2000 ms',
  ]);
  expect(refusals([...slow, of('starts', 10_100, 'middle', 9000)], kept, {})).toMatchObject([
    { name: 'starts', allowedMs: 10_000 },
  ]);
});
