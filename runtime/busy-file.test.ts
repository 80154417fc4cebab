import { expect, test } from 'vitest';
import { whenNotBusy } from './busy-file.ts';

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

// Guarantee: a file that is briefly busy is waited for; any other failure is reported immediately.
test('only a busy file is tried again', async () => {
  const busy = failing('EBUSY', 3);
  expect(await whenNotBusy(busy.action)).toBe('done');
  expect(busy.calls()).toBe(4);
  const full = failing('ENOSPC', 1);
  await expect(whenNotBusy(full.action)).rejects.toThrow('ENOSPC');
  expect(full.calls()).toBe(1);
});

test('a file that stays busy is given up', async () => {
  await expect(whenNotBusy(failing('EBUSY', 100).action)).rejects.toThrow('EBUSY');
});
