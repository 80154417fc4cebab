import { afterAll, beforeEach, expect, test } from 'vitest';
import { freePort } from '#harness/ports.ts';
import { listen } from '#runtime/http/listen.ts';
import { bothIntents, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { noFaults } from '#simulators/discord/faults.ts';
import { checkDiscord } from './check-discord.ts';

const discord = await startDiscord();
afterAll(() => discord[Symbol.asyncDispose]());
const { token, applicationId: clientId, name } = usualBot;
const guildId = '222222222222222222';

beforeEach(() => {
  discord.state.application.flags = bothIntents;
  Object.assign(discord.faults, noFaults());
  discord.addGuild('The Keep', { id: guildId });
});

const check = (asked: Partial<Parameters<typeof checkDiscord>[0]> = {}) =>
  checkDiscord({ token, clientId: '', guildId: '', ...asked }, { apiUrl: discord.apiUrl });

// Guarantee: a token is reported as fine only when Discord has confirmed its application, its server and its intents.
test('what Discord says of a token', async () => {
  expect(await check({ clientId, guildId })).toMatchObject({
    outcome: 'fine',
    botName: name,
    guildName: 'The Keep',
  });
  expect(await check()).toMatchObject({ outcome: 'fine', clientId, guildName: null });
  expect(await check({ token: 'wrong' })).toEqual({ outcome: 'token-wrong' });
  expect(await check({ clientId: '999999999999999999' })).toEqual({ outcome: 'other-client', clientId });
  expect(await check({ guildId: '333333333333333333' })).toMatchObject({
    outcome: 'not-in-guild',
    inviteUrl: expect.stringContaining(`client_id=${clientId}`),
  });
  discord.state.application.flags = 1 << 14;
  expect(await check({ guildId })).toMatchObject({ outcome: 'intents-off' });
  discord.faults.fateOf = () => ({ throttleMs: 2500 });
  expect(await check()).toEqual({ outcome: 'rate-limited', retryAfterSeconds: 3 });
});

// Guarantee: no answer, or an answer from anyone but Discord, never counts as Discord's no.
test('Discord away', async () => {
  const apiUrl = `http://127.0.0.1:${await freePort()}`;
  const asked = { token, clientId: '', guildId: '' };
  expect(await checkDiscord(asked, { apiUrl })).toMatchObject({ outcome: 'unreachable' });
});

// Guarantee: a failing Discord says nothing about whether the bot is on a server, and made-up ids do not get past it either.
test.each([
  ['trouble with the server', { id: clientId }, 503],
  ['an id that is none', { id: '../..' }, 200],
])('%s', async (_case, application, guildStatus) => {
  await using listener = await listen({
    handler: ({ url }, response) => {
      const isGuild = url?.startsWith('/v10/guilds/');
      response.writeHead(isGuild ? guildStatus : 200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ username: name, name: 'The Keep', flags: bothIntents, ...application }));
    },
    host: '127.0.0.1',
    port: 0,
  });
  const asked = { token, clientId: '', guildId };
  const apiUrl = `http://127.0.0.1:${listener.port}`;
  expect(await checkDiscord(asked, { apiUrl })).toMatchObject({ outcome: 'unreachable' });
});
