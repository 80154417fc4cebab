import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createWakeWatch } from './wake-watch.ts';

/** A clock whose timers fire when the test advances it; its wall time may advance further than they wait. */
const openClock = () => {
  let nowMs = 0;
  let timer: { readonly delayMs: number; readonly run: () => void } | null = null;
  return {
    now: () => new Date(nowMs),
    setTimer(delayMs: number, run: () => void) {
      const mine = { delayMs, run };
      timer = mine;
      return () => {
        if (timer === mine) timer = null;
      };
    },
    isWaiting: () => timer !== null,
    /** Resolves when the listeners have been called. */
    async turn(sleptMs = 0) {
      const { delayMs = 0, run } = timer ?? {};
      nowMs += delayMs + sleptMs;
      run?.();
      await nextTurn();
    },
  };
};

// Guarantee: a sleep is noticed at the next check, once; elapsed time alone, and a clock that was set back, do not count as one.
test('a sleep', async () => {
  const clock = openClock();
  let wakes = 0;
  using _listening = createWakeWatch(clock).onWake(() => {
    wakes += 1;
  });
  for (const late of [0, 900, -3_600_000, 14_000]) await clock.turn(late);
  expect(wakes).toBe(0);
  await clock.turn(60_000);
  expect(wakes).toBe(1);
  await clock.turn();
  expect(wakes).toBe(1);
  await clock.turn(8 * 3_600_000);
  expect(wakes).toBe(2);
});

// Guarantee: a listener that has stopped hears nothing, and without listeners there is no timer.
test('the end of listening', async () => {
  const clock = openClock();
  const watch = createWakeWatch(clock);
  const heard: string[] = [];
  const first = watch.onWake(() => {
    heard.push('first');
    first[Symbol.dispose]();
  });
  const second = watch.onWake(() => heard.push('second'));
  await clock.turn(60_000);
  await clock.turn(60_000);
  expect(heard).toEqual(['first', 'second', 'second']);
  second[Symbol.dispose]();
  expect(clock.isWaiting()).toBe(false);
});

// Guarantee: a listener that throws does not keep others from learning of the sleep.
test('a listener that throws', async () => {
  const clock = openClock();
  const watch = createWakeWatch(clock);
  const ofVitest = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  const uncaught: unknown[] = [];
  process.on('uncaughtException', (error) => uncaught.push(error));
  try {
    const broken = new Error('broken');
    using _throws = watch.onWake(() => {
      throw broken;
    });
    let heardMs = 0;
    using _hears = watch.onWake((sleptMs) => {
      heardMs = sleptMs;
    });
    await clock.turn(60_000);
    expect(uncaught).toEqual([broken]);
    expect(heardMs).toBe(62_000);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of ofVitest) process.on('uncaughtException', listener);
  }
});
