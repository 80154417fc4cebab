import { expect, test } from 'vitest';
import { type BotProcess, botHttp } from '#contracts/discord/bot.ts';
import { discordHttp } from '#contracts/discord/discord.ts';
import { healthHttp } from '#contracts/operations/health.ts';
import { observabilityHttp } from '#contracts/operations/observability.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { ask } from '../../kernel/testing/ask.ts';
import { call } from '../../kernel/testing/call.ts';
import { testDesktopCredential as as, testBotSecret } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();

// Guarantee: what the bot reports about its requests to Discord is in health, metrics and panel, and disappears when the bot signs out.
test('traffic', async () => {
  const { port } = running();
  const traffic = {
    waiting: 12,
    oldestWaitMs: 45_000,
    failingChannels: 3,
    errors: [
      {
        at: '2026-01-01T00:00:00.000Z',
        request: 'POST /channels/333333333333333331/messages',
        status: 403,
        code: '50013',
        message: 'Missing Permissions',
        count: 4,
      },
    ],
  };
  const report = (more: object) =>
    call(port, botHttp.report, {
      as: testBotSecret,
      body: { state: 'connected', detail: 'signed in', ...more },
    });
  const metrics = async () => (await call(port, observabilityHttp.metrics, { as })).text;

  expect((await report({ traffic })).status).toBe(200);
  const { components } = (await call(port, healthHttp.stack, { as })).json as { components: { bot: object } };
  expect(components.bot).toMatchObject({
    status: 'degraded',
    detail: expect.stringContaining('Requests that wait for Discord: 12. The oldest has waited 45 s.'),
  });
  expect(await metrics()).toContain('castellan_bot_requests_waiting 12');
  expect(await metrics()).toContain('castellan_bot_oldest_wait_seconds 45');
  expect(await metrics()).toContain('castellan_bot_failing_channels 3');
  expect((await call(port, discordHttp.read, { as })).json.bot).toMatchObject({ traffic });

  await report({});
  expect(await metrics()).not.toMatch(/castellan_bot_requests_waiting \d/);
});

// Guarantee: what the bot's supervisor says is in health; a monitor that reads only the HTTP status sees what is down.
test('the process of the bot', async () => {
  const { port } = running();
  const reportProcess = (state: BotProcess['state']) =>
    call(port, botHttp.process, { as: testBotSecret, body: { state, reason: null } });
  const strictly = (query: string) => ask(port, healthHttp.stack.path + query);
  await call(port, botHttp.report, { as: testBotSecret, body: { state: 'connected', detail: 'signed in' } });
  expect((await reportProcess('running')).status).toBe(200);
  expect((await strictly('?strict')).status).toBe(200);
  await reportProcess('failed');
  expect(await strictly('?strict')).toMatchObject({
    status: 503,
    json: { status: 'down', components: { bot: { status: 'down' } } },
  });
  expect((await strictly('')).status).toBe(200);
  expect((await strictly('?strict=perhaps')).status).toBe(400);
  expect((await call(port, botHttp.process, { body: { state: 'running', reason: null } })).status).toBe(401);
});
