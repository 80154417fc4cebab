import { beforeEach, expect, test } from 'vitest';
import { type BotGuild, discordEventsBotHttp } from '#contracts/discord/discord-events.ts';
import {
  discordStatusBotHttp,
  discordStatusHttp,
  type KeptMessage,
  type NewStatusMessage,
  type RemovedMessage,
  type StatusOutcome,
} from '#contracts/discord/discord-status.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';

const running = apiForThisFile();
const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
const guildId = '222222222222222222';
const channelId = '333333333333333331';
const otherChannelId = '333333333333333332';
const messageId = '555555555555555551';
const guild: BotGuild = {
  guildId,
  channels: [channelId, otherChannelId].map((id) => ({
    id,
    name: 'status',
    category: null,
    missing: [],
    isRefused: false,
  })),
  roles: [],
};

let serverId: string;
let message: NewStatusMessage;

beforeEach(async () => {
  const { port, api } = running();
  const { db } = api.context.database;
  await db.deleteFrom('discord_status_messages').execute();
  await db.deleteFrom('discord_status_removals').execute();
  await call(port, discordEventsBotHttp.reportGuild, { ...asBot, body: guild });
  serverId = await newServer(port);
  const target = { kind: 'server' as const, id: serverId };
  message = { isEnabled: true, channelId, target, showsNames: false, joins: [] };
});

const create = async (more: Partial<NewStatusMessage> = {}, as = testDesktopCredential) =>
  call(running().port, discordStatusHttp.create, { as, body: { ...message, ...more } });
const created = async (): Promise<string> => {
  const made = await create();
  expect(made.status, made.text).toBe(200);
  return String(made.json.id);
};
const take = async (from = guildId) => {
  const { json } = await call(running().port, discordStatusBotHttp.take, {
    ...asBot,
    body: { guildId: from },
  });
  return json as unknown as { messages: KeptMessage[]; removed: RemovedMessage[] };
};
const takeOne = async (): Promise<KeptMessage> => {
  const [one] = (await take()).messages;
  if (!one) throw new Error('nothing is kept');
  return one;
};
const settle = (id: string, body: StatusOutcome) =>
  call(running().port, discordStatusBotHttp.settle, { ...asBot, params: { id }, body });
const shown = { digest: 'd', editedAt: null };
const posted = async (): Promise<string> => {
  const id = await created();
  const { post } = await takeOne();
  await settle(id, { outcome: 'posted', post: post?.id ?? '', channelId, messageId, shown });
  return id;
};

// Guarantee: the maker of a message must be allowed to see what it shows; an invalid target is refused.
test('rights', async () => {
  const { port } = running();
  const withPermissions = async (...permissions: Parameters<typeof customRole>[1]) =>
    (await person(port, { role: await customRole(port, permissions) })).token;
  const writer = await withPermissions('settings.write');
  const seer = await withPermissions('settings.write', 'servers.read');
  const both = await withPermissions('settings.write', 'servers.read', 'players.read');
  expect((await create({}, writer)).json.code).toBe('FORBIDDEN');
  expect((await create({ showsNames: true }, seer)).json.code).toBe('FORBIDDEN');
  expect((await create({}, seer)).status).toBe(200);
  const { json } = await create({ showsNames: true }, both);
  const change = (as: string, body: object) =>
    call(port, discordStatusHttp.change, { as, params: { id: String(json.id) }, body: body as never });
  // An actor who may not see names does not move a message that shows them to another channel.
  expect((await change(seer, { version: 1, channelId: otherChannelId })).json.code).toBe('FORBIDDEN');
  expect((await change(seer, { version: 1, showsNames: false })).status).toBe(200);
  expect((await change(both, { version: 1, showsNames: true })).json.code).toBe('CONFLICT');
  expect((await create({ target: { kind: 'cluster', id: serverId } })).json.code).toBe('NOT_FOUND');
  const audit = await running()
    .api.context.database.db.selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `discord-status-message:${json.id}`)
    .orderBy('id')
    .execute();
  expect(audit.map(({ action }) => action)).toEqual([
    'discord.create-status-message',
    'discord.change-status-message',
  ]);
});

// Guarantee: a post is opened before it is handed out, and stays the same until it is settled; then the message is kept by its id.
test('a post', async () => {
  const id = await created();
  const first = await takeOne();
  expect(first).toMatchObject({ id, channelId, messageId: null, post: { isRepeat: false }, shown: null });
  expect(first.post?.id).toHaveLength(12);
  expect((await takeOne()).post).toEqual({ ...first.post, isRepeat: true });
  const outcome = { outcome: 'posted' as const, post: first.post?.id ?? '', channelId, messageId, shown };
  await settle(id, outcome);
  await settle(id, outcome);
  expect(await takeOne()).toMatchObject({ messageId, post: null, shown });
  expect((await take()).removed).toEqual([]);
  // Another Discord server, or none: nothing is handed out.
  expect(await take('999999999999999999')).toMatchObject({ messages: [], removed: [] });
  await settle(id, { outcome: 'gone', messageId, post: null });
  expect(await takeOne()).toMatchObject({ messageId: null, post: { isRepeat: false } });
});

// Guarantee: messages that are left behind are deleted: also a post that is made after its rule was moved or removed,
// and a message that no one may edit any more.
test('removals', async () => {
  const id = await created();
  const { post } = await takeOne();
  const ofMessage = { ...asOwner, params: { id } };
  const moved = await call(running().port, discordStatusHttp.change, {
    ...ofMessage,
    body: { version: 1, channelId: otherChannelId },
  });
  expect(moved.status).toBe(200);
  expect((await take()).removed).toMatchObject([{ channelId, messageId: null, post: { id: post?.id } }]);
  await settle(id, { outcome: 'posted', post: post?.id ?? '', channelId, messageId, shown });
  const [removed, ...others] = (await take()).removed;
  expect(others).toEqual([]);
  expect(removed).toMatchObject({ channelId, messageId });
  await call(running().port, discordStatusBotHttp.settleRemoved, {
    ...asBot,
    params: { id: removed?.id ?? '' },
  });
  const second = await takeOne();
  expect(second).toMatchObject({ channelId: otherChannelId });
  const otherMessageId = '555555555555555552';
  await settle(id, {
    outcome: 'posted',
    post: second.post?.id ?? '',
    channelId: otherChannelId,
    messageId: otherMessageId,
    shown,
  });
  await settle(id, { outcome: 'frozen', messageId: otherMessageId });
  const after = await take();
  expect(after.removed).toMatchObject([{ channelId: otherChannelId, messageId: otherMessageId }]);
  expect(after.messages).toMatchObject([{ messageId: null, post: { isRepeat: false } }]);
  await call(running().port, discordStatusHttp.remove, ofMessage);
  const left = await take();
  expect(left.messages).toEqual([]);
  expect(left.removed).toHaveLength(2);
});

// Guarantee: if a message cannot be kept, the panel is told why; a refusal is forgotten with the next success.
test('obstacles', async () => {
  const { port } = running();
  const id = await posted();
  const obstacle = async () => {
    const { json } = await call(port, discordStatusHttp.list, asOwner);
    return (json.messages as { obstacle: string | null }[])[0]?.obstacle;
  };
  expect(await obstacle()).toBeNull();
  await settle(id, { outcome: 'refused' });
  expect(await obstacle()).toBe('refused');
  await settle(id, { outcome: 'edited', messageId, shown });
  expect(await obstacle()).toBeNull();
  await call(port, discordEventsBotHttp.reportGuild, { ...asBot, body: { ...guild, isUnavailable: true } });
  expect(await obstacle()).toBe('guild-unavailable');
  await call(port, discordEventsBotHttp.reportGuild, { ...asBot, body: { ...guild, channels: [] } });
  expect(await obstacle()).toBe('channel-unknown');
  expect(await take()).toMatchObject({ messages: [], removed: [] });
});
