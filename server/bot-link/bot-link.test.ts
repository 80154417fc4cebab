import { expect, test } from 'vitest';
import { botHttp } from '#contracts/bot.ts';
import { discordHttp } from '#contracts/discord.ts';
import { healthHttp } from '#contracts/health.ts';
import { observabilityHttp } from '#contracts/observability.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call } from '../testing/call.ts';
import { testDesktopCredential as as, testBotSecret } from '../testing/test-api.ts';

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
