// Guarantee: live lines obey the filter as searched ones do, lines that were left out leave a mark, and an address with
// any text asks the API only for what it understands.
import { expect, it } from 'vitest';
import { type ComponentLogRow, componentLogFilter } from '#contracts/operations/component-logs.ts';
import { isLineInFilter, linesOf, logComponentIn, logFilterIn } from './log-lines.ts';

const row = (given: Partial<ComponentLogRow> = {}): ComponentLogRow => ({
  id: '1.10',
  at: '2026-01-02T03:04:05.000Z',
  level: 'warn',
  component: 'api',
  message: 'Workers pause',
  fields: { reason: 'LICENSE_REQUIRED' },
  ...given,
});

it.each([
  [{}, true],
  [{ level: 'info' }, true],
  [{ level: 'warn' }, true],
  [{ level: 'error' }, false],
  [{ text: 'workers' }, true],
  [{ text: 'license_req' }, true],
  [{ text: 'sleep' }, false],
  [{ level: 'error', text: 'workers' }, false],
] as const)('%j lets a warning through: %s', (filter, isIn) => {
  expect(isLineInFilter(row(), filter)).toBe(isIn);
});

it('takes a line of no level for information', () => {
  expect(isLineInFilter(row({ level: null }), { level: 'info' })).toBe(true);
  expect(isLineInFilter(row({ level: null }), { level: 'warn' })).toBe(false);
});

it('marks the place of lines that were left out', () => {
  const message: Parameters<typeof linesOf>[0] = {
    type: 'log',
    component: 'api',
    rows: [row()],
    skipped: 7,
    cursor: '1.99',
  };
  expect(linesOf(message, {}).map(({ id, skipped }) => [id, skipped])).toEqual([
    ['1.10 skipped', 7],
    ['1.10', 0],
  ]);
  expect(linesOf({ ...message, rows: [] }, {})).toMatchObject([{ cursor: '1.99', skipped: 7 }]);
});

it('asks for nothing that the API would refuse', () => {
  for (const text of ['\u0000\ud800', 'x'.repeat(999), '  ', '<b>', '😀'.repeat(150)])
    expect(componentLogFilter.safeParse(logFilterIn({ text, level: 'loud' })).success, text).toBe(true);
  expect(logComponentIn({ component: '../etc' })).toBe('api');
});
