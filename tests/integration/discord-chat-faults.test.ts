import { expect, test } from 'vitest';
import { discordChatBotHttp } from '#contracts/discord/discord-chat.ts';
import { eventually } from '#harness/eventually.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import { permission } from '#simulators/discord/permissions.ts';
import { ApiFault } from '../../bot/api-client.ts';
import {
  ada,
  channel,
  discord,
  discordChatForThisFile,
  fjord,
  guildId,
  isPost,
  logged,
  patientMs,
  people,
  relay,
  relays,
  running,
  saidIn,
  say,
  shown,
  startBot,
  stopBot,
  usualApi,
  webhooks,
  withObstacles,
} from '../harness/discord-chat.ts';

discordChatForThisFile();

// Guarantee: a post whose answer is lost, or on which Discord fails, exists once, whether it was made or not, and in order.
test.each([
  ['an answer that is lost', 'lose-answer'],
  ['a connection that breaks', 'drop'],
  ['an error after it was made', { status: 500, isDone: true }],
  ['an error before', { status: 503 }],
] as const)('%s', async (_what, fate) => {
  await relay(fjord, { toGame: false });
  say(fjord, 'zero');
  await eventually(() => expect(shown()).toEqual(['Otter: zero']), patientMs);
  discord.faults.fateOf = nextTimes(2, fate, isPost);
  say(fjord, 'one');
  await eventually(() => expect(shown()).toHaveLength(2), patientMs);
  say(fjord, 'two', 'Bob');
  await eventually(() => expect(shown()).toEqual(['Otter: zero', 'Otter: one', 'Bob: two']), patientMs);
});

// Guarantee: lines from while the bot is offline follow once when it is back; it finds its webhook again, and creates a new one
// if it was deleted. The webhook's token is in no log and in no table.
test('the bot and its webhook come back', async () => {
  await relay(fjord);
  say(fjord, 'one');
  await eventually(() => expect(shown()).toEqual(['Otter: one']), patientMs);
  const [first] = webhooks();
  await stopBot();
  say(fjord, 'two');
  people.sendMessage(channel, ada, 'missed');
  await startBot();
  await eventually(() => expect(shown()).toEqual(['Otter: one', 'Otter: two']), patientMs);
  expect(webhooks()).toEqual([first]);
  discord.state.webhooks.clear();
  say(fjord, 'three');
  await eventually(() => expect(shown()).toEqual(['Otter: one', 'Otter: two', 'Otter: three']), patientMs);
  expect(webhooks()).toHaveLength(1);
  // It has not seen the messages from while it was offline.
  expect(saidIn(fjord).filter((line) => line.endsWith('missed'))).toEqual([]);
  const token = webhooks()[0]?.token ?? '';
  expect(token.length).toBeGreaterThan(20);
  const { db } = running().api.context.database;
  const lanes = await db.selectFrom('discord_chat_lanes').selectAll().execute();
  for (const secret of [token, first?.token ?? ''])
    expect(logged + JSON.stringify(lanes)).not.toContain(secret);
});

// Guarantee: a bot that dies between a post and its report does not post it again.
test('a post of which the API never heard', async () => {
  await relay(fjord, { toGame: false });
  say(fjord, 'zero');
  await eventually(() => expect(shown()).toEqual(['Otter: zero']), patientMs);
  // The next bot, which can report nothing, would get no further than a post that this one has not reported.
  const { db } = running().api.context.database;
  await eventually(async () => {
    const lanes = db.selectFrom('discord_chat_lanes').select('post').where('channel_id', '=', channel.id);
    expect(await lanes.execute()).toEqual([{ post: null }]);
  }, patientMs);
  await stopBot();
  const client = usualApi();
  await startBot({
    call: (endpoint, ...rest) =>
      endpoint.path === discordChatBotHttp.settle.path
        ? Promise.reject(new ApiFault('lost'))
        : client.call(endpoint, ...rest),
  });
  say(fjord, 'one');
  await eventually(() => expect(shown()).toEqual(['Otter: zero', 'Otter: one']), patientMs);
  await stopBot();
  await startBot();
  say(fjord, 'two');
  await eventually(() => expect(shown()).toEqual(['Otter: zero', 'Otter: one', 'Otter: two']), patientMs);
});

// Guarantee: a broken connection to Discord loses nothing and repeats nothing.
test('a dropped gateway', async () => {
  await relay(fjord);
  const { resumed } = discord.gateway;
  people.sendMessage(channel, ada, 'before');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: before'), patientMs);
  discord.gateway.cut();
  people.sendMessage(channel, ada, 'meanwhile');
  await eventually(() => expect(discord.gateway.resumed).toBeGreaterThan(resumed), patientMs);
  people.sendMessage(channel, ada, 'after');
  await eventually(
    () =>
      expect(saidIn(fjord).slice(-3)).toEqual([
        '[Discord] Ada: before',
        '[Discord] Ada: meanwhile',
        '[Discord] Ada: after',
      ]),
    patientMs,
  );
});

// Guarantee: an obstacle of a relay is named with what is missing, Discord gets no requests until it is gone, and the chat follows
// by itself.
test('obstacles', async () => {
  await relay(fjord);
  const botRole = people.roleNamed('Castellan Bot');
  people.setOverwrite(channel, botRole.id, { deny: ['manageWebhooks'] });
  await withObstacles('permissions-missing');
  expect((await relays())[0]?.missing).toEqual(['manageWebhooks']);
  const before = discord.requests.length;
  say(fjord, 'waits');
  people.sendMessage(channel, ada, 'goes');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: goes'), patientMs);
  expect(discord.requests.slice(before).filter(({ path }) => path.includes(channel.id))).toEqual([]);
  // As many webhooks as a channel may have, none of them the bot's.
  for (let number = 0; number < 15; number += 1) {
    const id = `1000000000000000${String(number).padStart(2, '0')}`;
    const other = { id, type: 1, token: 'y'.repeat(68), name: 'Other', avatar: null } as const;
    discord.state.webhooks.set(id, {
      ...other,
      guild_id: guildId,
      channel_id: channel.id,
      application_id: null,
    });
  }
  people.setOverwrite(channel, botRole.id, { allow: ['manageWebhooks'] });
  await withObstacles('too-many-webhooks');
  people.deleteChannel(channel);
  await withObstacles('channel-unknown');
});

// Guarantee: a post in doubt is not repeated while the channel's history cannot be read and Discord returns it as empty.
test('in doubt without a history', async () => {
  await relay(fjord, { toGame: false });
  const botRole = people.roleNamed('Castellan Bot');
  const rights = ['readMessageHistory'] as const;
  people.setOverwrite(channel, guildId, { deny: rights });
  people.setOverwrite(channel, botRole.id, { allow: rights });
  discord.faults.fateOf = (request) => {
    if (!isPost(request)) return 'answer';
    discord.faults.fateOf = () => 'answer';
    people.setOverwrite(channel, botRole.id, {});
    return { status: 500, isDone: true };
  };
  say(fjord, 'one');
  await eventually(() => expect(shown()).toEqual(['Otter: one']), patientMs);
  await withObstacles('permissions-missing');
  say(fjord, 'two', 'Bob');
  people.setOverwrite(channel, botRole.id, { allow: rights });
  await eventually(() => expect(shown()).toEqual(['Otter: one', 'Bob: two']), patientMs);
});

// Guarantee: a channel where Discord refuses what the permissions allow gets no further requests, and its relay says so.
test('a refusal', async () => {
  await relay(fjord, { toGame: false });
  // The bot is not notified.
  const botRole = people.roleNamed('Castellan Bot');
  channel.overwrites = [{ id: botRole.id, type: 0, allow: '0', deny: String(permission.manageWebhooks) }];
  say(fjord, 'one');
  await withObstacles('refused');
  const refused = discord.requests.filter(({ path, status }) => path.includes(channel.id) && status === 403);
  expect(refused).toHaveLength(1);
});
