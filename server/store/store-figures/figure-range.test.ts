import { expect, test } from 'vitest';
import { figureRangeOf } from './figure-range.ts';

const noon = new Date('2026-06-10T12:00:00Z');
const hoursBetween = ({ bounds, end }: ReturnType<typeof figureRangeOf>) =>
  [...bounds, end]
    .slice(1)
    .map((bound, index) => (bound.getTime() - (bounds[index]?.getTime() ?? 0)) / 3.6e6);

// Guarantee: the last days end with today in the community's zone, which is not always the day in UTC.
test('today is the zone’s', () => {
  const now = new Date('2026-06-10T23:30:00Z');
  expect(figureRangeOf({ days: 7 }, 'Asia/Tokyo', now)).toMatchObject({
    from: '2026-06-05',
    to: '2026-06-11',
    end: new Date('2026-06-11T15:00:00Z'),
  });
  expect(figureRangeOf({}, 'America/Sao_Paulo', now)).toMatchObject({ from: '2026-05-12', to: '2026-06-10' });
  expect(figureRangeOf({ days: 1 }, 'UTC', now).starts).toEqual(['2026-06-10']);
});

// Guarantee: a day has 23 or 25 hours when clocks change, and none is left out or counted twice.
test('days on which clocks change', () => {
  const around = (from: string, to: string, zone: string) => figureRangeOf({ from, to }, zone, noon);
  expect(hoursBetween(around('2026-03-07', '2026-03-09', 'America/New_York'))).toEqual([24, 23, 24]);
  expect(hoursBetween(around('2026-10-31', '2026-11-02', 'America/New_York'))).toEqual([24, 25, 24]);
  // Midnight did not exist in São Paulo on that day: it began at one o'clock.
  const spring = around('2018-11-03', '2018-11-05', 'America/Sao_Paulo');
  expect(spring.bounds[1]).toEqual(new Date('2018-11-04T03:00:00Z'));
  expect(hoursBetween(spring)).toEqual([24, 23, 24]);
  // Half an hour of daylight saving time.
  expect(hoursBetween(around('2026-04-04', '2026-04-06', 'Australia/Lord_Howe'))).toEqual([24, 24.5, 24]);
  // Samoa skipped a whole day.
  const samoa = around('2011-12-29', '2011-12-31', 'Pacific/Apia');
  expect(hoursBetween(samoa)).toEqual([24, 0, 24]);
});

// Guarantee: a leap year has its extra day, and other years do not.
test('leap days', () => {
  const days = (from: string, to: string) => figureRangeOf({ from, to }, 'UTC', noon).starts;
  expect(days('2028-02-28', '2028-03-01')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(days('2027-02-28', '2027-03-01')).toEqual(['2027-02-28', '2027-03-01']);
});

// Guarantee: weeks begin on Monday and months on their first day, except that the first step begins with the range; this
// works across years.
test('weeks and months', () => {
  const starts = (from: string, to: string, step: 'week' | 'month') =>
    figureRangeOf({ from, to, step }, 'Europe/Berlin', noon).starts;
  expect(starts('2026-06-10', '2026-06-23', 'week')).toEqual(['2026-06-10', '2026-06-15', '2026-06-22']);
  expect(starts('2026-06-08', '2026-06-14', 'week')).toEqual(['2026-06-08']);
  expect(starts('2026-06-14', '2026-06-15', 'week')).toEqual(['2026-06-14', '2026-06-15']);
  expect(starts('2025-12-31', '2026-02-01', 'month')).toEqual(['2025-12-31', '2026-01-01', '2026-02-01']);
});

// Guarantee: without a given step, a chart has at most about 120 steps, whatever the range.
test('the step by the length', () => {
  const stepOf = (days: number) => figureRangeOf({ days }, 'America/Sao_Paulo', noon);
  expect([7, 92, 93, 732, 733, 3660].map((days) => stepOf(days).step)).toEqual([
    'day',
    'day',
    'week',
    'week',
    'month',
    'month',
  ]);
  for (const days of [92, 732, 3660]) expect(stepOf(days).starts.length).toBeLessThanOrEqual(122);
});
