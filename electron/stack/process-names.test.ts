import { expect, test } from 'vitest';
import { readApiProcess } from '#contracts/operations/supervision.ts';
import { createProcessNames } from './process-names.ts';

// Guarantee: each process of the API gets a name of its own and learns which of the former ones have ended.
test('the names of processes', () => {
  const next = createProcessNames();
  const [first, second, third] = [next(), next(), next()].map(readApiProcess);
  expect(first?.ended).toEqual([]);
  expect(second?.ended).toEqual([first?.id]);
  expect(third?.ended).toEqual([first?.id, second?.id]);
  expect(new Set([first?.id, second?.id, third?.id]).size).toBe(3);
  expect(readApiProcess({})).toBeUndefined();
});
