import { Events } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { createApiClient } from './api-client.ts';
import { type BotFeature, runGuildFeatures } from './guild-features.ts';

const guildId = '222222222222222222';

let discord: Discord;
let calls: string[];

beforeEach(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  calls = [];
});
afterEach(() => discord[Symbol.asyncDispose]());

const feature =
  (name: string): BotFeature =>
  ({ client, signal }) => {
    calls.push(`${name} on ${client.guilds.cache.get(guildId)?.name}`);
    return {
      async [Symbol.asyncDispose]() {
        calls.push(`${name} ends, ${signal.aborted ? 'aborted' : 'running'}`);
      },
    };
  };

const run = (client: ReturnType<typeof makeClient>) =>
  runGuildFeatures({
    client,
    guildId,
    features: [feature('first'), feature('second')],
    api: createApiClient('http://127.0.0.1:1', new Secret('unused')),
    log: createLog({ component: 'bot', level: 'silent' }),
  });

const started = ['first on The Keep', 'second on The Keep'];
const ended = ['second ends, aborted', 'first ends, aborted'];

// Guarantee: features run while the bot is on its Discord server and at no other time; a dropped connection changes nothing.
test('the life of features', async () => {
  const client = makeClient(discord);
  await using features = run(client);
  await client.login(usualBot.token);
  await eventually(() => expect(client.isReady()).toBe(true));
  const people = discord.addGuild('The Keep', { id: guildId });
  await eventually(() => expect(calls).toEqual(started));

  const resumed = new Promise((resolve) => client.once(Events.ShardResume, resolve));
  discord.gateway.cut(4000);
  await resumed;
  discord.setGuildAvailable(people.guild, false);
  discord.setGuildAvailable(people.guild, true);
  const joined = new Promise((resolve) => client.once(Events.GuildMemberAdd, resolve));
  people.join('Ann');
  await joined;
  expect(calls).toEqual(started);

  people.removeBot();
  await eventually(() => expect(calls).toEqual([...started, ...ended]));
  await features[Symbol.asyncDispose]();
  expect(calls).toEqual([...started, ...ended]);
  await client.destroy();
});

// Guarantee: when the session ends, running features are disposed once, and none begins afterwards.
test('an end', async () => {
  discord.addGuild('The Keep', { id: guildId });
  const client = makeClient(discord);
  const features = run(client);
  await client.login(usualBot.token);
  await eventually(() => expect(calls).toEqual(started));
  await features[Symbol.asyncDispose]();
  expect(calls).toEqual([...started, ...ended]);
  await client.destroy();
});
