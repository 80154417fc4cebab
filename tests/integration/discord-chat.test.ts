import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import {
  type ChatRelay,
  type ChatRelayDraft,
  type ChatRelayObstacle,
  discordChatBotHttp,
  discordChatHttp,
} from '#contracts/discord-chat.ts';
import { playersHttp } from '#contracts/players.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes, noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { permission } from '#simulators/discord/permissions.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel, Member } from '#simulators/discord/state.ts';
import { type SevenDaysSimulator, startSevenDays } from '#simulators/seven-days-simulator.ts';
import { type ApiClient, ApiFault, createApiClient } from '../../bot/api-client.ts';
import { botFeatures } from '../../bot/bot-features.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { apiForThisFile } from '../../server/testing/api-of-a-test.ts';
import { call, newServer } from '../../server/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/testing/test-api.ts';

/** A machine under load, and transactions of other tests that hold the feed of events back. */
const patientMs = 60_000;
const guildId = '222222222222222222';
const running = apiForThisFile({ polling: { intervalMs: 1000 } });
const asOwner = { as: testDesktopCredential };
const resources = new AsyncDisposableStack();

interface GameOfATest {
  readonly id: string;
  readonly name: string;
  readonly game: SevenDaysSimulator;
}

let discord: Discord;
let people: People;
let ada: Member;
let channel: Channel;
let bot: AsyncDisposable;
let fjord: GameOfATest;
let tundra: GameOfATest;
let channels = 0;
/** All that the bot logs. */
let logged = '';

const newGame = async (clusterId: string, name: string): Promise<GameOfATest> => {
  const game = resources.use(await startSevenDays());
  const { port, password } = game;
  const way = { host: '127.0.0.1', port, password };
  const id = await newServer(running().port, { clusterId, name, game: 'seven-days-to-die', ...way });
  return { id, name, game };
};
const usualApi = () => createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret));
const startBot = async (api: ApiClient = usualApi()): Promise<AsyncDisposable> => {
  await using starting = new AsyncDisposableStack();
  const client = makeClient(discord);
  starting.defer(() => client.destroy());
  starting.use(
    runGuildFeatures({
      client,
      guildId,
      features: botFeatures,
      api,
      log: createLog({
        component: 'bot',
        level: 'trace',
        destination: {
          write(line: string) {
            logged += line;
          },
        },
      }),
    }),
  );
  await client.login(usualBot.token);
  return starting.move();
};

beforeAll(async () => {
  discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));
  people = discord.addGuild('The Keep', { id: guildId });
  ada = people.join('Ada');
  Object.assign(ada.user, { avatar: '0123456789abcdef0123456789abcdef' });
  const cluster = await call(running().port, clustersHttp.create, { ...asOwner, body: { name: 'Games' } });
  fjord = await newGame(String(cluster.json.id), 'Fjord');
  tundra = await newGame(String(cluster.json.id), 'Tundra');
  for (const { game } of [fjord, tundra])
    for (const name of ['Otter', 'Discordia', 'Bob']) game.world.join(name);
  bot = await startBot();
});
afterAll(async () => {
  await bot[Symbol.asyncDispose]();
  await resources.disposeAsync();
});
beforeEach(async () => {
  Object.assign(discord.faults, noFaults());
  channels += 1;
  channel = people.createChannel(`chat-${channels}`);
  for (const { id } of await relays())
    await call(running().port, discordChatHttp.remove, { ...asOwner, params: { id } });
  await filter([]);
});

const list = async () => (await call(running().port, discordChatHttp.list, asOwner)).json;
const relays = async (): Promise<ChatRelay[]> => (await list()).relays as ChatRelay[];
const filter = async (words: string[]) => {
  const { version } = (await list()).filter as { version: number };
  const body = { version, words, treatment: 'mask' as const };
  const { status, text } = await call(running().port, discordChatHttp.changeFilter, { ...asOwner, body });
  expect(status, text).toBe(200);
};
const withObstacles = (...obstacles: ChatRelayObstacle[]) =>
  eventually(async () => {
    const all = await relays();
    for (const relay of all) expect(relay.obstacles).toEqual(obstacles);
  }, patientMs);
/** Goes both ways unless told, once nothing hinders it and the bot hears the channel. */
const relay = async ({ id: serverId }: GameOfATest, more: Partial<ChatRelayDraft> = {}): Promise<void> => {
  const body = {
    isEnabled: true,
    serverId,
    channelId: channel.id,
    toDiscord: true,
    toGame: true,
    fromServers: false,
    ...more,
  };
  const { status, text } = await call(running().port, discordChatHttp.create, { ...asOwner, body });
  expect(status, text).toBe(200);
  // It tells of the channels that it was told of.
  const { channels: known } = running().api.context.chatRelay;
  await eventually(() => expect(known.read()?.has(channel.id)).toBe(true), patientMs);
  await withObstacles();
};
const posts = () => [...channel.messages.values()].filter(({ message }) => message.webhook_id);
const shown = () =>
  posts().map(
    ({ message }) => `${message.author.username}: ${message.content.replaceAll(/[\u2066-\u2069\\]/g, '')}`,
  );
const saidIn = ({ game }: GameOfATest): string[] =>
  game.world.messages
    .filter(({ to, text }) => to === null && text.startsWith('[Discord] Ada'))
    .map(({ text }) => text);
const say = ({ game }: GameOfATest, text: string, name = 'Otter') => game.world.chat(name, text);
const isPost = ({ method, path }: RestRequest) => method === 'POST' && /^\/webhooks\/\d+\/[^/]+$/.test(path);
const webhooks = () =>
  [...discord.state.webhooks.values()].filter(({ channel_id }) => channel_id === channel.id);

// Guarantee: what players say stands in the channel under their names, what people in Discord write is said in the game,
// neither comes back, and neither announcements nor commands nor their codes are relayed.
test('both ways', async () => {
  await relay(fjord);
  say(fjord, 'anybody **here**? @everyone https://evil.example');
  await eventually(
    () => expect(shown()).toEqual(['Otter: anybody **here**? @\u200beveryone https://evil.example']),
    patientMs,
  );
  expect(posts()[0]).toMatchObject({
    pinged: { users: [], roles: [], everyone: false },
    message: { flags: 4, author: { bot: true } },
  });
  people.sendMessage(
    channel,
    ada,
    `hello <@${ada.user.id}> in <#${channel.id}> <:otter:123456789012345678>\n[x] <b>`,
  );
  await eventually(
    () => expect(saidIn(fjord)).toEqual([`[Discord] Ada: hello @Ada in #${channel.name} :otter: (x) ‹b›`]),
    patientMs,
  );
  say(fjord, '!link ABCD-EFGH');
  people.sendMessage(channel, ada, '!link ABCD-EFGH');
  const announced = await call(running().port, playersHttp.broadcast, {
    ...asOwner,
    params: { id: fjord.id },
    body: { text: 'Restart at noon' },
  });
  expect(announced.json.outcome).toBe('answered');
  say(fjord, 'ok', 'Discordia');
  await eventually(() => expect(shown()).toHaveLength(2), patientMs);
  expect(shown()[1]).toBe('Disc-ordia: ok');
  people.sendMessage(channel, ada, 'bye');
  await eventually(() => expect(saidIn(fjord)).toHaveLength(2), patientMs);
  expect(saidIn(fjord)[1]).toBe('[Discord] Ada: bye');
  await eventually(async () => {
    const [one] = await relays();
    expect(one).toMatchObject({ toDiscordAt: expect.any(String), toGameAt: expect.any(String) });
    expect(one).toMatchObject({ toDiscordLeftOut: 0, toGameLeftOut: 0 });
  }, patientMs);
  // No act of an admin.
  const { db } = running().api.context.database;
  const kept = await db.selectFrom('console_commands').select('command').execute();
  const said = kept.map(({ command }) => command).filter((command) => command.startsWith('say'));
  expect(said).toEqual(['say "Restart at noon"']);
  const audit = await db
    .selectFrom('audit_logs')
    .select('action')
    .where('action', '=', 'players.broadcast')
    .execute();
  expect(audit).toHaveLength(1);
});

// Guarantee: a post whose answer is lost, or that Discord fails over, is there once, whether it was made or not, and in order.
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

// Guarantee: what is said while the bot is away follows when it is back, once; it finds its webhook again, and makes
// another one when somebody has deleted it. Its token is in no log and in no table.
test('the bot and its webhook come back', async () => {
  await relay(fjord);
  say(fjord, 'one');
  await eventually(() => expect(shown()).toEqual(['Otter: one']), patientMs);
  const [first] = webhooks();
  await bot[Symbol.asyncDispose]();
  say(fjord, 'two');
  people.sendMessage(channel, ada, 'missed');
  bot = await startBot();
  await eventually(() => expect(shown()).toEqual(['Otter: one', 'Otter: two']), patientMs);
  expect(webhooks()).toEqual([first]);
  discord.state.webhooks.clear();
  say(fjord, 'three');
  await eventually(() => expect(shown()).toEqual(['Otter: one', 'Otter: two', 'Otter: three']), patientMs);
  expect(webhooks()).toHaveLength(1);
  // It has not seen what was written while it was away.
  expect(saidIn(fjord).filter((line) => line.endsWith('missed'))).toEqual([]);
  const token = webhooks()[0]?.token ?? '';
  expect(token.length).toBeGreaterThan(20);
  const { db } = running().api.context.database;
  const lanes = await db.selectFrom('discord_chat_lanes').selectAll().execute();
  for (const secret of [token, first?.token ?? ''])
    expect(logged + JSON.stringify(lanes)).not.toContain(secret);
});

// Guarantee: a bot that dies between a post and the word that it was made does not post it again.
test('a post of which the API never heard', async () => {
  await relay(fjord, { toGame: false });
  say(fjord, 'zero');
  await eventually(() => expect(shown()).toEqual(['Otter: zero']), patientMs);
  await bot[Symbol.asyncDispose]();
  const client = usualApi();
  bot = await startBot({
    call: (endpoint, ...rest) =>
      endpoint.path === discordChatBotHttp.settle.path
        ? Promise.reject(new ApiFault('lost'))
        : client.call(endpoint, ...rest),
  });
  say(fjord, 'one');
  await eventually(() => expect(shown()).toEqual(['Otter: zero', 'Otter: one']), patientMs);
  await bot[Symbol.asyncDispose]();
  bot = await startBot();
  say(fjord, 'two');
  await eventually(() => expect(shown()).toEqual(['Otter: zero', 'Otter: one', 'Otter: two']), patientMs);
});

// Guarantee: a connection to Discord that breaks loses nothing and repeats nothing.
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

// Guarantee: what other bots and webhooks write is not said in a game: nothing goes round.
test('what bots write', async () => {
  await relay(fjord);
  const foreign = {
    id: '123123123123123123',
    type: 1,
    token: 'x'.repeat(68),
    name: 'Copycat',
    avatar: null,
  } as const;
  discord.state.webhooks.set(foreign.id, {
    ...foreign,
    guild_id: guildId,
    channel_id: channel.id,
    application_id: null,
  });
  const copy = await fetch(`${discord.apiUrl}/v10/webhooks/${foreign.id}/${foreign.token}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ content: 'a copy', username: 'Ada' }),
  });
  expect(copy.status).toBe(204);
  people.sendMessage(channel, ada, 'the last one');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: the last one'), patientMs);
  expect(fjord.game.world.messages.filter(({ text }) => text.includes('a copy'))).toEqual([]);
});

// Guarantee: the picture is the one that the player's member has in Discord.
test('a picture', async () => {
  await relay(fjord, { toGame: false });
  const { db } = running().api.context.database;
  const player = await db
    .selectFrom('players')
    .select('member_id')
    .where('name', '=', 'Otter')
    .where('platform_id', 'is not', null)
    .executeTakeFirstOrThrow();
  const link = (discordId: string | null) =>
    db.transaction().execute(async (trx) => {
      // Who is on the Discord server is a member already.
      const others = trx.updateTable('members').set({ discord_id: null });
      await others.where('discord_id', '=', discordId).execute();
      const its = trx.updateTable('members').set({ discord_id: discordId });
      await its.where('id', '=', player.member_id).execute();
    });
  await link(ada.user.id);
  say(fjord, 'with a picture');
  await eventually(() => expect(posts()).toHaveLength(1), patientMs);
  const address = discord.state.avatars.get(posts()[0]?.message.author.avatar ?? '');
  expect(address).toContain(`/avatars/${ada.user.id}/${ada.user.avatar}.png`);
  // Who is not on the Discord server has none.
  await link('999999999999999999');
  say(fjord, 'without one');
  await eventually(() => expect(posts()).toHaveLength(2), patientMs);
  expect(posts()[1]?.message.author.avatar).toBeNull();
  await link(null);
});

// Guarantee: two servers of one channel are told apart in it, and hear each other where it is asked for, once.
test('across servers', async () => {
  await relay(fjord);
  await relay(tundra, { fromServers: true });
  say(fjord, 'hello from the [fjord]');
  say(tundra, 'hello back', 'Bob');
  await eventually(
    () =>
      expect(shown().sort()).toEqual(['Bob · Tundra: hello back', 'Otter · Fjord: hello from the [fjord]']),
    patientMs,
  );
  const across = ({ game }: GameOfATest) =>
    game.world.messages.map(({ text }) => text).filter((text) => /^\[(?:Fjord|Tundra)\]/.test(text));
  await eventually(
    () => expect(across(tundra)).toEqual(['[Fjord] Otter: hello from the (fjord)']),
    patientMs,
  );
  people.sendMessage(channel, ada, 'hello all');
  for (const one of [fjord, tundra])
    await eventually(() => expect(saidIn(one).at(-1)).toBe('[Discord] Ada: hello all'), patientMs);
  expect(across(fjord)).toEqual([]);
  expect(across(tundra)).toHaveLength(1);
  expect(shown()).toHaveLength(2);
});

// Guarantee: banned words are masked both ways; who writes too fast is cut, and told by one quiet sign.
test('words and floods', async () => {
  await relay(fjord);
  await filter(['darn*']);
  say(fjord, 'DАRNED rain');
  await eventually(() => expect(shown()).toEqual(['Otter: ****** rain']), patientMs);
  people.sendMessage(channel, ada, 'darn!');
  const before = saidIn(fjord).length;
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: ****!'), patientMs);
  for (let number = 1; number <= 30; number += 1) people.sendMessage(channel, ada, `number ${number}`);
  const marked = () => [...channel.messages.values()].filter(({ message }) => message.reactions?.length);
  await eventually(() => expect(marked()).toHaveLength(1), patientMs);
  expect(marked()[0]?.message.reactions).toMatchObject([{ emoji: { name: '⏳' } }]);
  await eventually(async () => expect((await relays())[0]?.toGameLeftOut).toBeGreaterThan(5), patientMs);
  expect(saidIn(fjord).length - before).toBeLessThan(25);
});

// Guarantee: where a hundred speak at once, all they say is there in its order, in few messages, without one 429.
test('a crowd', async () => {
  await relay(fjord, { toGame: false });
  const before = discord.requests.length;
  const { db } = running().api.context.database;
  await sql`insert into event_logs (kind, severity, server_id, payload)
      select 'chat.message', 'info', ${fjord.id}::text,
             jsonb_build_object('playerId', null, 'name', 'Player ' || number, 'text', 'line ' || number)
        from generate_series(1, 100) as number`.execute(db);
  const lines = () =>
    shown().flatMap((text) => [...text.matchAll(/line (\d+)/g)].map(([, number]) => Number(number)));
  await eventually(
    () => expect(lines()).toEqual(Array.from({ length: 100 }, (_, index) => index + 1)),
    patientMs,
  );
  expect(posts().length).toBeLessThan(10);
  expect(discord.requests.slice(before).filter(({ status }) => status === 429)).toEqual([]);
});

// Guarantee: what hinders a relay is named with what is missing, nothing is asked of Discord meanwhile, and chat follows by itself.
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
  // As many as a channel may have, and none of them the bot's.
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
  channel = people.createChannel(`chat-${channels}-again`);
});

// Guarantee: a post in doubt is not repeated while the channel's history cannot be read, which Discord shows as empty.
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

// Guarantee: a channel in which Discord refuses what its permissions allow is left alone, and its relay says so.
test('a refusal', async () => {
  await relay(fjord, { toGame: false });
  // The bot is not told.
  const botRole = people.roleNamed('Castellan Bot');
  channel.overwrites = [{ id: botRole.id, type: 0, allow: '0', deny: String(permission.manageWebhooks) }];
  say(fjord, 'one');
  await withObstacles('refused');
  const refused = discord.requests.filter(({ path, status }) => path.includes(channel.id) && status === 403);
  expect(refused).toHaveLength(1);
});

// Guarantee: a game where nobody plays is sent nothing; a message of any length is one line that the game takes.
test('where nobody plays', async () => {
  await relay(fjord);
  await relay(tundra);
  for (const { name } of tundra.game.world.players) tundra.game.world.leave(name);
  const { presence } = running().api.context.gameServices;
  await eventually(() => expect(presence.count(tundra.id)).toBe(0), patientMs);
  people.sendMessage(channel, ada, `${'long '.repeat(390)}\nend`);
  await eventually(
    () => expect(saidIn(fjord).at(-1)).toMatch(/^\[Discord\] Ada: (?:long ){59}long…$/),
    patientMs,
  );
  tundra.game.world.join('Otter');
  await eventually(() => expect(presence.count(tundra.id)).toBe(1), patientMs);
  people.sendMessage(channel, ada, 'welcome back');
  await eventually(() => expect(saidIn(tundra).at(-1)).toBe('[Discord] Ada: welcome back'), patientMs);
  expect(saidIn(tundra).filter((line) => line.includes('long'))).toEqual([]);
});

// Guarantee: a game that is away is named, what cannot be said is counted and never said later, and other games are not held up.
test('a game that is away', async () => {
  await relay(fjord);
  await relay(tundra);
  await tundra.game.goOffline();
  await eventually(async () => {
    const found = (await relays()).find(({ serverId }) => serverId === tundra.id);
    expect(found?.obstacles).toEqual(['game-not-online']);
  }, patientMs);
  const leftOut = async () => (await relays()).find(({ serverId }) => serverId === tundra.id)?.toGameLeftOut;
  const before = (await leftOut()) ?? 0;
  people.sendMessage(channel, ada, 'who is there?');
  await eventually(() => expect(saidIn(fjord).at(-1)).toBe('[Discord] Ada: who is there?'), patientMs);
  await eventually(async () => expect(await leftOut()).toBeGreaterThan(before), patientMs);
  await tundra.game.comeBack();
  await withObstacles();
  people.sendMessage(channel, ada, 'back again');
  await eventually(() => expect(saidIn(tundra).at(-1)).toBe('[Discord] Ada: back again'), patientMs);
  expect(saidIn(tundra).filter((line) => line.endsWith('who is there?'))).toEqual([]);
});
