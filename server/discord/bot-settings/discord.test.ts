import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { type BotStatus, botHttp } from '#contracts/discord/bot.ts';
import { discordHttp } from '#contracts/discord/discord.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { leaveDiscordHandover } from '#runtime/discord/discord-handover.ts';
import { Secret } from '#runtime/secret.ts';
import { bothIntents, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { noFaults } from '#simulators/discord/faults.ts';
import { createSecrets } from '../../kernel/secrets/secrets.ts';
import { apiDatabase } from '../../kernel/testing/api-database.ts';
import { apiForThisFile } from '../../kernel/testing/api-of-a-test.ts';
import { call, newApiKey, person } from '../../kernel/testing/call.ts';
import { startTestApi, testBotSecret, testDesktopCredential } from '../../kernel/testing/test-api.ts';
import { whenInUse } from '../../kernel/testing/when-in-use.ts';
import { discordTokenColumn } from '../discord-token.ts';

const discord = await startDiscord();
afterAll(() => discord[Symbol.asyncDispose]());
const running = apiForThisFile({ discord: { discordApiUrl: discord.apiUrl } });
const { token, applicationId: clientId } = usualBot;
const guildId = '222222222222222222';
const otherGuildId = '333333333333333333';
const asOwner = { as: testDesktopCredential };
const asBot = { as: testBotSecret };
const connected = {
  state: 'connected',
  detail: 'signed in',
  obstacle: null,
  guildName: 'The Keep',
  clientId,
} satisfies BotStatus;

const db = () => running().api.context.database.db;
const read = async (port = running().port) => (await call(port, discordHttp.read, asOwner)).json;
const change = (body: object) =>
  call(running().port, discordHttp.change, { ...asOwner, body: body as { version: number } });
const ofBot = async () => (await call(running().port, botHttp.settings, asBot)).json;

beforeEach(async () => {
  discord.state.application.flags = bothIntents;
  Object.assign(discord.faults, noFaults());
  discord.addGuild('The Keep', { id: guildId });
  await db()
    .updateTable('discord_settings')
    .set({ version: 0, token: null, client_id: null, guild_id: null })
    .execute();
});

// Guarantee: the token is written and never read back: not in responses, not in the audit log, not in the table; only the bot gets it.
test('the token', async () => {
  const saved = await change({ version: 0, token, clientId, guildId });
  expect(saved.json).toMatchObject({
    version: 1,
    token: { set: true, fault: null },
    clientId,
    guildId,
    fromEnv: { fields: [] },
    inviteUrl: `https://discord.com/oauth2/authorize?client_id=${clientId}&scope=bot+applications.commands&permissions=805424128&guild_id=${guildId}`,
  });
  const cleared = await change({ version: 1, token: null });
  expect(cleared.json).toMatchObject({ version: 2, token: { set: false }, clientId });
  const again = await change({ version: 2, token });
  const rows = await db().selectFrom('discord_settings').selectAll().execute();
  const audit = await db()
    .selectFrom('audit_logs')
    .selectAll()
    .where('target', '=', 'discord:settings')
    .orderBy('id')
    .execute();
  expect(audit.map(({ action, after }) => [action, after])).toEqual([
    ['discord.change', { clientId, guildId, token: 'changed' }],
    ['discord.change', { clientId, guildId, token: 'cleared' }],
    ['discord.change', { clientId, guildId, token: 'changed' }],
  ]);
  for (const shown of [saved.text, again.text, JSON.stringify(rows), JSON.stringify(audit)])
    expect(shown).not.toContain(token);
  const answer = await call(running().port, botHttp.settings, asBot);
  expect(answer.json).toMatchObject({ token, isTokenUnreadable: false, clientId, guildId });
  expect(answer.headers['cache-control']).toBe('no-store');
});

// Guarantee: of two changes from the same version one is saved; a wrong one is refused without being repeated.
test('changes', async () => {
  const answers = await Promise.all([guildId, otherGuildId].map((id) => change({ version: 0, guildId: id })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const wrong = await change({ version: 1, token: 'canary without dots' });
  expect(wrong).toMatchObject({ status: 400, json: { code: 'INVALID_REQUEST' } });
  expect(wrong.text).not.toContain('canary');
  const { guildId: kept } = await read();
  expect((await change({ version: 1, guildId: kept })).json.version).toBe(1);
});

// Guarantee: a change requires a person who has just confirmed to be there; no one but the bot fetches the token.
test('who may', async () => {
  const { port } = running();
  const owner = await person(port, { role: 'owner' });
  const { key } = await newApiKey(port, owner.token, {
    name: 'all of the settings',
    permissions: ['settings.read', 'settings.write'],
    expiresInDays: 1,
  });
  const body = { version: 0, token };
  const refusals = [
    [await call(port, discordHttp.change, { as: key, body }), 'PERSON_REQUIRED'],
    [await call(port, discordHttp.change, { ...asOwner, confirmed: false, body }), 'STEP_UP_REQUIRED'],
    [await call(port, discordHttp.change, { ...asBot, body }), 'FORBIDDEN'],
    [await call(port, botHttp.settings, { as: owner.token }), 'FORBIDDEN'],
    [await call(port, botHttp.settings, asOwner), 'FORBIDDEN'],
    [await call(port, botHttp.settings, { as: key }), 'FORBIDDEN'],
    [await call(port, botHttp.settings), 'UNAUTHENTICATED'],
  ] as const;
  for (const [{ json }, code] of refusals) expect(json.code).toBe(code);
  expect((await call(port, discordHttp.change, { as: owner.token, body })).status).toBe(200);
});

// Guarantee: the response to the bot's report says that there are other settings, or that it should retry.
test('the revision', async () => {
  const { port } = running();
  const told = async () =>
    (await call(port, botHttp.report, { ...asBot, body: connected })).json.revision as string;
  const before = (await ofBot()).revision;
  await change({ version: 0, guildId });
  const after = (await ofBot()).revision;
  expect(after).not.toBe(before);
  await expect.poll(told, { timeout: 5000 }).toBe(after);
  expect((await call(port, discordHttp.retry, asOwner)).status).toBe(200);
  await expect.poll(told, { timeout: 5000 }).not.toBe(after);
  expect((await read()).bot).toMatchObject({ guildName: 'The Keep', latencyMs: null, fromEnv: [] });
});

// Guarantee: a token is tested with typed or current values, and each response of Discord is told apart.
test('the test against Discord', async () => {
  const ask = async (body: { token?: string | null; clientId?: string; guildId?: string }) => {
    const asked = { token: null, clientId: '', guildId: '', ...body };
    return call(running().port, discordHttp.test, { ...asOwner, body: asked });
  };
  expect(await ask({})).toMatchObject({ status: 400, json: { detail: 'There is no token to test yet.' } });
  expect((await ask({ token: 'a.wrong.token' })).json).toEqual({ outcome: 'token-wrong' });
  expect((await ask({ token, guildId })).json).toMatchObject({ outcome: 'fine', guildName: 'The Keep' });
  await change({ version: 0, token });
  expect((await ask({ guildId: otherGuildId })).json).toMatchObject({ outcome: 'not-in-guild', clientId });
  expect((await ask({ clientId: '999999999999999999' })).json).toMatchObject({ outcome: 'other-client' });
  discord.state.application.flags = 0;
  const off = await ask({ guildId });
  expect(off.json).toMatchObject({ outcome: 'intents-off' });
  expect(off.text).not.toContain(token);
  discord.faults.fateOf = () => ({ throttleMs: 2500 });
  expect((await ask({})).json).toMatchObject({ outcome: 'rate-limited' });
});

// Guarantee: a token that cannot be decrypted is told apart from no token, for the panel and for the bot.
test('an unreadable token', async () => {
  const other = createSecrets([new Secret('f'.repeat(64))]);
  const sealed = other.seal(discordTokenColumn, ['discord'], new Secret(token));
  await db().updateTable('discord_settings').set({ token: sealed }).execute();
  expect((await read()).token).toEqual({ set: true, fault: 'unknown-key' });
  expect(await ofBot()).toMatchObject({ token: null, isTokenUnreadable: true });
  const body = { token: null, clientId: '', guildId: '' };
  const tested = await call(running().port, discordHttp.test, { ...asOwner, body });
  expect(tested.json).toMatchObject({ code: 'SECRET_UNREADABLE' });
});

// Guarantee: values in `.env` are named, and those that the bot was started with count more than the API's.
test('.env', async () => {
  await using database = await apiDatabase();
  await using api = await startTestApi({
    databaseUrl: database.url,
    workers: [],
    discord: { discordBotToken: new Secret(token), guildId, discordApiUrl: discord.apiUrl },
  });
  await whenInUse(api);
  expect(await read(api.port)).toMatchObject({
    guildId: '',
    token: { set: false },
    fromEnv: { fields: ['token', 'guildId'], clientId: '', guildId },
    bot: null,
  });
  const body = { token: null, clientId: '', guildId };
  expect((await call(api.port, discordHttp.test, { ...asOwner, body })).json).toMatchObject({
    outcome: 'fine',
  });
  await call(api.port, botHttp.report, { ...asBot, body: { ...connected, fromEnv: ['guildId'] } });
  expect((await read(api.port)).fromEnv).toMatchObject({ fields: ['guildId'] });
});

// Guarantee: what the desktop left is in the database after a start, sealed, and the file is gone; an unreadable file does no harm.
test('what the desktop left', async () => {
  await using folder = await temporaryFolder('handover');
  const start = async () => {
    const api = await startTestApi({ databaseUrl: database.url, home: folder.path, workers: [] });
    await whenInUse(api);
    return api;
  };
  await using database = await apiDatabase();
  await leaveDiscordHandover(folder.path, new Secret('0'.repeat(64)), { token, guildId });
  const [file = ''] = await readdir(folder.path);
  {
    await using api = await start();
    expect(await read(api.port)).toMatchObject({ version: 1, token: { set: true, fault: null }, guildId });
    expect((await call(api.port, botHttp.settings, asBot)).json.token).toBe(token);
    expect(existsSync(join(folder.path, file))).toBe(false);
  }
  await writeFile(join(folder.path, file), 'v1.deadbeef.nonsense');
  await using again = await start();
  expect(await read(again.port)).toMatchObject({ version: 1, guildId });
  expect(existsSync(join(folder.path, file))).toBe(false);
});
