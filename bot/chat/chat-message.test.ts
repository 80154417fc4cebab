import { expect, test } from 'vitest';
import {
  type ChatPost,
  longestChatLine,
  longestChatName,
  longestServerName,
} from '#contracts/discord/discord-chat.ts';
import { checkMessage, checkWebhookName } from '#simulators/discord/message-form.ts';
import { composePost } from '../../server/discord/chat-relay/compose-post.ts';
import { chatMessage, usernameOf } from './chat-message.ts';

const post = (lines: ChatPost['lines'], speaker: ChatPost['speaker'] = { discordId: null }): ChatPost => ({
  id: 'x',
  channelId: '333333333333333331',
  openedAt: new Date(0).toISOString(),
  isRepeat: false,
  isExpired: false,
  afterMessageId: null,
  speaker,
  lines,
});

// Guarantee: whatever a player's name is, Discord accepts it and it reads as the player's.
test.each([
  ['Ann', null, 'Ann'],
  ['Ann', 'Fjord', 'Ann · Fjord'],
  ['MyDiscordName', null, 'MyDisc-ordName'],
  ['CLYDE discord', null, 'CLY-DE disc-ord'],
  ['Everyone', null, 'Every-one'],
  ['here', null, 'he-re'],
  ['here we are', null, 'here we are'],
  ['🦦'.repeat(60), 'x'.repeat(60), `${'🦦'.repeat(39)}…`],
])('%s on %s', (name, serverName, username) => {
  expect(usernameOf({ name, serverName })).toBe(username);
  checkWebhookName('username', username);
});

// Guarantee: no line has styling, mentions, links, invites or embeds, and none changes the text direction around it.
test('what lines hold stays text', () => {
  const text = '@everyone <@1> **x** https://evil.example discord.gg/abc \u202eabc';
  const {
    content = '',
    allowed_mentions,
    flags,
  } = chatMessage(post([{ name: 'A', text, serverName: null }]), 'named', null);
  expect(content).toContain(
    '\\@\u200beveryone \\<\\@\u200b1\\> \\*\\*x\\*\\* https\\:\\/\\/evil\\.example discord\\.gg\\/abc',
  );
  expect(content).not.toMatch(/https?:\/\/|discord\.gg|\u202e/);
  expect([allowed_mentions, flags]).toEqual([{ parse: [] }, 4]);
  const plain = chatMessage(
    post([{ name: '**A** [x](https://y)', text: 'b', serverName: 'F_j' }], null),
    'plain',
    null,
  );
  expect(plain.content).toBe(
    '**\u2068\\*\\*A\\*\\* \\[x\\]\\(https\\:\\/\\/y\\)\u2069** (\u2068F\\_j\u2069): \u2068b\u2069',
  );
  expect(plain.username).toBeUndefined();
});

// Guarantee: however many, long and strange the lines are that the API combines, they fit into a message.
test.each([
  ['long lines', '_'.repeat(longestChatLine), '*'.repeat(longestChatName)],
  ['short lines', '_', '*'],
  ['mentions', '@'.repeat(longestChatLine), '@'.repeat(longestChatName)],
  ['wide characters', '🦦'.repeat(longestChatLine), '🦦'.repeat(longestChatName)],
])('%s', (_what, text, name) => {
  const waiting = Array.from({ length: 200 }, (_, index) => ({
    serverId: 'a',
    playerId: String(index),
    name,
    text,
    at: new Date(),
  }));
  const rules = {
    filter: (line: string) => line,
    isCommand: () => false,
    isFlood: () => false,
    isRepeat: () => false,
    isOwn: () => false,
    since: new Date(0),
  };
  const serverName = '*'.repeat(longestServerName);
  const { lines } = composePost(waiting, rules);
  const body = chatMessage(
    post(
      lines.map((line) => ({ ...line, serverName })),
      null,
    ),
    'plain',
    null,
  );
  checkMessage(body as Parameters<typeof checkMessage>[0]);
  expect(body.content?.length).toBeLessThanOrEqual(2000);
});
