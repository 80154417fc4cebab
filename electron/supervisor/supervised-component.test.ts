import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ComponentState } from '#contracts/stack.ts';
import { systemClock } from './clock.ts';
import type { ComponentHost } from './component.ts';
import { probeLimits } from './probe-verdict.ts';
import { restartLimits } from './restart-verdict.ts';
import { superviseComponent } from './supervised-component.ts';

/** A process that goes on answering while it takes its time to end, as a busy Postgres does. */
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
        // One may be under way.
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
