import { once } from 'node:events';
import { type APIMessage, Events, type Message } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { messageText } from './message-text.ts';

const running = new AsyncDisposableStack();
let hear: (content: string, more?: Partial<APIMessage>) => Promise<string>;
beforeAll(async () => {
  const discord = running.use(await startDiscord());
  const people = discord.addGuild('The Keep');
  const channel = people.createChannel('chat');
  const ada = people.join('Ada');
  const client = makeClient(discord);
  running.defer(() => client.destroy());
  const ready = once(client, Events.ClientReady);
  await client.login(usualBot.token);
  await ready;
  hear = async (content, more = {}) => {
    const heard = once(client, Events.MessageCreate);
    const text = content.replace('ADA', `<@${ada.user.id}>`).replace('CHAT', `<#${channel.id}>`);
    people.sendMessage(channel, ada, text, { more });
    const [message] = (await heard) as [Message<true>];
    return messageText(message);
  };
});
afterAll(() => running.disposeAsync());

const id = '111111111111111111';

// Guarantee: what Discord's clients show in place of a code is said in words (DiscordSRV/DiscordSRV#1804, and its reference).
test.each([
  ['hello', 'hello'],
  ['ADA in CHAT', '@Ada in #chat'],
  ['at <t:1618953630>', 'at 2021-04-20 21:20 UTC'],
  ['<t:1618953630:R> <t:1618953630:t> <t:1618953630:D>', '2021-04-20 21:20 UTC 21:20 UTC 2021-04-20'],
  ['<t:1618953630:T>', '21:20:30 UTC'],
  ['<t:99999999999999999>', '<t:99999999999999999>'],
  [`nice <:castle:${id}><a:spin:${id}>`, 'nice :castle::spin:'],
  [`try </shop buy:${id}>`, 'try /shop buy'],
  ['see <id:customize> or <id:guide>', 'see (Channels & Roles) or (Server Guide)'],
  [`<sound:0:${id}>`, '(sound)'],
  ['a < b > c', 'a < b > c'],
])('%s', async (written, heard) => {
  expect(await hear(written)).toBe(heard);
});

const attachment = {
  id,
  filename: 'map.png',
  size: 1,
  url: 'https://x/map.png',
  proxy_url: 'https://x/map.png',
};
const message_reference = { type: 1, message_id: id, channel_id: id, guild_id: id };
const snapshot = (message: object) =>
  ({ message_reference, message_snapshots: [{ message }] }) as Partial<APIMessage>;
const ofSnapshot = {
  type: 0,
  embeds: [],
  timestamp: '2026-01-01T00:00:00Z',
  edited_timestamp: null,
  flags: 0,
};
const withoutMentions = { mentions: [], mention_roles: [], attachments: [], components: [] };

// Guarantee: a message without a text of its own is said by what it holds; a forwarded one by its copy
// (3dproger/AxelChat#564, riba2534/happyclaw#693).
test('messages without a text', async () => {
  expect(await hear('', { attachments: [attachment] })).toBe('(map.png)');
  const voice = { ...attachment, filename: 'voice-message.ogg', duration_secs: 3, waveform: '' };
  expect(await hear('', { attachments: [voice], flags: 1 << 13 })).toBe('(voice message)');
  const poll = {
    question: { text: 'Wipe?' },
    answers: [
      { answer_id: 1, poll_media: { text: 'Yes' } },
      { answer_id: 2, poll_media: { text: 'No', emoji: { id: null, name: '🙅' } } },
    ],
    ...{ expiry: '2026-01-02T00:00:00Z', allow_multiselect: false, layout_type: 1 },
  };
  expect(await hear('', { poll })).toBe('(poll) Wipe? Yes / No');
  const copied = { ...ofSnapshot, ...withoutMentions, content: 'restart at <t:1618953630:t>' };
  expect(await hear('', snapshot(copied))).toBe('(forwarded) restart at 21:20 UTC');
  const picture = { ...copied, content: '', attachments: [attachment] };
  expect(await hear('', snapshot(picture))).toBe('(forwarded) (map.png)');
  expect(await hear('look', snapshot(copied))).toBe('look (forwarded) restart at 21:20 UTC');
  const sticker = { sticker_items: [{ id, name: 'Wave', format_type: 1 }] };
  expect(await hear('', sticker)).toBe('(Wave)');
});
