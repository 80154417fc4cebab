import { expect, test } from 'vitest';
import { sleep } from './sleep.ts';

// Guarantee: a stop ends every pause at once and is no error; what was stopped before does not pause.
test('a stop ends a pause', async () => {
  const stopping = new AbortController();
  const pause = sleep(3_600_000, stopping.signal);
  stopping.abort();
  await expect(pause).resolves.toBeUndefined();
  await expect(sleep(3_600_000, stopping.signal)).resolves.toBeUndefined();
  await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined();
});
