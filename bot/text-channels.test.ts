import { once } from 'node:events';
import { Events } from 'discord.js';
import { expect, test } from 'vitest';
import { chatChannelPermissions } from '#contracts/discord/discord-chat.ts';
import { eventChannelPermissions } from '#contracts/discord/discord-events.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { isTextChannel, missingIn } from './text-channels.ts';

// Guarantee: the places that are offered are those that anyone may write in at any time, and what the bot lacks there is named, also
// the right to connect, without which Discord denies it everything in a voice channel.
test('places to post', async () => {
  await using resources = new AsyncDisposableStack();
  const discord = resources.use(await startDiscord());
  const people = discord.addGuild('The Keep');
  const types = { text: 0, voice: 2, category: 4, announcement: 5, stage: 13, forum: 15 } as const;
  for (const [name, type] of Object.entries(types)) {
    const channel = people.createChannel(name, type);
    people.setOverwrite(channel, people.guild.id, { deny: ['connect'] });
  }
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  const ready = once(client, Events.ClientReady);
  await client.login(usualBot.token);
  await ready;
  const guild = await client.guilds.fetch(people.guild.id);
  const me = await guild.members.fetchMe();
  const offered = [...guild.channels.cache.values()].filter(isTextChannel);
  const missing = offered.map((channel) => [
    channel.name,
    missingIn(channel, me, chatChannelPermissions),
    missingIn(channel, me, eventChannelPermissions),
  ]);
  expect(missing).toEqual([
    ['text', [], []],
    ['voice', ['connect'], ['connect']],
    ['announcement', [], []],
    ['stage', ['connect'], ['connect']],
  ]);
});
