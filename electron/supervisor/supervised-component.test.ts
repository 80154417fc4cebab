import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ComponentState } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { type DelayClock, systemClock } from '#runtime/clock.ts';
import type { ComponentHost } from './component.ts';
import { probeLimits } from './probe-verdict.ts';
import { restartLimits } from './restart-verdict.ts';
import { superviseComponent } from './supervised-component.ts';

/** A process that keeps answering while it takes its time to end, as a busy Postgres does. */
const slowToEnd = (): ComponentHost => ({
  async start() {
    const ended = Promise.withResolvers<{ reason: string; needsConfiguration: boolean; lastLines: [] }>();
    let answers = 0;
    let enough = Number.POSITIVE_INFINITY;
    return {
      pid: 1,
      ended: ended.promise,
      async probe() {
        answers += 1;
        if (answers > enough) throw new Error('asked again and again while it ends');
        return { condition: 'ok', detail: `answer ${answers}` };
      },
      async stop() {
        // One may be in progress.
        enough = answers + 1;
        await delay(100);
        ended.resolve({ reason: 'stopped', needsConfiguration: false, lastLines: [] });
      },
    };
  },
});

// Guarantee: what is being stopped is shown as stopping until it is gone, whatever it still answers.
test('answers of a process that ends', async () => {
  const states: ComponentState[] = [];
  const supervised = superviseComponent({
    component: { name: 'postgres', host: slowToEnd(), port: () => null },
    limits: { restart: restartLimits, probe: { ...probeLimits, startingIntervalMs: 1, intervalMs: 1 } },
    clock: systemClock,
    random: () => 0.5,
    onChange: ({ state }) => states.push(state),
  });
  await supervised.start();
  await supervised.stop('orderly');
  expect(states.slice(states.indexOf('stopping'))).toEqual(['stopping', 'stopped']);
});

// Guarantee: what makes a start take long is shown while it does, and no longer once it answers.
test('a start that takes long', async () => {
  const shown: (readonly [ComponentState, string | null])[] = [];
  const slow = slowToEnd();
  const supervised = superviseComponent({
    component: {
      name: 'postgres',
      host: {
        start(signal, say) {
          say('The database is recovering.');
          return slow.start(signal, say);
        },
      },
      port: () => null,
    },
    limits: { restart: restartLimits, probe: { ...probeLimits, startingIntervalMs: 1, intervalMs: 1 } },
    clock: systemClock,
    random: () => 0.5,
    onChange: ({ state, reason }) => shown.push([state, reason]),
  });
  await supervised.start();
  await supervised.stop('now');
  expect(shown.slice(0, 2)).toEqual([
    ['starting', null],
    ['starting', 'The database is recovering.'],
  ]);
  expect(shown.filter(([state]) => state === 'running').map(([, reason]) => reason)).not.toContain(
    'The database is recovering.',
  );
});

/** Dies at each start, until it is repaired. */
const dying = () => {
  let starts = 0;
  let isMended = false;
  const host: ComponentHost = {
    async start() {
      starts += 1;
      const ended = Promise.withResolvers<{ reason: string; needsConfiguration: boolean; lastLines: [] }>();
      const end = () =>
        ended.resolve({ reason: 'the disk is full', needsConfiguration: false, lastLines: [] });
      if (!isMended) end();
      return {
        pid: 1,
        ended: ended.promise,
        probe: async () => ({ condition: 'ok', detail: null }),
        stop: async () => end(),
      };
    },
  };
  return { host, starts: () => starts, mend: () => (isMended = true) };
};

// Guarantee: after a crash loop a component is tried slowly and says when; each further death waits as long, a life ends the
// loop, and a stop ends the wait immediately.
test('a crash loop is tried slowly', async () => {
  const component = dying();
  const waits: number[] = [];
  const slowly: (() => void)[] = [];
  const clock: DelayClock = {
    ...systemClock,
    delay(ms, signal) {
      if (ms < 60_000) return systemClock.delay(ms / 1000, signal);
      waits.push(ms);
      return new Promise((resolve) => {
        slowly.push(resolve);
        signal.addEventListener('abort', () => resolve());
      });
    },
  };
  const supervised = superviseComponent({
    component: { name: 'postgres', host: component.host, port: () => null },
    limits: { restart: restartLimits, probe: { ...probeLimits, startingIntervalMs: 10_000 } },
    clock,
    random: () => 0.5,
    onChange: () => undefined,
  });
  // A start ends with the first failure.
  await supervised.start();
  expect(component.starts()).toBe(5);
  expect(supervised.status()).toMatchObject({
    state: 'failed',
    reason: expect.stringMatching(
      /^crash loop: died 5 times .*the disk is full; tried again every 5 minutes$/,
    ),
  });
  const nextTryAt = Date.parse(supervised.status().nextTryAt ?? '');
  expect(Math.abs(nextTryAt - Date.now() - 300_000)).toBeLessThan(10_000);

  slowly.shift()?.();
  await eventually(() => expect([component.starts(), waits.length]).toEqual([6, 2]));
  expect(supervised.status().state).toBe('failed');
  component.mend();
  slowly.shift()?.();
  await eventually(() => expect(supervised.status()).toMatchObject({ state: 'running', restarts: 6 }));
  expect(supervised.status().nextTryAt).toBeUndefined();
  expect(waits).toEqual([300_000, 300_000]);
  await supervised.stop('orderly');
});

// Guarantee: a stop does not wait for the next try.
test('a stop in the middle of a crash loop', async () => {
  const { host } = dying();
  const supervised = superviseComponent({
    component: { name: 'postgres', host, port: () => null },
    limits: { restart: { ...restartLimits, firstDelayMs: 1 }, probe: probeLimits },
    clock: systemClock,
    random: () => 0.5,
    onChange: () => undefined,
  });
  await supervised.start();
  expect(supervised.status().state).toBe('failed');
  const before = performance.now();
  await supervised.stop('orderly');
  expect(supervised.status().state).toBe('stopped');
  expect(performance.now() - before).toBeLessThan(5000);
});

// Guarantee: after a sleep a component is asked immediately, and not only when its turn would have come.
test('asked at once', async () => {
  let answers = 0;
  const ended = Promise.withResolvers<{ reason: string; needsConfiguration: boolean; lastLines: [] }>();
  const host: ComponentHost = {
    start: async () => ({
      pid: 1,
      ended: ended.promise,
      async probe() {
        answers += 1;
        return { condition: 'ok', detail: null };
      },
      async stop() {
        ended.resolve({ reason: 'stopped', needsConfiguration: false, lastLines: [] });
      },
    }),
  };
  const supervised = superviseComponent({
    component: { name: 'api', host, port: () => null },
    limits: { restart: restartLimits, probe: { ...probeLimits, startingIntervalMs: 1, intervalMs: 1e8 } },
    clock: systemClock,
    random: () => 0.5,
    onChange: () => undefined,
  });
  await supervised.start();
  expect(answers).toBe(1);
  for (const more of [2, 3]) {
    await eventually(() => {
      supervised.probeNow();
      expect(answers).toBeGreaterThanOrEqual(more);
    });
  }
  await supervised.stop('orderly');
});
