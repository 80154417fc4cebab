import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type APIMessage, Events, type Message, type MessageFlags } from 'discord.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { heardText } from '../../../bot/chat/hear-messages.ts';
import { changedInputsTimeout, checkChanged } from '../changed-inputs.ts';
import { mutated, mutations } from '../mutate.ts';

/** File → what a game shows of it; empty: it is not said. */
const right: Readonly<Record<string, string>> = {
  plain: 'hello',
  mentions: '@Ada and @Ada in #chat, @everyone',
  'mentions-unknown': '@unknown @unknown #unknown',
  'timestamp-relative': 'wipe 2021-04-20 21:20 UTC',
  'timestamp-before-1970': '1969-12-31',
  emoji: 'nice :castle::spin: 😀',
  'slash-mention': 'try /shop buy',
  'guild-navigation': '(Channels & Roles) (Browse Channels) (Server Guide) (Linked Roles)',
  spoiler: 'the boss is (spoiler) :)',
  'spoiler-open': 'a || b',
  'spoiler-picture': '(SPOILER_map.png)',
  'link-without-preview': 'see https://example.com/rules or mailto:ada@example.com or +5511987654321',
  'link-with-preview': 'https://example.com',
  files: 'look (a.png) (b.txt)',
  'voice-message': '(voice message)',
  sticker: '(Wave)',
  reply: 'yes',
  forward: '(forwarded) restart at 21:20 UTC',
  'forward-of-voice': '(forwarded) (voice message)',
  'forward-of-embed': '(forwarded) Maintenance Tonight in #unknown',
  'forward-of-sticker': '(forwarded) (Wave)',
  'forward-of-poll': '(forwarded)',
  poll: '(poll) Wipe on Friday? Yes / No',
  'poll-of-emoji': '(poll) Wipe on Friday? 👍 / castle',
  silent: 'quiet',
  'future-members': 'hello',
  'join-game': '',
  'system-pin': '',
  'system-join': '',
  'system-boost': '',
  'system-follow': '',
  'system-thread-created': '',
  'system-thread-starter': '',
  'system-automod': '',
  'system-stage-start': '',
  'system-poll-result': '',
  'slash-answer': '',
  bot: '',
  webhook: '',
  'future-type': '',
};

const none = 0 as MessageFlags;
const running = new AsyncDisposableStack();
let hear: (text: string) => Promise<string>;
let people: Awaited<ReturnType<typeof startPeople>>;

const startPeople = async () => {
  const discord = running.use(await startDiscord());
  const guild = discord.addGuild('The Keep');
  const channel = guild.createChannel('chat');
  const ada = guild.join('Ada');
  const client = makeClient(discord);
  running.defer(() => client.destroy());
  const ready = once(client, Events.ClientReady);
  await client.login(usualBot.token);
  await ready;
  return { guild, channel, ada, client };
};

beforeAll(async () => {
  people = await startPeople();
  const { guild, channel, ada, client } = people;
  hear = async (text) => {
    const filled = text.replaceAll('ADA_ID', ada.user.id).replaceAll('CHAT_ID', channel.id);
    const { content = '', ...more } = (JSON.parse(filled) as { message: Partial<APIMessage> }).message;
    const heard = once(client, Events.MessageCreate);
    // Only Discord's own clients and Discord itself send most of these.
    guild.sendMessage(channel, ada, content, { more: { flags: none, ...more } });
    const [message] = (await heard) as [Message];
    return heardText(message);
  };
});
afterAll(() => running.disposeAsync());

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));

// Guarantee: of each kind of message that Discord documents, a game shows what people see, and nothing that is not a person's.
test.each(files)('%s', async (file) => {
  expect(await hear(readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))).toBe(
    right[file.replace('.json', '')],
  );
});

// Guarantee: the simulator's forwards and polls have the documented shapes, and are heard as those of the files.
test('forwards and polls of the simulator', async () => {
  const { guild, channel, ada, client } = people;
  const next = async (send: () => void) => {
    const heard = once(client, Events.MessageCreate);
    send();
    const [message] = (await heard) as [Message];
    return heardText(message);
  };
  const poll = () => guild.sendPoll(channel, ada, 'Wipe on Friday?', ['Yes', 'No']);
  expect(await next(poll)).toBe(right.poll);
  const first = guild.sendMessage(channel, ada, 'restart at <t:1618953630:t>');
  await once(client, Events.MessageCreate);
  expect(await next(() => guild.forwardMessage(channel, ada, first))).toBe(right.forward);
});

// Guarantee: no text makes the reader throw, and what stands between a spoiler's bars is never said.
test('changed texts', { timeout: changedInputsTimeout }, () => {
  const texts = files.flatMap((file) => {
    const text = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
    return (JSON.parse(text) as { message: Partial<APIMessage> }).message.content || [];
  });
  return checkChanged('discord', fc.tuple(fc.constantFrom(...texts), mutations), async ([text, changes]) => {
    const content = `||hidden|| ${mutated(Buffer.from(text), changes).toString()}`;
    const said = await hear(JSON.stringify({ message: { content } }));
    expect(said).toMatch(/^\(spoiler\)/);
  });
});

test('the table has no more rows than there are files', () => {
  expect(Object.keys(right).sort()).toEqual(files.map((file) => file.replace('.json', '')).sort());
});
