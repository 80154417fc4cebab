import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type BotGuild,
  discordEventsHttp,
  type EventRule,
  type NewEventRule,
} from '#contracts/discord/discord-events.ts';
import { eventually } from '#harness/eventually.ts';
import { tenth } from '#harness/tenth.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes, noFaults, type RestRequest } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import { permission } from '#simulators/discord/permissions.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { createApiClient } from '../../bot/api-client.ts';
import { botFeatures } from '../../bot/bot-features.ts';
import { runGuildFeatures } from '../../bot/guild-features.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

/** Transactions of other tests hold back the feed of events for a while. */
const patientMs = 60_000;
const guildId = '222222222222222222';
const running = apiForThisFile();
const asOwner = { as: testDesktopCredential };

let discord: Discord;
let people: People;
let channel: Channel;
let resources: AsyncDisposableStack;
let channels = 0;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  discord = resources.use(await startDiscord());
  people = discord.addGuild('The Keep', { id: guildId });
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  resources.use(
    runGuildFeatures({
      client,
      guildId,
      features: botFeatures,
      interval: tenth,
      api: createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret)),
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
  Object.assign(discord.faults, noFaults());
  channels += 1;
  channel = people.createChannel(`channel-${channels}`);
  for (const rule of await rules())
    await call(running().port, discordEventsHttp.remove, { ...asOwner, params: { id: rule.id } });
});

const db = () => running().api.context.database.db;
const rules = async (): Promise<EventRule[]> =>
  (await call(running().port, discordEventsHttp.list, asOwner)).json.rules as EventRule[];
const create = async (more: Partial<NewEventRule> = {}): Promise<void> => {
  const body: NewEventRule = {
    isEnabled: true,
    channelId: channel.id,
    kinds: ['chat.message'],
    severities: [],
    serverIds: [],
    roleId: null,
    ...more,
  };
  const { status, text } = await call(running().port, discordEventsHttp.create, { ...asOwner, body });
  expect(status, text).toBe(200);
};
const happen = (from: number, to: number, { severity = 'info', on = db() } = {}) =>
  sql`insert into event_logs (kind, severity, payload)
      select 'chat.message', ${severity},
             jsonb_build_object('playerId', null, 'name', '@everyone', 'text', number::text)
        from generate_series(${from}::int, ${to}::int) as number`.execute(on);
const messages = () => [...channel.messages.values()];
const numbers = () =>
  messages().flatMap(({ message }) =>
    message.embeds.flatMap(({ description = '' }) =>
      [...description.matchAll(/: \u2068(\d+)\u2069/g)].map(([, number]) => Number(number)),
    ),
  );
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const isPost = ({ method, path }: RestRequest) =>
  method === 'POST' && path === `/channels/${channel.id}/messages`;
const obstacle = async () => (await rules())[0]?.obstacle ?? null;

// Guarantee: events are posted to the channel of their rule, in order, many in one message, and only the role is notified.
test('events in a channel', async () => {
  const role = people.createRole('Staff', { mentionable: true });
  await create({ roleId: role.id });
  await happen(1, 120);
  await eventually(() => expect(numbers()).toEqual(range(1, 120)), patientMs);
  expect(messages().length).toBeLessThan(10);
  for (const { pinged } of messages())
    expect(pinged).toEqual({ users: [], roles: [role.id], everyone: false });
  await eventually(async () => expect((await rules())[0]?.postedAt).toEqual(expect.any(String)), patientMs);
});

// Guarantee: the chat of a voice channel is offered and used like a text channel; what cannot hold them is not offered.
test('a voice channel', async () => {
  const forum = people.createChannel('forum', 15);
  channel = people.createChannel('voice', 2);
  await create();
  await happen(1, 2);
  await eventually(() => expect(numbers()).toEqual([1, 2]), patientMs);
  const { json } = await call(running().port, discordEventsHttp.list, asOwner);
  const offered = (json.guild as BotGuild).channels.map(({ id }) => id);
  expect([offered.includes(channel.id), offered.includes(forum.id)]).toEqual([true, false]);
});

// Guarantee: an alert overtakes everything that waits.
test('an alert', async () => {
  await create();
  // All at the same time for the bot, the alert last.
  await db()
    .transaction()
    .execute(async (trx) => {
      await happen(1, 400, { on: trx });
      await happen(1000, 1000, { severity: 'alert', on: trx });
    });
  await eventually(() => expect(numbers()).toHaveLength(401), patientMs);
  expect(numbers().indexOf(1000)).toBeLessThanOrEqual(100);
  expect(numbers().filter((number) => number < 1000)).toEqual(range(1, 400));
});

// Guarantee: a post whose answer is lost, or on which Discord fails, exists once, whether it was made or not.
test.each([
  ['an answer that is lost', 'lose-answer'],
  ['a connection that breaks', 'drop'],
  ['an error after it was made', { status: 500, isDone: true }],
  ['an error before', { status: 503 }],
] as const)('%s', async (_what, fate) => {
  await create();
  discord.faults.fateOf = nextTimes(2, fate, isPost);
  await happen(1, 3);
  await eventually(() => expect(numbers()).toEqual(range(1, 3)), patientMs);
  await happen(4, 4);
  await eventually(() => expect(numbers()).toEqual(range(1, 4)), patientMs);
});

// Guarantee: a message that is deleted before its answer arrives is not posted again, and nothing stops.
test('a message deleted before its answer', async () => {
  await create();
  discord.faults.fateOf = nextTimes(1, { status: 500, isDone: true }, isPost);
  discord.changes.once('change', () => {
    for (const stored of messages()) people.deleteMessage(stored);
  });
  await happen(1, 1);
  const posted = () => discord.state.posted.filter(({ message }) => message.channel_id === channel.id);
  await eventually(() => expect(posted()).toHaveLength(1), patientMs);
  await happen(2, 2);
  await eventually(() => expect(numbers()).toEqual([2]), patientMs);
  expect(posted()).toHaveLength(2);
});

// Guarantee: a channel without the bot's permissions is named with what is missing, gets no requests, and catches up by itself.
test('permissions', async () => {
  await create();
  people.setOverwrite(channel, people.guild.id, { deny: ['embedLinks', 'readMessageHistory'] });
  const botRole = people.roleNamed('Castellan Bot');
  people.setOverwrite(channel, botRole.id, { deny: ['embedLinks', 'readMessageHistory'] });
  await eventually(
    async () =>
      expect((await rules())[0]).toMatchObject({
        obstacle: 'permissions-missing',
        missing: ['embedLinks', 'readHistory'],
      }),
    patientMs,
  );
  const before = discord.requests.length;
  await happen(1, 2);
  await eventually(async () => expect(await obstacle()).toBe('permissions-missing'), patientMs);
  expect(discord.requests.slice(before).filter(({ path }) => path.includes(channel.id))).toEqual([]);
  people.setOverwrite(channel, botRole.id, { allow: ['embedLinks', 'readMessageHistory'] });
  await eventually(() => expect(numbers()).toEqual([1, 2]), patientMs);
  people.deleteChannel(channel);
  await eventually(async () => expect(await obstacle()).toBe('channel-unknown'), patientMs);
});

// Guarantee: a channel where Discord refuses what the permissions allow gets no further requests, and its rule says so.
test('a refusal', async () => {
  await create();
  const botRole = people.roleNamed('Castellan Bot');
  // The bot is not notified.
  channel.overwrites = [{ id: botRole.id, type: 0, allow: '0', deny: String(permission.embedLinks) }];
  await happen(1, 1);
  await eventually(async () => expect(await obstacle()).toBe('refused'), patientMs);
  const refused = discord.requests.filter(({ path, status }) => path.includes(channel.id) && status === 403);
  expect(refused).toHaveLength(1);
});

// Guarantee: a test message arrives and its sender gets the result.
test('a test message', async () => {
  await create();
  await eventually(async () => expect(await obstacle()).toBeNull(), patientMs);
  const body = { channelId: channel.id, roleId: null };
  const { json } = await call(running().port, discordEventsHttp.test, { ...asOwner, body });
  expect(json).toEqual({ outcome: 'posted' });
  expect(messages()).toHaveLength(1);
});
