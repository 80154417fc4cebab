import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotStatus } from '#contracts/discord/bot.ts';
import { eventually } from '#harness/eventually.ts';
import { wakeByHand } from '#harness/woken.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { nextTimes } from '#simulators/discord/faults.ts';
import { createIdentifyThrottler } from './discord-client.ts';
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

const keep = (
  chosen: string | undefined,
  settings: Partial<SessionSettings & Pick<Parameters<typeof keepDiscordSession>[0], 'wakes'>> = {},
) =>
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

// Guarantee: without a token the bot waits and says what to set, and sends Discord nothing.
test('no token', async () => {
  await using _session = keep(undefined);
  await expectStatus('waiting', /No token is set\. Enter one/, 'no-token');
  expect(discord.requests).toEqual([]);
});

// Guarantee: a token that cannot be decrypted is told apart from a missing one.
test('an unreadable token', async () => {
  await using _session = keep(undefined, { isTokenUnreadable: true });
  await expectStatus('waiting', /cannot be decrypted/, 'token-unreadable');
});

// Guarantee: a valid token signs in, with the privileged intents that the features need.
test('a right token', async () => {
  await using _session = keep(token);
  await expectStatus('connected', /^Signed in as Castellan Bot/);
  const guildMembers = 1 << 1;
  const messageContent = 1 << 15;
  const [identified] = discord.gateway.identified;
  expect((identified?.intents ?? 0) & (guildMembers | messageContent)).toBe(guildMembers | messageContent);
});

// Guarantee: a token that Discord refuses is reported in words and tried once: no loop, no ban.
test.each([
  ['refused by the API', 'another-token', null, 'token-refused', /Discord refuses the token. Make a new one/],
  ['refused by the gateway', token, 4004, 'token-refused', /Discord refuses the token. Make a new one/],
  ['lacking intents', token, 4014, 'intents-off', /SERVER MEMBERS INTENT and MESSAGE CONTENT INTENT/],
  ['unsendable', 'a\ntoken', null, 'token-refused', /holds characters that no token has/],
] as const)('a token %s', async (_what, chosen, refuseWith, obstacle, detail) => {
  discord.faults.refuseIdentifyWith = refuseWith;
  const session = keep(chosen);
  await expectStatus('waiting', detail, obstacle);
  expect(session.hasEnded).toBe(true);
  // Nothing keeps running that could try again.
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
      detail: expect.stringMatching(/asks the bot to wait \d+ s/),
    }),
  );
});

// Guarantee: when no sign-ins are left, the bot waits a minute instead of spending more.
test('no sign-in left', async () => {
  discord.settings.sessionStarts.remaining = 0;
  await using _session = keep(token);
  await expectStatus('throttled', /no more sign-ins for now. Next attempt in 60 s/);
  expect(discord.gateway.identified).toEqual([]);
});

// Guarantee: a gateway that closes every connection is not knocked at without pause: after a few times, the pauses grow.
test('a gateway that closes again and again', async () => {
  await using _session = keep(token);
  const signIns = () => statuses.filter(({ state }) => state === 'connected').length;
  for (let times = 1; times <= 4; times += 1) {
    await eventually(() => expect(signIns()).toBe(times));
    discord.gateway.cut(4002);
  }
  await eventually(() =>
    expect(statuses).toContainEqual(
      expect.objectContaining({
        state: 'connecting',
        detail: expect.stringMatching(
          /^Discord closes the connection again and again \(code 4002\)\. Next attempt in \d+ s\.$/,
        ),
      }),
    ),
  );
  await expectStatus('connected', /Castellan Bot/);
});

// Guarantee: a connection that closes while its sign-in waits for Discord's pause signs in on no other connection.
test('a sign-in whose connection is gone', async () => {
  await expect(createIdentifyThrottler(1).waitForIdentify(0, AbortSignal.abort())).rejects.toThrow(/abort/);
});

// Guarantee: while Discord has trouble with the Discord server, the bot says so, and works on by itself afterwards.
test('an outage of the Discord server', async () => {
  const { guild } = discord.addGuild('The Keep', { id: guildId });
  await using _session = keep(token, { guildId });
  await expectStatus('connected', /It works on the Discord server/);
  discord.setGuildAvailable(guild, false);
  await expectStatus('waiting', /Discord has trouble with the Discord server/, 'guild-unavailable');
  discord.setGuildAvailable(guild, true);
  await expectStatus('connected', /It works on the Discord server/);
});

// Guarantee: a lost connection comes back by itself; a token that was revoked in between is reported.
test('a lost connection', async () => {
  await using _session = keep(token);
  await expectStatus('connected', /Castellan Bot/);
  discord.gateway.cut(4000);
  await eventually(() =>
    expect(statuses).toContainEqual(
      expect.objectContaining({ state: 'connecting', detail: 'Reconnecting to Discord.' }),
    ),
  );
  await expectStatus('connected', /Castellan Bot/);
  discord.gateway.cut(4004);
  await expectStatus('waiting', /refuses the token/, 'token-refused');
});

// Guarantee: after a sleep that Discord's sessions do not outlive, the bot signs in again immediately, even where the
// next attempt was postponed; a short sleep is left to discord.js, which is told what it has missed.
test('the machine slept', async () => {
  const wakes = wakeByHand();
  await using _session = keep(token, { wakes });
  await expectStatus('connected', /Castellan Bot/);
  wakes.wake(20_000);
  expect(statuses.at(-1)).toMatchObject({ state: 'connected' });
  wakes.wake(8 * 3_600_000);
  await eventually(() => expect(discord.gateway.identified).toHaveLength(2));
  await expectStatus('connected', /Castellan Bot/);
  expect(statuses.some(({ detail }) => detail.includes('Next attempt'))).toBe(false);
});

// Guarantee: an unreachable Discord is tried again, at growing intervals, and a stop need not wait for it.
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
    await expectStatus(
      'connecting',
      /Discord cannot be reached\. Nothing accepts connections at .* Next attempt in \d+ s/,
    );
  }
  discord = await startDiscord();
});

// Guarantee: a bot on its Discord server says which one, by the name that Discord reported.
test('the Discord server', async () => {
  discord.addGuild('The Keep', { id: guildId });
  await using _session = keep(token, { guildId });
  await expectStatus('connected', /^Signed in as Castellan Bot\..* on the Discord server The Keep\.$/);
  expect(statuses.at(-1)).toMatchObject({ guildName: 'The Keep', clientId: usualBot.applicationId });
});

// Guarantee: a bot that was not invited says so and stays signed in; once it is added, it works without a restart.
test('a Discord server without the bot', async () => {
  await using session = keep(token, { guildId });
  await expectStatus('waiting', /not on the Discord server 2{18}\. Invite it/, 'guild-unknown');
  expect(session.hasEnded).toBe(false);
  discord.addGuild('The Keep', { id: guildId });
  await expectStatus('connected', /on the Discord server The Keep\.$/);
  expect(discord.gateway.identified).toHaveLength(1);
});
