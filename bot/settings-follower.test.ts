import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BotSettings, BotStatus } from '#contracts/discord/bot.ts';
import { eventually } from '#harness/eventually.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { type Discord, startDiscord } from '#simulators/discord/discord.ts';
import { type EnvSettings, effectiveSettings, fieldsOf, followSettings } from './settings-follower.ts';

const [oldToken, newToken] = ['the-old.token-of.the-bot', 'the-new.token-of.the-bot'];
const noEnv: EnvSettings = { token: undefined, clientId: undefined, guildId: undefined };
const saved = (token: string | null, more: Partial<BotSettings> = {}): BotSettings => ({
  revision: '1.0',
  token,
  isTokenUnreadable: false,
  clientId: '',
  guildId: '',
  ...more,
});

let discord: Discord;
let statuses: BotStatus[];
let tokens: string[];

beforeEach(async () => {
  // The new token may sign in right after the old one.
  discord = await startDiscord({ settings: { identifyWindowMs: 0 } });
  discord.state.application.tokens.add(oldToken).add(newToken);
  statuses = [];
  tokens = [];
});
afterEach(() => discord[Symbol.asyncDispose]());

const follow = (env: Partial<EnvSettings> = {}) =>
  followSettings({
    env: { ...noEnv, ...env },
    discordUrls: discord.urls,
    onStatus: (status) => statuses.push(status),
    onToken: (token) => tokens.push(token.reveal()),
    log: createLog({ component: 'bot', level: 'silent' }),
  });

const expectLast = (expected: Partial<BotStatus>) =>
  eventually(() => expect(statuses.at(-1)).toMatchObject(expected));
const signIns = () => discord.gateway.identified.map(({ token }) => token);

// Guarantee: a new token takes effect without a restart, after the old connection has ended; unchanged settings never reach Discord again.
test('a new token', async () => {
  await using follower = follow();
  follower.take(saved(null));
  await expectLast({ state: 'waiting', obstacle: 'no-token' });
  follower.take(saved(oldToken));
  await expectLast({ state: 'connected' });
  follower.take(saved(oldToken, { revision: '2.0', clientId: '100000000000000000' }));
  follower.take(saved(newToken));
  await eventually(() => expect(signIns()).toEqual([oldToken, newToken]));
  await expectLast({ state: 'connected' });
  follower.take(saved(null));
  await expectLast({ state: 'waiting', obstacle: 'no-token' });
  expect(tokens).toEqual([oldToken, newToken]);
});

// Guarantee: a refused token is tried once, and again only when a person asks for it.
test('another try', async () => {
  discord.faults.refuseIdentifyWith = 4014;
  await using follower = follow();
  follower.take(saved(oldToken));
  await expectLast({ state: 'waiting', obstacle: 'intents-off' });
  discord.faults.refuseIdentifyWith = null;
  follower.take(saved(oldToken, { revision: '1.1' }));
  await expectLast({ state: 'connected' });
  expect(signIns()).toEqual([oldToken, oldToken]);
});

// Guarantee: without the API the bot works with what its environment holds, and claims nothing where that is empty.
test('the API away', async () => {
  await using without = follow();
  without.take(null);
  await expectLast({ state: 'connecting', obstacle: null, detail: expect.stringContaining('the API') });
  await using follower = follow({ token: new Secret(oldToken) });
  follower.take(null);
  await expectLast({ state: 'connected' });
});

// Guarantee: values in `.env` win, field by field.
test('the environment', () => {
  const guildId = '222222222222222222';
  const token = new Secret(oldToken);
  const other = saved(newToken, { guildId: '333333333333333333' });
  expect(effectiveSettings({ ...noEnv, guildId }, other)).toMatchObject({ guildId });
  expect(effectiveSettings({ ...noEnv, guildId }, other).token?.reveal()).toBe(newToken);
  const unreadable = saved(null, { isTokenUnreadable: true });
  expect(effectiveSettings({ ...noEnv, token }, unreadable)).toMatchObject({
    token,
    isTokenUnreadable: false,
  });
  expect(effectiveSettings(noEnv, unreadable)).toMatchObject({ token: undefined, isTokenUnreadable: true });
  expect(fieldsOf({ ...noEnv, token, guildId })).toEqual(['token', 'guildId']);
});
