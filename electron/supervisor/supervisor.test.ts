import { expect, test } from 'vitest';
import type { ComponentName } from '#contracts/operations/stack.ts';
import type { Component } from './component.ts';
import { createSupervisor } from './supervisor.ts';

/** A part that answers at once, and ends when it is let. */
const openPart = (name: ComponentName) => {
  const part = { starts: 0, stopping: Promise.withResolvers<void>(), mayEnd: Promise.resolve() };
  const component: Component = {
    name,
    port: () => null,
    host: {
      async start() {
        part.starts += 1;
        const ended = Promise.withResolvers<{ reason: string; needsConfiguration: boolean; lastLines: [] }>();
        return {
          pid: part.starts,
          ended: ended.promise,
          probe: async () => ({ condition: 'ok', detail: null }),
          async stop() {
            part.stopping.resolve();
            await part.mayEnd;
            ended.resolve({ reason: 'stopped', needsConfiguration: false, lastLines: [] });
          },
        };
      },
    },
  };
  return { part, component };
};

// Guarantee: a change for which parts are restarted starts nothing that someone has stopped, before or meanwhile.
test('one part of a stopped stack', async () => {
  const [api, bot] = [openPart('api'), openPart('bot')];
  const supervisor = createSupervisor({ components: [api.component, bot.component] });
  const starts = () => [api.part.starts, bot.part.starts];
  await supervisor.restart('api');
  expect(starts()).toEqual([0, 0]);
  await supervisor.start();
  await supervisor.restart('api');
  expect(starts()).toEqual([2, 1]);

  const ending = Promise.withResolvers<void>();
  api.part.stopping = Promise.withResolvers();
  api.part.mayEnd = ending.promise;
  const change = (async () => {
    await supervisor.restart('api');
    await supervisor.restart('bot');
  })();
  await api.part.stopping.promise;
  const stopped = supervisor.stop();
  ending.resolve();
  await Promise.all([change, stopped]);
  expect(starts()).toEqual([2, 1]);
  expect(supervisor.state()).toBe('stopped');

  await supervisor.restart();
  expect(starts()).toEqual([3, 2]);
  await supervisor.stop();
});
