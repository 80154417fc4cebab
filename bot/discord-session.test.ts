import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotStatus } from '#contracts/bot.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import { keepDiscordSession, type SessionSettings } from './discord-session.ts';

const { token } = usualBot;

let discord: Discord;
let statuses: BotStatus[];

beforeEach(async () => {
  discord = await startDiscord();
  statuses = [];
});
afterEach(() => discord[Symbol.asyncDispose]());

const guildId = '222222222222222222';

const keep = (chosen: string | undefined, settings: Partial<SessionSettings> = {}) =>
  keepDiscordSession({
    token: chosen === undefined ? undefined : new Secret(chosen),
    isTokenUnreadable: false,
    guildId: '',
    ...settings,
    discordUrls: discord.urls,
    onStatus: (status) => statuses.push(status),
    log: createLog({ component: 'bot', level: 'silent' }),
  });

const expectStatus = (
  state: BotStatus['state'],
  detail: RegExp,
  obstacle: BotStatus['obstacle'] = null,
): Promise<void> =>
  eventually(
    () => expect(statuses.at(-1)).toMatchObject({ state, obstacle, detail: expect.stringMatching(detail) }),
    30_000,
  );

// Guarantee: without a token the bot waits and says what to set, and asks Discord nothing.
test('no token', async () => {
  await using _session = keep(undefined);
  await expectStatus('waiting', /no token: enter one in the panel/, 'no-token');
  expect(discord.requests).toEqual([]);
});

// Guarantee: a token that cannot be decrypted is told apart from none at all.
test('an unreadable token', async () => {
  await using _session = keep(undefined, { isTokenUnreadable: true });
  await expectStatus('waiting', /cannot be decrypted/, 'token-unreadable');
});

// Guarantee: a right token signs in, with the privileged intents that the features need.
test('a right token', async () => {
  await using _session = keep(token);
  await expectStatus('connected', /^signed in as Castellan Bot/);
  const guildMembers = 1 << 1;
  const messageContent = 1 << 15;
  const [identified] = discord.gateway.identified;
  expect((identified?.intents ?? 0) & (guildMembers | messageContent)).toBe(guildMembers | messageContent);
});

// Guarantee: a token that Discord refuses is said in words and tried once: no loop, no ban.
test.each([
  ['refused by the API', 'another-token', null, 'token-refused', /Discord refuses the token: make a new one/],
  ['refused by the gateway', token, 4004, 'token-refused', /Discord refuses the token: make a new one/],
  ['lacking intents', token, 4014, 'intents-off', /SERVER MEMBERS INTENT and MESSAGE CONTENT INTENT/],
  ['unsendable', 'a\ntoken', null, 'token-refused', /holds characters that no token has/],
] as const)('a token %s', async (_what, chosen, refuseWith, obstacle, detail) => {
  discord.faults.refuseIdentifyWith = refuseWith;
  const session = keep(chosen);
  await expectStatus('waiting', detail, obstacle);
  expect(session.hasEnded).toBe(true);
  // Nothing is left running that could try again.
  await session[Symbol.asyncDispose]();
  expect(statuses.filter(({ state }) => state === 'connecting').length).toBeLessThanOrEqual(1);
  expect(discord.gateway.identified.length).toBeLessThanOrEqual(1);
  expect(JSON.stringify(statuses)).not.toContain(chosen);
});

// Guarantee: when Discord throttles, the bot says so, waits, and signs in afterwards.
test('throttled', async () => {
  discord.faults.fateOf = nextTimes(1, { throttleMs: 1000, scope: 'shared' });
  await using _session = keep(token);
  await expectStatus('connected', /Castellan Bot/);
  expect(statuses).toContainEqual(
    expect.objectContaining({
      state: 'throttled',
      detail: expect.stringMatching(/lets us wait \d+ s/),
    }),
  );
});

// Guarantee: when no sign-in is left, the bot waits a minute instead of spending more.
test('no sign-in left', async () => {
  discord.settings.sessionStarts.remaining = 0;
  await using _session = keep(token);
  await expectStatus('throttled', /no more sign-ins for now. Next attempt in 60 s/);
  expect(discord.gateway.identified).toEqual([]);
});

// Guarantee: a connection that is lost comes back by itself; a token that is revoked meanwhile is said.
test('a lost connection', async () => {
  await using _session = keep(token);
  await expectStatus('connected', /Castellan Bot/);
  discord.gateway.cut(4000);
  await eventually(() =>
    expect(statuses).toContainEqual(
      expect.objectContaining({ state: 'connecting', detail: 'reconnecting to Discord' }),
    ),
  );
  await expectStatus('connected', /Castellan Bot/);
  discord.gateway.cut(4004);
  await expectStatus('waiting', /refuses the token/, 'token-refused');
});

// Guarantee: a Discord that cannot be reached is tried again, later and later, and a stop need not wait for it.
test('Discord away', async () => {
  const { urls } = discord;
  await discord[Symbol.asyncDispose]();
  {
    await using _session = keepDiscordSession({
      token: new Secret(token),
      isTokenUnreadable: false,
      guildId: '',
      discordUrls: urls,
      onStatus: (status) => statuses.push(status),
      log: createLog({ component: 'bot', level: 'silent' }),
    });
    await expectStatus('connecting', /Discord cannot be reached. Next attempt in \d+ s/);
  }
  discord = await startDiscord();
});

// Guarantee: a bot on its Discord server says which one, by the name that Discord has told.
test('the Discord server', async () => {
  discord.addGuild('The Keep', { id: guildId });
  await using _session = keep(token, { guildId });
  await expectStatus('connected', /^signed in as Castellan Bot.* on The Keep$/);
  expect(statuses.at(-1)).toMatchObject({ guildName: 'The Keep', clientId: usualBot.applicationId });
});

// Guarantee: a bot that nobody has invited says so and stays signed in; once it is let in, it works without a restart.
test('a Discord server without the bot', async () => {
  await using session = keep(token, { guildId });
  await expectStatus('waiting', /not on the Discord server 2{18}: invite the bot/, 'guild-unknown');
  expect(session.hasEnded).toBe(false);
  discord.addGuild('The Keep', { id: guildId });
  await expectStatus('connected', /on The Keep$/);
  expect(discord.gateway.identified).toHaveLength(1);
});
