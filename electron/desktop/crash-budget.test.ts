import { expect, test } from 'vitest';
import { crashBudget } from './crash-budget.ts';

// Guarantee: a page that crashes now and then always comes back by itself; one that crashes again immediately does not spin.
test('three crashes within a minute', () => {
  const mayReload = crashBudget();
  expect([0, 1000, 2000, 3000].map(mayReload)).toEqual([true, true, true, false]);
  expect(mayReload(120_000)).toBe(true);
});
