import { expect, test } from 'vitest';
import { briefMs, patientRemoval, pausesWithin, whenNotBusy } from './busy-file.ts';

const failing = (code: string, times: number) => {
  let calls = 0;
  return {
    calls: () => calls,
    action: async () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
      return 'done';
    },
  };
};

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, one) => all + one, 0);

// Guarantee: a file that is briefly busy is waited for; any other failure is reported immediately.
test('only a busy file is tried again', async () => {
  const busy = failing('EBUSY', 3);
  expect(await whenNotBusy(busy.action)).toBe('done');
  expect(busy.calls()).toBe(4);
  const full = failing('ENOSPC', 1);
  await expect(whenNotBusy(full.action)).rejects.toThrow('ENOSPC');
  expect(full.calls()).toBe(1);
});

// Guarantee: a file that stays busy is given up after as many tries as fit into the patience; nothing tries for ever.
test('a file that stays busy is given up', async () => {
  const busy = failing('EBUSY', Number.POSITIVE_INFINITY);
  await expect(whenNotBusy(busy.action, 100)).rejects.toThrow('EBUSY');
  expect(busy.calls()).toBe([...pausesWithin(100)].length + 1);
});

// Guarantee: a scanner that holds each new file for 8 s (isaacs/node-graceful-fs#104 has seconds) costs nothing but that time: what is
// tried within the patience is tried again soon after the file is free, and removal has the same patience.
test('a scanner that holds each new file', () => {
  for (const patienceMs of [briefMs, 8000, 20_000]) {
    const pauses = [...pausesWithin(patienceMs)];
    expect(sum(pauses)).toBe(patienceMs);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(500);
  }
  const { maxRetries, retryDelay } = patientRemoval;
  const removalMs = sum(Array.from({ length: maxRetries }, (_, retry) => (retry + 1) * retryDelay));
  expect(removalMs).toBeGreaterThan(2 * 8000);
  expect(removalMs).toBeLessThanOrEqual(20_000);
});
