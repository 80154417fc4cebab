import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type ChatChannel,
  type ChatPost,
  type ChatRelay,
  type ChatRelayDraft,
  discordChatBotHttp,
  discordChatHttp,
  type HeardMessage,
} from '#contracts/discord-chat.ts';
import { eventually } from '#harness/eventually.ts';
import { apiForThisFile } from '../testing/api-of-a-test.ts';
import { call, customRole, newServer, person } from '../testing/call.ts';
import { startTestApi, testBotSecret, testDesktopCredential } from '../testing/test-api.ts';
import { whenInUse } from '../testing/when-in-use.ts';
import { freshMs } from './chat-posts.ts';
import { mostWaiting } from './waiting-lines.ts';

const running = apiForThisFile();
const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
let channelId = '';
let otherChannelId = '';
let channels = 0;
const open = (id = channelId): ChatChannel => ({ id, state: 'open', missing: [] });
let serverId: string;

const db = () => running().api.context.database.db;
const draft = (more: Partial<ChatRelayDraft> = {}): ChatRelayDraft => ({
  isEnabled: true,
  serverId,
  channelId,
  toDiscord: true,
  toGame: true,
  fromServers: false,
  ...more,
});
const create = async (more: Partial<ChatRelayDraft> = {}): Promise<ChatRelay> => {
  const made = await call(running().port, discordChatHttp.create, { ...asOwner, body: draft(more) });
  expect(made.status, made.text).toBe(200);
  return made.json as unknown as ChatRelay;
};
const change = (id: string, body: ChatRelayDraft & { version: number }) =>
  call(running().port, discordChatHttp.change, { ...asOwner, params: { id }, body });
const list = async () => (await call(running().port, discordChatHttp.list, asOwner)).json;
const relay = async (id: string) => ((await list()).relays as ChatRelay[]).find((one) => one.id === id);
const filter = async (words: string[], treatment: 'mask' | 'hold' = 'mask') => {
  const { version } = (await list()).filter as { version: number };
  const body = { version, words, treatment };
  return call(running().port, discordChatHttp.changeFilter, { ...asOwner, body });
};
const take = async (channels = [open(), open(otherChannelId)], busy: string[] = []): Promise<ChatPost[]> => {
  const answer = await call(running().port, discordChatBotHttp.take, { ...asBot, body: { channels, busy } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.posts as ChatPost[];
};
const takeOne = async (): Promise<ChatPost> => {
  const [post] = await take();
  if (!post) throw new Error('nothing is handed out');
  return post;
};
const settle = (id: string, outcome: 'posted' | 'expired', messageId: string | null = '900000000000000001') =>
  call(running().port, discordChatBotHttp.settle, { ...asBot, params: { id }, body: { outcome, messageId } });
const inFeed = () =>
  eventually(async () => {
    const { rows } = await sql<{ waits: boolean }>`
      select max(written_in) >= pg_snapshot_xmin(pg_current_snapshot()) as waits from event_logs`.execute(
      db(),
    );
    expect(rows[0]?.waits).toBe(false);
  }, 60_000);
interface Said {
  readonly name?: string;
  readonly on?: string;
  readonly agoMs?: number;
  readonly playerId?: string;
}
/** As the log of events has it; players are told apart by their names. */
const saySome = async (texts: readonly string[], { name, on = serverId, agoMs = 0, playerId }: Said = {}) => {
  // At one time: what a flood is must not hang on how fast this machine writes.
  const at = new Date(Date.now() - agoMs);
  for (const [index, text] of texts.entries()) {
    const payload = JSON.stringify({ playerId: playerId ?? null, name: name ?? `Player ${index}`, text });
    await sql`insert into event_logs (kind, severity, server_id, at, payload)
        values ('chat.message', 'info', ${on}, ${at}, ${payload}::jsonb)`.execute(db());
  }
  await inFeed();
};
const textsOf = (post: ChatPost | undefined) => post?.lines.map(({ text }) => text);
/** All that would be posted, one message after another. */
const drain = async (): Promise<ChatPost[]> => {
  const posts: ChatPost[] = [];
  for (;;) {
    const [post] = await take();
    if (!post) return posts;
    posts.push(post);
    await settle(post.id, 'posted');
  }
};

beforeAll(async () => {
  serverId = await newServer(running().port, { name: 'Fjord' });
});
beforeEach(async () => {
  channels += 1;
  channelId = `3000000000000000${channels}0`;
  otherChannelId = `3000000000000000${channels}1`;
  for (const { id } of (await list()).relays as ChatRelay[])
    await call(running().port, discordChatHttp.remove, { ...asOwner, params: { id } });
  await filter([]);
});

// Guarantee: lines from the relay on go to the channel in order, a player's turn in one message, the same one until it is settled.
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

// Guarantee: an API that is started again hands out what was on its way, and what was said meanwhile.
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

// Guarantee: a relay tells nothing from before it was switched on, also where another one leads to its channel already.
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
  // What was changed beside the way makes no difference.
  await saySome(['on again'], { on: otherId });
  await change(made.id, { ...body, fromServers: true, version: 5 });
  expect((await drain()).map(textsOf)).toEqual([['on again']]);
});

// Guarantee: what an agent tells again, since it may not have arrived, is there once.
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

// Guarantee: a database that was restored into a younger cluster goes on from now.
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

// Guarantee: where many speak at once their lines share messages, in order, none of them too long for Discord.
test('a crowd', async () => {
  const { id } = await create();
  const texts = Array.from({ length: 60 }, (_, index) =>
    `${index} ${'!'.repeat(index % 2 === 0 ? 296 : 0)}`.trim(),
  );
  await saySome(texts);
  const posts = await drain();
  expect(posts.flatMap((post) => textsOf(post))).toEqual(texts);
  expect(posts.length).toBeLessThan(30);
  expect(posts[0]?.speaker).toBeNull();
  expect((await relay(id))?.toDiscordAt).toEqual(expect.any(String));
});

// Guarantee: commands, whose codes are nobody else's, are never relayed, and neither is what says nothing.
test('what is not meant for others', async () => {
  const { id } = await create();
  await saySome(['!link ABCD-EFGH', ' ！link ABCD', '\u200b!link X', '\u2066', '\u202e', 'seen\u202e\u200b']);
  const posts = await drain();
  expect(posts.flatMap((post) => textsOf(post))).toEqual(['seen']);
  expect((await relay(id))?.toDiscordLeftOut).toBe(0);
});

// Guarantee: a flood of one player leaves the others' lines alone, and what is left out is counted.
test('a flood', async () => {
  const { id } = await create();
  await saySome(
    Array.from({ length: 30 }, (_, index) => String(index)),
    { name: 'Zed' },
  );
  await saySome(['me too'], { name: 'Ann' });
  expect((await drain()).flatMap((post) => textsOf(post))).toEqual(['0', '1', '2', '3', '4', '5', 'me too']);
  expect((await relay(id))?.toDiscordLeftOut).toBe(24);
  await sql`insert into event_logs (kind, severity, server_id, payload)
      select 'chat.message', 'info', ${serverId}::text,
             jsonb_build_object('playerId', null, 'name', 'Player ' || number, 'text', number::text)
        from generate_series(1, 10000) as number`.execute(db());
  await inFeed();
  const numbers = (await drain()).flatMap((post) => textsOf(post)).map(Number);
  expect(numbers).toEqual(Array.from({ length: mostWaiting }, (_, index) => 9801 + index));
  expect((await relay(id))?.toDiscordLeftOut).toBe(24 + 9800);
});

// Guarantee: old news is not told; a post that has waited too long is given as one to look for.
test('what is old', async () => {
  const { id } = await create();
  await saySome(['old'], { agoMs: freshMs + 1000 });
  await saySome(['fresh'], { agoMs: freshMs / 2 });
  const post = await takeOne();
  expect(textsOf(post)).toEqual(['fresh']);
  await sql`update discord_chat_lanes set post_opened_at = now() - interval '11 minutes'
            where channel_id = ${channelId}`.execute(db());
  expect(await takeOne()).toEqual(expect.objectContaining({ id: post.id, isRepeat: true, isExpired: true }));
  await settle(post.id, 'expired', null);
  expect(await take()).toEqual([]);
  expect((await relay(id))?.toDiscordLeftOut).toBe(2);
});

// Guarantee: a relay that is switched off tells nothing, not even later, and keeps no line; the post in doubt is still looked for.
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

// Guarantee: banned words are masked or their lines held back, in names too; two who change them at once are told.
test('the word filter', async () => {
  const { id } = await create();
  expect((await filter(['bad*', 'gold seller'])).status).toBe(200);
  await saySome(['a BАDDER day', 'fine'], { name: 'Gold Seller' });
  expect((await takeOne()).lines).toEqual([
    { name: '**** ******', text: 'a ****** day', serverName: null },
    { name: '**** ******', text: 'fine', serverName: null },
  ]);
  await drain();
  await filter(['bad'], 'hold');
  await saySome(['bad', 'good']);
  expect((await drain()).map(textsOf)).toEqual([['good']]);
  expect((await relay(id))?.toDiscordLeftOut).toBe(1);
  const body = { version: 0, words: [], treatment: 'mask' as const };
  expect((await call(running().port, discordChatHttp.changeFilter, { ...asOwner, body })).status).toBe(409);
  expect((await filter(['*'])).json.code).toBe('INVALID_REQUEST');
});

// Guarantee: each channel has the chat of its own servers; where there are several they are named.
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
});

// Guarantee: the picture is that of the linked account, and only for a player whom the game's platform proves.
test('whose picture it is', async () => {
  await create();
  const player = async (identity: string, platformId: string | null) => {
    const { id, member_id } = await db()
      .insertInto('players')
      .values({ identity, platform_id: platformId, game: 'minecraft', name: 'Ann', name_key: 'ann' } as never)
      .returning(['id', 'member_id'])
      .executeTakeFirstOrThrow();
    return { id: String(id), memberId: String(member_id) };
  };
  const link = (memberId: string, discordId: string) =>
    db().updateTable('members').set({ discord_id: discordId }).where('id', '=', memberId).execute();
  const proven = await player('minecraft:ann', 'minecraft:ann');
  const named = await player('name:minecraft:ann', null);
  const known = await db()
    .selectFrom('players')
    .select(['id', 'member_id'])
    .where('id', 'in', [proven.id, named.id])
    .orderBy('id')
    .execute();
  await link(String(known[0]?.member_id), '500000000000000001');
  await link(String(known[1]?.member_id), '500000000000000002');
  await saySome(['proven'], { name: 'Ann', playerId: proven.id });
  await saySome(['named'], { name: 'Ann', playerId: named.id });
  expect((await drain()).map(({ speaker }) => speaker)).toEqual([
    { discordId: '500000000000000001' },
    { discordId: null },
  ]);
});

// Guarantee: nobody relays what they may not read, or speaks where they may not; posts and messages are the bot's alone.
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

// Guarantee: what hinders a relay is named, and lines wait for it.
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

// Guarantee: a message from Discord counts once, fresh, within the limits of its writer and of the channel; commands are ignored.
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
  // Whoever goes on for long enough may say another line.
  expect(rest.slice(0, 5)).toEqual([...Array(4).fill('taken'), 'flooded']);
  expect(await hear(first)).toEqual(['ignored']);
  expect(await hear(message({ ageMs: 61_000 }), message({ text: '!link ABC' }))).toEqual(['late', 'ignored']);
  expect(await hear(message({ channelId: otherChannelId }))).toEqual(['ignored']);
  await filter(['bad'], 'hold');
  expect(await hear(message({ authorId: authors[1] ?? '', text: 'bad' }))).toEqual(['held']);
  // No game is there to say what was taken; each line is sent once, and counted.
  await eventually(async () => expect((await relay(id))?.toGameLeftOut).toBe(11 + 2), 60_000);
});
