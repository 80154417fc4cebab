import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { botHttp } from '#contracts/discord/bot.ts';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { eventually } from '#harness/eventually.ts';
import { Secret } from '#runtime/secret.ts';
import type { ComponentHost } from '../supervisor/component.ts';
import { probeLimits } from '../supervisor/probe-verdict.ts';
import { restartLimits } from '../supervisor/restart-verdict.ts';
import { createSupervisor } from '../supervisor/supervisor.ts';
import { botProcessIn, reportBot } from './report-bot.ts';

/** A bot that answers until it is frozen; frozen, it cannot be started again either. */
const freezingBot = () => {
  let isFrozen = false;
  const host: ComponentHost = {
    async start() {
      if (isFrozen) throw new Error('no room');
      const ended = Promise.withResolvers<{ reason: string; needsConfiguration: boolean; lastLines: [] }>();
      return {
        pid: 1,
        ended: ended.promise,
        async probe() {
          if (isFrozen) throw new Error('no answer');
          return { condition: 'ok', detail: null };
        },
        async stop() {
          ended.resolve({ reason: 'stopped', needsConfiguration: false, lastLines: [] });
        },
      };
    },
  };
  return {
    host,
    freeze() {
      isFrozen = true;
    },
  };
};

// Guarantee: the API hears every state of the bot's process, up to the supervisor's giving up.
test('a bot that freezes', async () => {
  const reports: unknown[] = [];
  await using api = createServer((request, response) => {
    expect(request.headers.authorization).toBe('Bearer the-secret');
    expect(`${request.method} ${request.url}`).toBe(`PUT ${botHttp.process.path}`);
    void json(request).then((body) => {
      reports.push(body);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const bot = freezingBot();
  const supervisor = createSupervisor({
    components: [{ name: 'bot', host: bot.host, port: () => null }],
    limits: {
      restart: { ...restartLimits, firstDelayMs: 10, deaths: 2 },
      probe: { ...probeLimits, startingIntervalMs: 1, intervalMs: 20, unhealthyMisses: 3 },
    },
  });
  using _ = reportBot({
    supervisor,
    api: () => ({ origin, secret: new Secret('the-secret') }),
    intervalMs: 5,
  });
  await supervisor.start();
  await eventually(() => expect(reports).toContainEqual({ state: 'running', reason: null }));
  bot.freeze();
  await eventually(() => {
    expect(reports).toContainEqual({ state: 'unhealthy', reason: 'does not answer' });
    expect(reports.at(-1)).toEqual({ state: 'failed', reason: expect.stringContaining('no room') });
  });
  await supervisor.stop();
});

// Guarantee: a bot that has not answered the last probe is not reported as running, so that the report before it grows old.
test('a bot that missed a probe', () => {
  const bot: ComponentStatus = {
    name: 'bot',
    state: 'running',
    reason: null,
    pid: 1,
    port: null,
    since: '2026-01-01T00:00:00.000Z',
    restarts: 0,
    lastLines: [],
  };
  const found = (state: ComponentStatus['state'], isSilent: boolean) =>
    botProcessIn({ components: () => [{ ...bot, state }], isSilent: () => isSilent });
  expect(found('running', false)).toEqual({ state: 'running', reason: null });
  expect(found('running', true)).toBeNull();
  expect(found('unhealthy', true)).toEqual({ state: 'unhealthy', reason: null });
  expect(botProcessIn({ components: () => [], isSilent: () => false })).toBeNull();
});
