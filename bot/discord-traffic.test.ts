import { afterEach, beforeEach, expect, test } from 'vitest';
import { botTraffic, mostTrafficErrors } from '#contracts/discord/bot.ts';
import { type Discord, startDiscord } from '#simulators/discord/discord.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { type SignedIn, signIn } from '#simulators/discord/signed-in.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { eventually } from '../tests/harness/eventually.ts';
import { DiscordClient } from './discord-client.ts';
import { createDiscordTraffic } from './discord-traffic.ts';

let discord: Discord;
let people: People;
let channel: Channel;
let bot: SignedIn;
let client: DiscordClient;

beforeEach(async () => {
  discord = await startDiscord();
  people = discord.addGuild('The Keep', { channels: ['general'] });
  channel = people.channelNamed('general');
  bot = await signIn(discord);
  if (!(bot.client instanceof DiscordClient)) throw new Error('another client');
  client = bot.client;
});
afterEach(async () => {
  await bot[Symbol.asyncDispose]();
  await discord[Symbol.asyncDispose]();
});

const post = () => client.rest.post(`/channels/${channel.id}/messages`, { body: { content: 'x' } });

// Guarantee: requests that wait for Discord are counted, with the wait of the oldest, from the moment they are made.
test('what waits', async () => {
  discord.settings.rateLimits = {
    ...discord.settings.rateLimits,
    buckets: { 'create-message': { limit: 1, windowMs: 2000 } },
  };
  await post();
  const waiting = Promise.all([post(), post()]);
  await eventually(() => {
    const { waiting: count, oldestWaitMs } = client.traffic.read();
    expect(count).toBe(2);
    expect(oldestWaitMs).toBeGreaterThan(100);
  });
  await waiting;
  expect(client.traffic.read()).toMatchObject({ waiting: 0, oldestWaitMs: 0, failingChannels: 0 });
});

// Guarantee: a channel in which messages fail is counted until one succeeds; the same error again is counted, not listed again.
test('what fails', async () => {
  channel.overwrites = [{ id: people.roleNamed('Castellan Bot').id, type: 0, allow: '0', deny: '2048' }];
  for (const _ of [1, 2]) await expect(post()).rejects.toThrow();
  expect(client.traffic.read()).toMatchObject({
    failingChannels: 1,
    errors: [{ status: 403, code: '50013', message: 'Missing Permissions', count: 2 }],
  });
  channel.overwrites = [];
  await post();
  expect(client.traffic.read()).toMatchObject({ failingChannels: 0, errors: [{ count: 2 }] });
  discord.faults.fateOf = nextTimes(10, { status: 503 }, ({ method }) => method === 'POST');
  await expect(post()).rejects.toThrow();
  expect(client.traffic.read()).toMatchObject({
    failingChannels: 1,
    errors: [{ status: 503 }, { status: 403 }],
  });
});

// Guarantee: errors are few and short, and contain no token of a webhook or an interaction in any form.
test('what is told of errors', async () => {
  const traffic = createDiscordTraffic();
  const fail = (path: string) =>
    traffic
      .track({ method: 'POST', path }, () =>
        Promise.reject(Object.assign(new Error('a secret'), { code: 'ECONNRESET' })),
      )
      .catch(() => undefined);
  for (let number = 0; number < 10; number += 1) await fail(`/channels/${number}/messages`);
  await fail('/webhooks/123456789012345678/aW50ZXJhY3Rpb246TOKEN_of-it/messages/@original');
  await fail('/interactions/123456789012345678/aW50ZXJhY3Rpb246TOKEN/callback');
  const read = traffic.read();
  expect(botTraffic.parse(read)).toEqual(read);
  expect(read.errors).toHaveLength(mostTrafficErrors);
  expect(JSON.stringify(read)).not.toMatch(/TOKEN|secret/);
  expect(read.errors[0]?.request).toBe('POST /interactions/123456789012345678/…/callback');
});

// Guarantee: after its end a client sends nothing more, even if requests still wait.
test('an end while requests wait', async () => {
  discord.settings.rateLimits = {
    ...discord.settings.rateLimits,
    buckets: { 'create-message': { limit: 1, windowMs: 500 } },
  };
  await post();
  const waiting = expect(post()).rejects.toThrow('ended');
  await bot[Symbol.asyncDispose]();
  await waiting;
  expect(channel.messages.size).toBe(1);
});
