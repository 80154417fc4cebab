import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScheduledPrice } from '#contracts/store/store.ts';
import { findScheduleFault, priceAt } from './price-schedule.ts';

const at = (text: string) => new Date(text);

// Guarantee: a price begins with its first millisecond and ends before its last; in gaps the base price counts.
test('the edges of a scheduled price', () => {
  const schedule: ScheduledPrice[] = [
    { from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z', price: 5 },
    { from: '2026-12-03T00:00:00Z', until: null, price: 7 },
  ];
  const price = (time: string) => priceAt(10, schedule, at(time));
  expect(price('2026-11-30T23:59:59.999Z')).toEqual({ price: 10, until: at('2026-12-01T00:00:00Z') });
  expect(price('2026-12-01T00:00:00.000Z')).toEqual({ price: 5, until: at('2026-12-02T00:00:00Z') });
  expect(price('2026-12-01T23:59:59.999Z')).toEqual({ price: 5, until: at('2026-12-02T00:00:00Z') });
  expect(price('2026-12-02T00:00:00.000Z')).toEqual({ price: 10, until: at('2026-12-03T00:00:00Z') });
  expect(price('2026-12-03T00:00:00.000Z')).toEqual({ price: 7, until: null });
  expect(priceAt(10, [], at('2026-12-01T00:00:00Z'))).toEqual({ price: 10, until: null });
});

// Guarantee: a schedule holds instants, so a day on which clocks change has its real length: 23 or 25 hours.
test.each([
  ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 23],
  ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 25],
])('the day that begins at %s', (begin, end, hours) => {
  const from = new Date(begin).toISOString();
  const until = new Date(end).toISOString();
  expect((Date.parse(until) - Date.parse(from)) / 3_600_000).toBe(hours);
  const priced = Array.from({ length: 27 }, (_, hour) =>
    priceAt(10, [{ from, until, price: 1 }], new Date(Date.parse(from) - 3_600_000 + hour * 3_600_000)),
  );
  expect(priced.filter(({ price }) => price === 1)).toHaveLength(hours);
});

// Guarantee: overlapping prices and prices that end before they begin are found; those that only touch are not.
test('schedules that cannot be', () => {
  const [one, two, three] = ['2026-12-01T00:00:00Z', '2026-12-02T00:00:00Z', '2026-12-03T00:00:00Z'];
  expect(findScheduleFault([])).toBeNull();
  expect(
    findScheduleFault([
      { from: two, until: three, price: 1 },
      { from: one, until: two, price: 2 },
    ]),
  ).toBeNull();
  expect(findScheduleFault([{ from: two, until: one, price: 1 }])).toContain('Price 1');
  expect(findScheduleFault([{ from: two, until: two, price: 1 }])).toContain('Price 1');
  expect(
    findScheduleFault([
      { from: two, until: null, price: 1 },
      { from: one, until: three, price: 2 },
    ]),
  ).toContain('Prices 1 and 2');
  expect(
    findScheduleFault([
      { from: one, until: null, price: 1 },
      { from: three, until: null, price: 2 },
    ]),
  ).toContain('Prices 1 and 2');
});

const base = 1000;
const beginMs = Date.parse('2026-01-01T00:00:00Z');
const entry = fc.record({
  from: fc.integer({ min: 0, max: 50 }),
  length: fc.option(fc.integer({ min: 1, max: 10 })),
  price: fc.integer({ min: 0, max: 999 }),
});
const scheduleOf = (entries: readonly { from: number; length: number | null; price: number }[]) =>
  entries.map(({ from, length, price }) => ({
    from: new Date(beginMs + from).toISOString(),
    until: length === null ? null : new Date(beginMs + from + length).toISOString(),
    price,
  }));

// Guarantee: in any schedule that may be saved, each millisecond has one price, which holds until the moment that is
// returned, in whichever order the entries are.
test('any schedule (300 runs)', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
      const schedule = scheduleOf(entries);
      const holders = (ms: number) =>
        entries.filter(({ from, length }) => from <= ms && (length === null || ms < from + length));
      const overlaps = Array.from({ length: 70 }, (_, ms) => holders(ms).length).some((count) => count > 1);
      expect(findScheduleFault(schedule) !== null).toBe(overlaps);
      if (overlaps) return;
      const prices = Array.from({ length: 70 }, (_, ms) => holders(ms)[0]?.price ?? base);
      const told = prices.map((_, ms) => priceAt(base, schedule, new Date(beginMs + ms)));
      const turned = prices.map((_, ms) => priceAt(base, schedule.toReversed(), new Date(beginMs + ms)));
      expect(told.map(({ price }) => price)).toEqual(prices);
      expect(turned).toEqual(told);
      const broken = told.filter(({ price, until }, ms) => {
        const untilMs = until === null ? prices.length : until.getTime() - beginMs;
        return untilMs <= ms || prices.slice(ms, untilMs).some((later) => later !== price);
      });
      expect(broken).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
