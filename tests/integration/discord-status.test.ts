import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type BotGuild, discordEventsHttp } from '#contracts/discord-events.ts';
import { discordStatusHttp, type NewStatusMessage, type StatusMessage } from '#contracts/discord-status.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { settingsHttp } from '#contracts/settings.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes, noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel, StoredMessage } from '#simulators/discord/state.ts';
import { type ApiClient, ApiFault, createApiClient } from '../../bot/api-client.ts';
import { eventPoster } from '../../bot/events/event-poster.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { statusKeeper } from '../../bot/status/status-keeper.ts';
import { apiForThisFile } from '../../server/testing/api-of-a-test.ts';
import { call, newCluster, newServer } from '../../server/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/testing/test-api.ts';
import { startMinecraft } from '../simulators/minecraft-simulator.ts';

const patientMs = 60_000;
const hourMs = 3_600_000;
const guildId = '222222222222222222';
const running = apiForThisFile({ polling: { intervalMs: 200 } });
const asOwner = { as: testDesktopCredential };

let discord: Discord;
/** Of Discord's clock. */
let aheadMs = 0;
let people: People;
let channel: Channel;
let game: Awaited<ReturnType<typeof startMinecraft>>;
let serverId: string;
let clusterId: string;
let isApiAway = false;
let bot: AsyncDisposableStack;
let channels = 0;

beforeAll(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 }, now: () => Date.now() + aheadMs });
  people = discord.addGuild('The Keep', { id: guildId });
  game = await startMinecraft();
  const { port } = running();
  clusterId = await newCluster(port);
  const { password } = game;
  serverId = await newServer(port, {
    name: 'Isl*nd',
    clusterId,
    host: '127.0.0.1',
    port: game.port,
    password,
  });
  bot = await startBot();
});
afterAll(async () => {
  await bot.disposeAsync();
  await game[Symbol.asyncDispose]();
  await discord[Symbol.asyncDispose]();
});
beforeEach(() => {
  channels += 1;
  channel = people.createChannel(`status-${channels}`);
});
afterEach(async () => {
  Object.assign(discord.faults, noFaults());
  isApiAway = false;
  for (const { id } of await kept())
    await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
});

/** The API as the bot reaches it, or not. */
const reachable = (): ApiClient => {
  const api = createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret));
  return {
    call(endpoint, input, options) {
      if (isApiAway) return Promise.reject(new ApiFault('the API does not answer'));
      return api.call(endpoint, input, options);
    },
  };
};
const startBot = async ({ awayAfterMs = 60_000 } = {}): Promise<AsyncDisposableStack> => {
  const resources = new AsyncDisposableStack();
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  resources.use(
    runGuildFeatures({
      client,
      guildId,
      features: [eventPoster, statusKeeper({ pollMs: 100, betweenEditsMs: 300, awayAfterMs })],
      api: reachable(),
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
  return resources;
};
/** Ends at once, as far as the API and Discord see it. */
const restartBot = async () => {
  await bot.disposeAsync();
  bot = await startBot();
};

const kept = async (): Promise<StatusMessage[]> =>
  (await call(running().port, discordStatusHttp.list, asOwner)).json.messages as StatusMessage[];
const only = async (): Promise<StatusMessage> => {
  const [message] = await kept();
  if (!message) throw new Error('there is no status message');
  return message;
};
const create = async (more: Partial<NewStatusMessage> = {}): Promise<StatusMessage> => {
  const body: NewStatusMessage = {
    isEnabled: true,
    channelId: channel.id,
    target: { kind: 'server', id: serverId },
    showsNames: true,
    joins: [{ serverId, address: 'play.example.org', map: 'The_Isle' }],
    ...more,
  };
  const { status, text, json } = await call(running().port, discordStatusHttp.create, { ...asOwner, body });
  expect(status, text).toBe(200);
  return json as unknown as StatusMessage;
};
const change = async (edit: Partial<NewStatusMessage>) => {
  const { id, version } = await only();
  const body = { version, ...edit };
  const answer = await call(running().port, discordStatusHttp.change, { ...asOwner, params: { id }, body });
  expect(answer.status, answer.text).toBe(200);
};

const messages = (where = channel) => [...where.messages.values()];
const sole = (where = channel): StoredMessage => {
  const [stored, ...others] = messages(where);
  if (!stored || others.length > 0) throw new Error(`${others.length + (stored ? 1 : 0)} messages`);
  return stored;
};
const textOf = ({ message }: StoredMessage): string =>
  JSON.stringify(message.embeds).replaceAll(String.raw`\\`, '\\');
const shows = (part: string | RegExp, where = channel) =>
  eventually(() => expect(textOf(sole(where))).toMatch(part), patientMs);
/** The API has heard of what stands in Discord. */
const isConfirmed = () =>
  eventually(async () => expect((await only()).shownAt).toEqual(expect.any(String)), patientMs);
const postedInto = (where: Channel) =>
  discord.state.posted.filter(({ message }) => message.channel_id === where.id);
const of =
  (method: string) =>
  ({ method: asked, path }: RestRequest): boolean =>
    asked === method && path.startsWith(`/channels/${channel.id}/messages`);
const requestsOf = (method: string) =>
  discord.requests.filter((request) => of(method)({ ...request, body: null })).length;

// Guarantee: one message shows state, players, map and address, is edited in place when one of them changes, and not otherwise;
// names notify no one and form nothing; the console's address is in none of it.
test('a server', async () => {
  await create();
  await shows('Online');
  const { id } = sole().message;
  game.world.join('__Ann__');
  await shows(String.raw`\_\_Ann\_\_`);
  expect(sole().message.id).toBe(id);
  expect(textOf(sole())).toContain('play.example.org');
  expect(textOf(sole())).toContain(String.raw`The\_Isle`);
  expect(textOf(sole())).not.toContain(String(game.port));
  expect(sole().pinged).toEqual({ users: [], roles: [], everyone: false });
  await isConfirmed();
  const edits = requestsOf('PATCH');
  await change({ showsNames: false });
  await eventually(() => expect(textOf(sole())).not.toContain('Ann'), patientMs);
  expect(requestsOf('PATCH')).toBe(edits + 1);
  // Another round of everything: nothing has changed.
  await restartBot();
  await eventually(() => expect(requestsOf('GET')).toBeGreaterThan(0), patientMs);
  game.world.leave('__Ann__');
  await shows('"value":"0"');
  expect(requestsOf('PATCH')).toBe(edits + 2);
  expect(postedInto(channel)).toHaveLength(1);
  expect(discord.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(sole().message.id).toBe(id);
}, 120_000);

// Guarantee: a cluster's message shows each of its servers, in the language of the community; who leaves the cluster leaves the message.
test('a cluster in Portuguese', async () => {
  const { port } = running();
  const general = async () => {
    const { json } = await call(port, settingsHttp.list, asOwner);
    const sections = json.sections as { name: string; version: number }[];
    return sections.find(({ name }) => name === 'general')?.version ?? 0;
  };
  const speak = async (language: 'en' | 'pt-BR') =>
    call(port, settingsHttp.change, {
      ...asOwner,
      params: { section: 'general' },
      body: { version: await general(), values: { language } },
    });
  const nothing = await startMinecraft();
  const second = await newServer(port, { name: 'Second', clusterId, host: '127.0.0.1', port: nothing.port });
  await nothing[Symbol.asyncDispose]();
  await create({ target: { kind: 'cluster', id: clusterId } });
  await shows(/Second.*Offline.*The game has not answered yet/);
  expect((await speak('pt-BR')).status).toBe(200);
  await shows(/Second.*O jogo ainda não respondeu/);
  expect((await speak('en')).status).toBe(200);
  await shows(/Second.*The game has not answered yet/);
  await call(port, gameServersHttp.archive, { ...asOwner, params: { id: second } });
  await eventually(() => expect(textOf(sole())).not.toContain('Second'), patientMs);
  await shows('Online');
}, 180_000);

// Guarantee: a game that does not answer is said not to, with the time of its last answer; nothing of its console is told.
test('a game that is away', async () => {
  await using other = await startMinecraft();
  const { port, password } = other;
  const id = await newServer(running().port, { host: '127.0.0.1', port, password });
  await create({ target: { kind: 'server', id }, joins: [] });
  await shows('Online');
  await other.goOffline();
  await shows(/Offline.*The game last answered <t:/);
  expect(textOf(sole())).not.toContain(String(port));
  await other.comeBack();
  await shows('Online');
}, 120_000);

// Guarantee: a post whose answer is lost, or that fails, leaves one message, also where the bot ends in between.
test.each([
  ['an answer that is lost', 'lose-answer', false],
  ['an answer that is lost, and an end', 'lose-answer', true],
  ['a connection that breaks', 'drop', true],
  ['an error after it was made', { status: 500, isDone: true }, true],
] as const)(
  '%s',
  async (_what, fate, isEnd) => {
    discord.faults.fateOf = nextTimes(4, fate, of('POST'));
    const before = requestsOf('POST');
    await create();
    await eventually(() => expect(requestsOf('POST')).toBeGreaterThan(before), patientMs);
    if (isEnd) await restartBot();
    await isConfirmed();
    await shows('Online');
    game.world.join('Bob');
    await shows('Bob');
    game.world.leave('Bob');
    await eventually(() => expect(textOf(sole())).not.toContain('Bob'), patientMs);
  },
  120_000,
);

// Guarantee: a message that someone deletes, also while the bot is away, is posted again; once.
test('a deleted message', async () => {
  await create();
  await shows('Online');
  await isConfirmed();
  people.deleteMessage(sole());
  await eventually(() => expect(postedInto(channel)).toHaveLength(2), patientMs);
  await eventually(() => expect(sole().message.id).toBe(postedInto(channel)[1]?.message.id), patientMs);
  await isConfirmed();
  await bot.disposeAsync();
  people.deleteMessage(sole());
  bot = await startBot();
  await eventually(() => expect(postedInto(channel)).toHaveLength(3), patientMs);
  await shows('Online');
}, 120_000);

// Guarantee: a message that Discord lets no one edit any more is replaced, and no other edit waits for it.
test('a message that is too old', async () => {
  await create();
  await shows('Online');
  await isConfirmed();
  const { id } = sole().message;
  discord.faults.refuseOldEdits = true;
  aheadMs += 2 * hourMs;
  game.world.join('Cid');
  await shows('Cid');
  expect(sole().message.id).not.toBe(id);
  game.world.leave('Cid');
  await eventually(() => expect(textOf(sole())).not.toContain('Cid'), patientMs);
}, 120_000);

// Guarantee: it moves with its channel, and goes with its rule; nothing is left behind, also where the bot was away meanwhile.
test('another channel, off, and away', async () => {
  const old = channel;
  const other = people.createChannel('elsewhere');
  await create();
  await shows('Online');
  await isConfirmed();
  await change({ channelId: other.id });
  await shows('Online', other);
  await eventually(() => expect(messages(old)).toEqual([]), patientMs);
  await change({ isEnabled: false });
  await eventually(() => expect(messages(other)).toEqual([]), patientMs);
  await change({ isEnabled: true });
  await shows('Online', other);
  await eventually(async () => expect((await only()).shownAt).toEqual(expect.any(String)), patientMs);
  await bot.disposeAsync();
  const { id } = await only();
  await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
  bot = await startBot();
  await eventually(() => expect(messages(other)).toEqual([]), patientMs);
  expect(await kept()).toEqual([]);
}, 120_000);

// Guarantee: while the API is away the message says so, and afterwards it shows the truth again, also where the bot was killed before.
test('the API away', async () => {
  await bot.disposeAsync();
  bot = await startBot({ awayAfterMs: 500 });
  await create();
  await shows('Online');
  await isConfirmed();
  isApiAway = true;
  await shows('not known since <t:');
  isApiAway = false;
  await shows('Online');
  // Each try of the edit is made, and no answer of it arrives.
  discord.faults.fateOf = nextTimes(4, 'lose-answer', of('PATCH'));
  isApiAway = true;
  await shows('not known since <t:');
  isApiAway = false;
  await shows('Online');
  isApiAway = true;
  await shows('not known since <t:');
  await bot.disposeAsync();
  isApiAway = false;
  bot = await startBot();
  await shows('Online');
  expect(postedInto(channel)).toHaveLength(1);
}, 120_000);

// Guarantee: a message of which the API was never told, and that says that the API is away, is found again by another bot.
test('the API away before it is told of a post', async () => {
  await bot.disposeAsync();
  bot = await startBot({ awayAfterMs: 500 });
  discord.faults.fateOf = (request) => {
    if (of('POST')(request)) isApiAway = true;
    return 'answer';
  };
  await create();
  await shows('not known since <t:');
  await bot.disposeAsync();
  Object.assign(discord.faults, noFaults());
  isApiAway = false;
  bot = await startBot();
  await isConfirmed();
  await shows('Online');
  expect(postedInto(channel)).toHaveLength(1);
}, 120_000);

// Guarantee: where the history cannot be read, nothing is taken for not being there: no second post, and no removal forgotten.
test('a history that cannot be read', async () => {
  const botRole = people.roleNamed('Castellan Bot');
  discord.faults.fateOf = nextTimes(4, 'lose-answer', of('POST'));
  await create();
  await eventually(() => expect(messages()).toHaveLength(1), patientMs);
  await bot.disposeAsync();
  people.setOverwrite(channel, botRole.id, { deny: ['readMessageHistory'] });
  people.setOverwrite(channel, people.guild.id, { deny: ['readMessageHistory'] });
  const { id } = await only();
  await call(running().port, discordStatusHttp.remove, { ...asOwner, params: { id } });
  bot = await startBot();
  // The bot has told of the channel, and was given what is to be removed there.
  await eventually(async () => {
    const { json } = await call(running().port, discordEventsHttp.list, asOwner);
    const { channels: known } = json.guild as BotGuild;
    expect(known.find((one) => one.id === channel.id)?.missing).toEqual(['readHistory']);
  }, patientMs);
  const removals = () => running().api.context.database.db.selectFrom('discord_status_removals');
  const asked = discord.requests.length;
  const second = people.createChannel('beside');
  await create({ channelId: second.id });
  await shows('Online', second);
  expect(messages()).toHaveLength(1);
  expect(discord.requests.slice(asked).filter(({ path }) => path.includes(channel.id))).toEqual([]);
  expect(await removals().selectAll().execute()).toHaveLength(1);
  people.setOverwrite(channel, botRole.id, { allow: ['readMessageHistory'] });
  await bot.disposeAsync();
  bot = await startBot();
  await eventually(() => expect(messages()).toEqual([]), patientMs);
}, 120_000);

// Guarantee: what stands in the way is said, and it goes on by itself: a channel that is closed, one that is gone, an archived server.
test('obstacles', async () => {
  const { port } = running();
  const botRole = people.roleNamed('Castellan Bot');
  people.setOverwrite(channel, botRole.id, { deny: ['embedLinks'] });
  await eventually(async () => {
    const { json } = await call(port, discordEventsHttp.list, asOwner);
    const { channels: known } = json.guild as BotGuild;
    expect(known.find(({ id }) => id === channel.id)?.missing).toEqual(['embedLinks']);
  }, patientMs);
  expect(await create()).toMatchObject({ obstacle: 'permissions-missing', missing: ['embedLinks'] });
  expect(messages()).toEqual([]);
  people.setOverwrite(channel, botRole.id, { allow: ['embedLinks'] });
  await shows('Online');
  await isConfirmed();
  const target = await newServer(port, { name: 'Gone' });
  await change({ target: { kind: 'server', id: target } });
  await shows('Gone');
  await call(port, gameServersHttp.archive, { ...asOwner, params: { id: target } });
  await eventually(() => expect(messages()).toEqual([]), patientMs);
  expect(await only()).toMatchObject({ obstacle: 'target-gone' });
  await change({ target: { kind: 'cluster', id: clusterId } });
  await shows('Online');
  people.deleteChannel(channel);
  await eventually(async () => expect((await only()).obstacle).toBe('channel-unknown'), patientMs);
}, 180_000);

// Guarantee: Discord's refusal of what its permissions allow is said, and the channel is left alone for a while.
test('a refusal', async () => {
  // The bot is not told.
  channel.overwrites = [{ id: people.roleNamed('Castellan Bot').id, type: 0, allow: '0', deny: '16384' }];
  await create();
  await eventually(async () => expect((await only()).obstacle).toBe('refused'), patientMs);
  const refused = discord.requests.filter(({ path, status }) => path.includes(channel.id) && status === 403);
  expect(refused).toHaveLength(1);
}, 120_000);
