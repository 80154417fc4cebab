import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BotStatus } from '#contracts/discord/bot.ts';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes, noFaults } from '#simulators/discord/faults.ts';
import type { People } from '#simulators/discord/people.ts';
import type { Channel } from '#simulators/discord/state.ts';
import { createApiClient } from '../../bot/api-client.ts';
import { answerTo, textOf } from '../../bot/commands/testing/bot-of-a-test.ts';
import { type DiscordSession, keepDiscordSession } from '../../bot/discord-session.ts';
import { apiForThisFile } from '../../server/kernel/testing/api-of-a-test.ts';
import { call } from '../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/kernel/testing/test-api.ts';

const patientMs = 60_000;
const guildId = '222222222222222222';
const running = apiForThisFile();
const asOwner = { as: testDesktopCredential };
const db = () => running().api.context.database.db;

let discord: Discord;
let people: People;
/** The throttled channel, and another one. */
let channel: Channel;
let other: Channel;
let session: DiscordSession;
let statuses: BotStatus[];

beforeAll(async () => {
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  people = discord.addGuild('The Keep', { id: guildId });
});
afterAll(() => discord[Symbol.asyncDispose]());
beforeEach(async () => {
  statuses = [];
  channel = people.createChannel('slow');
  other = people.createChannel('other');
  for (const { id: channelId } of [channel, other]) {
    const rule = { isEnabled: true, channelId, kinds: ['chat.message' as const], severities: [] };
    const body = { ...rule, serverIds: [], roleId: null };
    expect((await call(running().port, discordEventsHttp.create, { ...asOwner, body })).status).toBe(200);
  }
  session = sign();
  await eventually(() => expect(statuses.at(-1)?.state).toBe('connected'), patientMs);
});
afterEach(async () => {
  await session[Symbol.asyncDispose]();
  Object.assign(discord.faults, noFaults());
  const { json } = await call(running().port, discordEventsHttp.list, asOwner);
  for (const { id } of json.rules as { id: string }[])
    await call(running().port, discordEventsHttp.remove, { ...asOwner, params: { id } });
});

const sign = () =>
  keepDiscordSession({
    token: new Secret(usualBot.token),
    isTokenUnreadable: false,
    guildId,
    discordUrls: discord.urls,
    onStatus: (status) => statuses.push(status),
    api: createApiClient(`http://127.0.0.1:${running().port}`, new Secret(testBotSecret)),
    log: createLog({ component: 'bot', level: 'silent' }),
  });
const happen = (number: number) =>
  sql`insert into event_logs (kind, severity, payload) values ('chat.message', 'info',
      jsonb_build_object('playerId', null, 'name', 'Ann', 'text', ${String(number)}::text))`.execute(db());
const numbersIn = ({ messages }: Channel) =>
  [...messages.values()].flatMap(({ message }) =>
    message.embeds.flatMap(({ description = '' }) =>
      [...description.matchAll(/: \u2068(\d+)\u2069/g)].map(([, number]) => Number(number)),
    ),
  );
const answered = async () => {
  const ann = people.join('Ann');
  const interaction = await eventually(() => people.runCommand(ann, other, 'points'), patientMs);
  expect(textOf(await answerTo(interaction))).toMatch(/link/i);
};

// Guarantee: a bucket, or all of Discord, that is closed for a minute is reported; commands still answer, other channels do not wait
// for a closed one, it gets no second request, and what waited is posted once when it opens.
test.each([
  ['of a channel', 'user'],
  ['of everything', 'global'],
] as const)(
  'a throttle of a minute %s',
  async (_what, scope) => {
    discord.faults.fateOf = nextTimes(
      1,
      { throttleMs: 60_000, scope },
      ({ method, path }) => method === 'POST' && path === `/channels/${channel.id}/messages`,
    );
    await happen(1);
    await eventually(
      () =>
        expect(statuses.at(-1)).toMatchObject({
          state: 'throttled',
          detail: expect.stringMatching(/asks the bot to wait (59|6\d) s/),
        }),
      patientMs,
    );
    expect(session.traffic()).toMatchObject({ waiting: expect.any(Number) });
    expect(session.traffic()?.waiting).toBeGreaterThan(0);
    await answered();
    await happen(2);
    if (scope === 'user') await eventually(() => expect(numbersIn(other)).toEqual([1, 2]), patientMs);
    expect(numbersIn(channel)).toEqual([]);
    const intoIt = discord.requests.filter(({ path }) => path === `/channels/${channel.id}/messages`);
    expect(intoIt.map(({ method, status }) => [method, status])).toEqual([['POST', 429]]);
    // Discord has opened it, so a new sign-in does not have to wait for the rest of the minute.
    await session[Symbol.asyncDispose]();
    session = sign();
    await eventually(() => expect(numbersIn(channel)).toEqual([1, 2]), patientMs);
    await eventually(() => expect(numbersIn(other)).toEqual([1, 2]), patientMs);
    await happen(3);
    await eventually(() => expect(numbersIn(channel)).toEqual([1, 2, 3]), patientMs);
    expect(statuses.at(-1)?.state).toBe('connected');
  },
  120_000,
);

// Guarantee: a token that Discord refuses while the bot works is reported with its remedy, and nothing is lost.
test('a token that is revoked', async () => {
  await happen(1);
  await eventually(() => expect(numbersIn(channel)).toEqual([1]), patientMs);
  const { tokens } = discord.state.application;
  tokens.delete(usualBot.token);
  await happen(2);
  await eventually(
    () => expect(statuses.at(-1)).toMatchObject({ state: 'waiting', obstacle: 'token-refused' }),
    patientMs,
  );
  expect(session.hasEnded).toBe(true);
  tokens.add(usualBot.token);
  await session[Symbol.asyncDispose]();
  session = sign();
  await eventually(() => expect(numbersIn(channel)).toEqual([1, 2]), patientMs);
}, 120_000);
