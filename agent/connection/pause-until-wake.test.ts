import { expect, test } from 'vitest';
import { pauseUntilWake } from './pause-until-wake.ts';

const waker = () => {
  let wake = new AbortController();
  return {
    wake: () => wake.signal,
    wakeUp() {
      const before = wake;
      wake = new AbortController();
      before.abort();
    },
  };
};
const hourMs = 3_600_000;

// Guarantee: a wake ends a long wait and starts a short one of its own length; each further wake starts another.
test('a wake', async () => {
  const { wake, wakeUp } = waker();
  const asked: number[] = [];
  const pauses = [hourMs, hourMs, 1];
  const pausing = pauseUntilWake(hourMs, {
    stopping: new AbortController().signal,
    wake,
    afterWakeMs() {
      asked.push(asked.length);
      return pauses[asked.length] ?? 0;
    },
  });
  wakeUp();
  await expect.poll(() => asked).toEqual([0]);
  wakeUp();
  await pausing;
  expect(asked).toEqual([0, 1]);
});

// Guarantee: a stop ends it immediately, and nothing more is waited for.
test('a stop', async () => {
  const stopping = new AbortController();
  const { wake, wakeUp } = waker();
  const pausing = pauseUntilWake(hourMs, {
    stopping: stopping.signal,
    wake,
    afterWakeMs: () => expect.fail('waits after a stop'),
  });
  stopping.abort();
  wakeUp();
  await pausing;
});
