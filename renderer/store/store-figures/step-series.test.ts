import { expect, test } from 'vitest';
import { chosenRange } from './chosen-range.ts';
import { moneyOf, moneyText, pointsSeries, salesSeries } from './step-series.ts';

const step = (start: string, more: object = {}) => ({
  start,
  orders: 2,
  pieces: 3,
  points: 50,
  gifts: 0,
  refunded: 0,
  chargedAgain: 0,
  sources: [{ source: 'api' as const, orders: 1, pieces: 1, points: 20 }],
  money: null,
  ...more,
});

// Guarantee: a chart shows all sources or one, a step without the source as zero, and ascending days.
test('sales as a chart', () => {
  const steps = [step('2026-03-07'), step('2026-03-08', { sources: [] })];
  expect(salesSeries(steps, 'points', null).values).toEqual([50, 50]);
  expect(salesSeries(steps, 'points', 'api').values).toEqual([20, 0]);
  const [first = 0, second = 0] = salesSeries(steps, 'orders', null).times;
  expect(new Date(first * 1000).getDate()).toBe(7);
  expect(second).toBeGreaterThan(first);
});

// Guarantee: points of one direction are added up over the chosen kinds only.
test('points as a chart', () => {
  const flow = { moved: 0, entries: 1 };
  const steps = [
    {
      start: '2026-03-07',
      kinds: [
        { ...flow, kind: 'grant' as const, in: 5, out: 0 },
        { ...flow, kind: 'refund' as const, in: 2, out: 0 },
        { ...flow, kind: 'purchase' as const, in: 0, out: 9 },
      ],
    },
  ];
  expect(pointsSeries(steps, 'in', null).values).toEqual([7]);
  expect(pointsSeries(steps, 'in', 'grant').values).toEqual([5]);
  expect(pointsSeries(steps, 'out', null).values).toEqual([9]);
});

// Guarantee: whatever the address contains, the page asks for a range that the API accepts, or for none.
test('the range of the address', () => {
  expect(chosenRange({})).toEqual({ name: '30', query: { days: 30 } });
  expect(chosenRange({ range: '365' }).query).toEqual({ days: 365 });
  expect(chosenRange({ range: 'nonsense' }).query).toEqual({ days: 30 });
  const custom = (from: string, to: string) => chosenRange({ range: 'custom', from, to }).query;
  expect(custom('2026-01-01', '2026-02-01')).toEqual({ from: '2026-01-01', to: '2026-02-01' });
  expect(custom('2026-02-01', '2026-01-01')).toBeNull();
  expect(custom('2000-01-01', '2026-01-01')).toBeNull();
  expect(custom('2026-02-30', '2026-03-01')).toBeNull();
  expect(chosenRange({ range: 'custom', from: '2026-01-01' }).query).toBeNull();
});

// Guarantee: money is summed for each currency alone, and hidden money is no money.
test('money of external shops', () => {
  const eur = (paid: string, refunded = '0') => ({ currency: 'EUR', paid, refunded });
  const money = moneyOf([
    { money: [eur('12.90', '5'), { currency: 'JPY', paid: '500', refunded: '0' }] },
    { money: [eur('0.10')] },
    { money: null },
  ]);
  expect(money).toEqual([
    { currency: 'JPY', paid: 500, refunded: 0 },
    { currency: 'EUR', paid: 13, refunded: 5 },
  ]);
  expect(moneyText('en', 13, 'EUR').replaceAll('\u00a0', ' ')).toBe('EUR 13.00');
  expect(moneyText('en', 500, 'JPY').replaceAll('\u00a0', ' ')).toBe('JPY 500');
  expect(moneyText('en', 3, 'COINS')).toBe('3 COINS');
});
