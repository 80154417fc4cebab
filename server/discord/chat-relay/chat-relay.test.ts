import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  type ChatChannel,
  type ChatPost,
  type ChatRelayDraft,
  discordChatBotHttp,
  discordChatHttp,
  type HeardMessage,
} from '#contracts/discord/discord-chat.ts';
import { eventually } from '#harness/eventually.ts';
import { call, customRole, newServer, person } from '../../kernel/testing/call.ts';
import { startTestApi } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { joinPowerAgent } from '../../servers/power/testing/power-agent.ts';
import { createChatRelays } from './chat-relays.ts';
import {
  asBot,
  asOwner,
  change,
  channelId,
  create,
  db,
  draft,
  drain,
  filter,
  inFeed,
  open,
  otherChannelId,
  relay,
  running,
  saySome,
  settle,
  take,
  takeOne,
  textsOf,
} from './testing/relay-of-a-test.ts';

// Guarantee: lines said after the relay began go to the channel in order, a player's turn in one message, the same one until it is settled.
test('from a game to Discord', async () => {
  await saySome(['before']);
  await create();
  expect(await take()).toEqual([]);
  await saySome(['hello', 'is anybody here?'], { name: 'Ann' });
  await saySome(['yes'], { name: 'Bob' });
  const first = await takeOne();
  expect(first).toMatchObject({
    channelId,
    isRepeat: false,
    isExpired: false,
    afterMessageId: null,
    speaker: { discordId: null },
  });
  expect(first.lines).toEqual([
    { name: 'Ann', text: 'hello', serverName: null },
    { name: 'Ann', text: 'is anybody here?', serverName: null },
  ]);
  expect(await take(undefined, [channelId])).toEqual([]);
  expect(await takeOne()).toEqual({ ...first, isRepeat: true });
  await settle(first.id, 'posted', '900000000000000007');
  await settle(first.id, 'posted', '900000000000000001');
  const second = await takeOne();
  expect(second).toMatchObject({ isRepeat: false, afterMessageId: '900000000000000007' });
  expect(textsOf(second)).toEqual(['yes']);
  await settle(second.id, 'posted');
  expect(await take()).toEqual([]);
});

// Guarantee: a restarted API hands out what was in transit, and what was said in between.
test('after a restart of the API', async () => {
  await create();
  await saySome(['one'], { name: 'Ann' });
  const post = await takeOne();
  await saySome(['two'], { name: 'Bob' });
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  const body = { channels: [open()], busy: [] };
  const takeThere = async () => {
    const answer = await call(other.port, discordChatBotHttp.take, { ...asBot, body });
    return (answer.json.posts as ChatPost[])[0];
  };
  expect(await takeThere()).toEqual({ ...post, isRepeat: true });
  await call(other.port, discordChatBotHttp.settle, {
    ...asBot,
    params: { id: post.id },
    body: { outcome: 'posted', messageId: '900000000000000001' },
  });
  expect(textsOf(await takeThere())).toEqual(['two']);
});

// Guarantee: a relay reports nothing from before it was switched on, even if another relay already leads to its channel.
test('a relay beside another', async () => {
  const otherId = await newServer(running().port, { name: 'Glacier' });
  await create();
  await saySome(['before it was made'], { on: otherId });
  const made = await create({ serverId: otherId });
  await saySome(['after'], { on: otherId });
  expect((await drain()).map(textsOf)).toEqual([['after']]);
  const body = draft({ serverId: otherId });
  await change(made.id, { ...body, isEnabled: false, version: 1 });
  await saySome(['while it was off'], { on: otherId });
  await change(made.id, { ...body, version: 2 });
  await saySome(['while it was one way'], { on: otherId });
  await change(made.id, { ...body, toDiscord: false, version: 3 });
  await saySome(['meanwhile'], { on: otherId });
  await change(made.id, { ...body, version: 4 });
  // A change of anything but the direction makes no difference.
  await saySome(['on again'], { on: otherId });
  await change(made.id, { ...body, fromServers: true, version: 5 });
  expect((await drain()).map(textsOf)).toEqual([['on again']]);
});

// Guarantee: what an agent reports again, because it may not have arrived, appears once.
test('told twice', async () => {
  await create();
  await saySome(['once'], { name: 'Ann' });
  await sql`insert into event_logs (kind, severity, server_id, at, payload)
            select kind, severity, server_id, at, payload from event_logs where payload->>'text' = 'once'`.execute(
    db(),
  );
  await inFeed();
  await saySome(['once'], { name: 'Ann' });
  expect((await drain()).flatMap(textsOf)).toEqual(['once', 'once']);
});

// Guarantee: a database that was restored into a younger cluster continues from now.
test('positions in the future', async () => {
  await create();
  await sql`update discord_chat_lanes set written_in = '9000000000000000000'`.execute(db());
  await sql`update discord_chat_relays set starts_in = '9000000000000000000'`.execute(db());
  await using other = await startTestApi({ databaseUrl: running().databaseUrl, workers: [] });
  await whenInUse(other);
  const takeThere = async () => {
    const body = { channels: [open()], busy: [] };
    const answer = await call(other.port, discordChatBotHttp.take, { ...asBot, body });
    return answer.json.posts as ChatPost[];
  };
  expect(await takeThere()).toEqual([]);
  await saySome(['after all']);
  expect((await takeThere()).map(textsOf)).toEqual([['after all']]);
});

// Guarantee: a relay that is switched off reports nothing, not even later, and keeps no line; the post in doubt is still looked for.
test('switched off', async () => {
  const made = await create();
  await saySome(['one'], { name: 'Ann' });
  const post = await takeOne();
  const off = await change(made.id, { ...draft({ isEnabled: false }), version: made.version });
  expect(off.json).toMatchObject({ version: 2, isEnabled: false });
  expect(await take()).toEqual([]);
  await saySome(['two']);
  const { rows } = await sql<{ content: string }>`
    select post_content::text as content from discord_chat_lanes where channel_id = ${channelId}`.execute(
    db(),
  );
  expect(rows[0]?.content).not.toContain('one');
  expect((await change(made.id, { ...draft(), version: 1 })).status).toBe(409);
  await change(made.id, { ...draft(), version: 2 });
  expect(await takeOne()).toMatchObject({ id: post.id, isExpired: true, lines: [] });
  await settle(post.id, 'expired', null);
  await saySome(['three']);
  expect((await drain()).map(textsOf)).toEqual([['three']]);
  expect(
    (await call(running().port, discordChatHttp.remove, { ...asOwner, params: { id: made.id } })).status,
  ).toBe(200);
  const audit = await db()
    .selectFrom('audit_logs')
    .select('action')
    .where('target', '=', `discord-chat-relay:${made.id}`)
    .orderBy('id')
    .execute();
  expect(audit.map(({ action }) => action)).toEqual([
    'discord.create-relay',
    'discord.change-relay',
    'discord.change-relay',
    'discord.remove-relay',
  ]);
});

// Guarantee: each channel has the chat of its own servers; if there are several, they are named.
test('servers and channels', async () => {
  const otherId = await newServer(running().port, { name: 'Tundra' });
  await create();
  await create({ serverId: otherId });
  await create({ serverId: otherId, channelId: otherChannelId });
  await saySome(['from Fjord']);
  await saySome(['from Tundra'], { on: otherId });
  const posts = await drain();
  expect(
    posts.map((post) => [post.channelId, post.lines.map(({ text, serverName }) => [text, serverName])]),
  ).toEqual(
    expect.arrayContaining([
      [channelId, [['from Fjord', 'Fjord']]],
      [channelId, [['from Tundra', 'Tundra']]],
      [otherChannelId, [['from Tundra', null]]],
    ]),
  );
  expect(posts).toHaveLength(3);
  const again = await call(running().port, discordChatHttp.create, { ...asOwner, body: draft() });
  expect([again.status, again.json.code]).toEqual([409, 'CONFLICT']);
  expect(again.json.errors).toMatchObject([{ path: 'body.channelId', code: 'taken' }]);
});

// Guarantee: no one relays what they may not read, or speaks where they may not; posts and messages belong to the bot alone.
test('who may', async () => {
  const { port } = running();
  const role = await customRole(port, ['settings.read', 'settings.write', 'events.read']);
  const { token } = await person(port, { role });
  const tryIt = async (more: Partial<ChatRelayDraft>) =>
    (await call(port, discordChatHttp.create, { as: token, body: draft(more) })).status;
  expect(await tryIt({ toGame: true, toDiscord: false })).toBe(403);
  expect(await tryIt({ toGame: false, toDiscord: true })).toBe(200);
  expect(await tryIt({ toGame: false, toDiscord: false })).toBe(400);
  const blind = await person(port, { role: await customRole(port, ['settings.read', 'settings.write']) });
  const body = draft({ toGame: false, channelId: otherChannelId });
  expect((await call(port, discordChatHttp.create, { as: blind.token, body })).status).toBe(403);
  const unknown = { ...draft(), serverId: 'nowhere' };
  expect((await call(port, discordChatHttp.create, { ...asOwner, body: unknown })).status).toBe(404);
  for (const endpoint of Object.values(discordChatBotHttp))
    expect((await call(port, endpoint, { ...asOwner, params: { id: 'x' } })).json.code).toBe('FORBIDDEN');
});

// Guarantee: what blocks a relay is named, and lines wait for it.
test('obstacles', async () => {
  const { id } = await create();
  await saySome(['waits']);
  const obstacles = async (...channels: ChatChannel[]) => {
    expect(await take(channels)).toEqual([]);
    return relay(id);
  };
  const game = ['chat-not-heard', 'game-not-online'];
  expect((await obstacles({ ...open(), state: 'unknown' }))?.obstacles).toEqual(['channel-unknown', ...game]);
  expect(await obstacles({ ...open(), missing: ['manageWebhooks'] })).toMatchObject({
    obstacles: ['permissions-missing', ...game],
    missing: ['manageWebhooks'],
  });
  expect((await obstacles({ ...open(), state: 'refused' }))?.obstacles).toContain('refused');
  expect((await obstacles({ ...open(), state: 'too-many-webhooks' }))?.obstacles).toContain(
    'too-many-webhooks',
  );
  expect(textsOf(await takeOne())).toEqual(['waits']);
  expect((await relay(id))?.obstacles).toEqual(game);
});

// Guarantee: an agent that sees none of the game's lines does not count as one that hears its chat; an earlier one, which does not
// say, does.
test('an agent that reads no log', async () => {
  const { port } = running();
  const onPalworld = await newServer(port, { name: 'Palpagos', game: 'palworld' });
  const { id } = await create({ serverId: onPalworld });
  await take();
  const isHeard = (is: boolean) =>
    eventually(async () => expect((await relay(id))?.obstacles.includes('chat-not-heard')).toBe(!is));
  await isHeard(false);
  using agent = await joinPowerAgent(port, onPalworld, { game: 'palworld' });
  await isHeard(true);
  agent.tellMachine({ readsLog: false });
  await isHeard(false);
  agent.tellMachine({ readsLog: true });
  await isHeard(true);
});

// Guarantee: a message from Discord counts once, while it is fresh, within the limits of its writer and of the channel;
// commands are ignored.
test('from Discord', async () => {
  const { id } = await create({ toDiscord: false });
  const authors = ['600000000000000001', '600000000000000002'];
  let made = 0;
  const message = (more: Partial<HeardMessage> = {}): HeardMessage => {
    made += 1;
    const own = `7000000000000${String(made).padStart(5, '0')}`;
    return { id: own, channelId, authorId: authors[0] ?? '', name: 'Ada', text: 'hi', ageMs: 0, ...more };
  };
  const hear = async (...messages: HeardMessage[]) => {
    const answer = await call(running().port, discordChatBotHttp.hear, { ...asBot, body: { messages } });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.outcomes as string[];
  };
  const first = message();
  const later = Array.from({ length: 10 }, () => message());
  const [taken, again, ...rest] = await hear(first, first, ...later);
  expect([taken, again]).toEqual(['taken', 'ignored']);
  // A writer who continues for long enough may say another line.
  expect(rest.slice(0, 5)).toEqual([...Array(4).fill('taken'), 'flooded']);
  expect(await hear(first)).toEqual(['ignored']);
  expect(await hear(message({ ageMs: 61_000 }), message({ text: '!link ABC' }))).toEqual(['late', 'ignored']);
  expect(await hear(message({ channelId: otherChannelId }))).toEqual(['ignored']);
  await filter(['bad'], 'hold');
  expect(await hear(message({ authorId: authors[1] ?? '', text: 'bad' }))).toEqual(['held']);
  // No game is there to say what was accepted; each line is sent once, and counted.
  await eventually(async () => expect((await relay(id))?.toGameLeftOut).toBe(11 + 2), 60_000);
});

// Guarantee: a reading that began before a change and ends after it is not kept, so that no message in a new relay's channel is lost.
test('a reading that a change overtakes', async () => {
  const [read, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const slow = db().withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.resolve();
      await gate.promise;
      return result;
    },
  });
  const { chatRelay } = running().api.context.discord;
  const relays = createChatRelays({
    db: slow,
    server: () => ({ name: 'Fjord', isHeard: true, isOnline: true }),
    guild: () => null,
    channels: chatRelay.channels,
  });
  const reading = relays.current();
  await read.promise;
  const { id } = await create();
  relays.reread();
  gate.resolve();
  await reading;
  expect((await relays.current()).map((row) => row.id)).toContain(id);
});
