import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeatWhenAsked } from './repeat-when-asked.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Guarantee: a first request is carried out immediately, a storm of requests once a second, and once more after the last request.
test('a storm', async () => {
  let times = 0;
  using reading = repeatWhenAsked(async () => {
    times += 1;
  }, 1000);
  reading.ask();
  expect(times).toBe(1);
  for (let index = 0; index < 100; index += 1) {
    reading.ask();
    await pass(50);
  }
  expect(times).toBe(6);
  await pass(1000);
  const afterLast = times;
  await pass(10_000);
  expect(times).toBe(afterLast);
  reading.ask();
  expect(times).toBe(afterLast + 1);
});

// Guarantee: two runs never overlap, however long one takes, and a request during a run is carried out after it.
test('slow ones', async () => {
  const ends: (() => void)[] = [];
  using reading = repeatWhenAsked(() => new Promise<void>((resolve) => ends.push(resolve)), 1000);
  reading.ask();
  await pass(5000);
  reading.ask();
  reading.ask();
  await pass(5000);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await pass(0);
  expect(ends).toHaveLength(2);
});

// Guarantee: a failed run is reported and does not stop the rest; after disposal, nothing runs any more.
test('failed, and disposed', async () => {
  const reported: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => void reported.push(error));
  let times = 0;
  const reading = repeatWhenAsked(async () => {
    times += 1;
    throw new Error('the API is away');
  }, 1000);
  reading.ask();
  reading.ask();
  await pass(1000);
  expect([times, reported.length]).toEqual([2, 2]);
  reading.ask();
  reading[Symbol.dispose]();
  await pass(5000);
  expect(times).toBe(2);
  vi.unstubAllGlobals();
});
