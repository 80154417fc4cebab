// @module-tag browser

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord.ts';
import { discordEventsHttp } from '#contracts/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord-status.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { axeViolations, looks, overflows } from '#harness/browser.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { bothIntents, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { createApiClient } from '../../bot/api-client.ts';
import { startApiLink } from '../../bot/api-link.ts';
import { type EnvSettings, fieldsOf, followSettings } from '../../bot/settings-follower.ts';
import { call, newServer } from '../../server/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../server/testing/test-api.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots');
const guildId = '222222222222222222';
const { token } = usualBot;
const resources = new AsyncDisposableStack();

let panel: ApiPanel;
let owner: Person;
// Each new try may sign in right after the one before.
const discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  panel = resources.use(await openApiPanel({ discord: { discordApiUrl: discord.apiUrl } }));
  owner = await panel.newAdmin('Ada', 'owner');
});
afterAll(() => resources.disposeAsync());

/** The bot as its process has it, in front of this API. */
const startBot = (env: Partial<EnvSettings> = {}): AsyncDisposable => {
  const log = createLog({ component: 'bot', level: 'silent' });
  const given = { token: undefined, clientId: undefined, guildId: undefined, ...env };
  const running = new AsyncDisposableStack();
  const api = createApiClient(`http://127.0.0.1:${panel.api.port}`, new Secret(testBotSecret));
  const follower = running.use(
    followSettings({
      env: given,
      discordUrls: discord.urls,
      onStatus: (status) => link.set(status),
      onToken: () => undefined,
      api,
      log,
    }),
  );
  const link = running.use(
    startApiLink({
      api,
      fromEnv: fieldsOf(given),
      latencyMs: () => 42,
      traffic: follower.traffic,
      onSettings: follower.take,
      log,
    }),
  );
  return running;
};

const open = async (person: Person, options: BrowserContextOptions = {}, section = '') => {
  const page = await panel.open(`/discord${section}`, options);
  const isEnglish = options.locale !== 'pt-BR';
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field(isEnglish ? 'Name' : 'Nome').fill(person.name);
  await field(isEnglish ? 'Password' : 'Senha').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Discord', level: 1 }).waitFor();
  return page;
};
const state = (page: Page, text: string) =>
  page.getByRole('region', { name: 'The bot' }).getByText(text, { exact: true }).waitFor();
const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(pictures, `discord-${name}.png`), fullPage: true });
const looksWell = async (page: Page, name: string) => {
  expect(await axeViolations(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
  await picture(page, name);
};

// Guarantee: from no token to a working bot by the panel alone: each obstacle is named with its remedy, the token is tested
// before it is saved and shown by no answer afterwards, and the bot takes all of it without a restart.
test('setting the bot up', async () => {
  await using _bot = startBot();
  await using page = await open(owner);
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/discord')) answers.push(await response.text().catch(() => ''));
  });
  await state(page, 'Not set up');
  await page.getByText('The link appears once the application is known').waitFor();
  await looksWell(page, 'no-token');

  const field = page.getByLabel('Token of the bot', { exact: true });
  const submit = page.getByRole('button', { name: 'Test and save' });
  await field.fill('a.wrong.token');
  await page.keyboard.press('Enter');
  await page.getByText('Discord does not know this token.').waitFor();
  await picture(page, 'token-wrong');
  expect((await call(panel.api.port, discordHttp.read, { as: testDesktopCredential })).json.version).toBe(0);

  // The bot is on no server, and its intents are off.
  discord.state.application.flags = 0;
  await field.fill(token);
  await page.getByLabel('Id of your Discord server').fill(guildId);
  await submit.click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByText('Saved. The bot takes it').waitFor();
  await page.getByText('is not on that Discord server').waitFor();
  await state(page, 'Intents are off');
  await page.getByText('turn on “Server Members Intent” and “Message Content Intent”').waitFor();
  expect(await page.getByLabel('Application id').inputValue()).toBe(usualBot.applicationId);
  await looksWell(page, 'intents-off');

  discord.state.application.flags = bothIntents;
  await page.getByRole('button', { name: 'Try again' }).click();
  await state(page, 'Not on your Discord server');
  const invite = page.getByRole('link', { name: 'Open the invitation' });
  expect(await invite.getAttribute('href')).toBe(
    `https://discord.com/oauth2/authorize?client_id=${usualBot.applicationId}&scope=bot+applications.commands&permissions=805424128&guild_id=${guildId}`,
  );
  await page.getByText('Permissions as a number: 805424128').waitFor();
  await looksWell(page, 'guild-unknown');

  discord.addGuild('The Keep', { id: guildId });
  await state(page, 'Connected');
  await page.getByText('The Keep', { exact: true }).waitFor();
  await page.getByText('42 ms').waitFor();
  await page.getByText('is not on that Discord server').waitFor({ state: 'hidden' });
  await looksWell(page, 'connected');
  expect(await page.content()).not.toContain(token);
  expect(answers.length).toBeGreaterThan(3);
  expect(answers.join()).not.toContain(token);
}, 120_000);

// Guarantee: of two who change it, the second is shown what the first has saved, and decides.
test('two at once', async () => {
  await using page = await open(owner);
  const field = page.getByLabel('Application id');
  await page.getByRole('button', { name: 'Clear: Token of the bot' }).click();
  await field.fill('444444444444444444');
  const read = () => call(panel.api.port, discordHttp.read, { as: testDesktopCredential });
  const { version } = (await read()).json as { version: number };
  const body = { version, clientId: '555555555555555555' };
  await call(panel.api.port, discordHttp.change, { as: testDesktopCredential, body });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.keyboard.press('Enter');
  const conflict = page.getByRole('alert').filter({ hasText: 'Someone else has changed' });
  await conflict.getByText('Application id: 555555555555555555').waitFor();
  await looksWell(page, 'conflict');
  await conflict.getByRole('button', { name: 'Take theirs' }).click();
  expect(await field.inputValue()).toBe('555555555555555555');
  expect((await read()).json).toMatchObject({ token: { set: true } });
});

// Guarantee: it reads well in the dark, on a phone and in Portuguese, and says what stands in `.env`; who may only read changes nothing.
test('other looks', async () => {
  await using _bot = startBot({ token: new Secret(token), guildId });
  {
    await using page = await open(owner, { ...looks['dark phone'], locale: 'pt-BR' });
    await page.getByText('O token está definido no arquivo .env').waitFor();
    await page.getByText('Conectado', { exact: true }).waitFor();
    expect(await page.getByLabel('Id do seu servidor do Discord').isEditable()).toBe(false);
    await looksWell(page, 'env-dark-phone-pt');
  }
  {
    await using page = await open(owner, looks.dark);
    await page.getByText('The token is set in the .env file').waitFor();
    await looksWell(page, 'env-dark');
  }
  const viewer = await panel.newAdmin('Vic', 'admin');
  await using page = await open(viewer, { locale: 'pt-BR' });
  await page.getByText('O token está definido no arquivo .env').waitFor();
  await looksWell(page, 'pt');
});

// Guarantee: events are sent to a channel by the panel alone: chosen from the bot's channels, tried out, and what hinders it is said.
test('events to channels', async () => {
  const people = discord.addGuild('The Keep', { id: guildId, channels: ['events', 'staff'] });
  people.createRole('Moderators', { mentionable: true });
  await using _bot = startBot({ token: new Secret(token), guildId });
  const look = { ...looks['dark phone'], locale: 'pt-BR' };
  {
    await using page = await open(owner, {}, '/events');
    const card = page.getByRole('region', { name: 'Events to channels' });
    const add = card.getByRole('button', { name: 'Send events to a channel' });
    await card.getByText('No events go to Discord yet.').waitFor();
    await expect.poll(() => add.isEnabled()).toBe(true);
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send events to a channel' });
    const choose = async (field: string, option: string) => {
      await dialog
        .getByRole('combobox', { name: field })
        .or(dialog.getByRole('textbox', { name: field }))
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Channel', '#events');
    await choose('Mention this role', '@Moderators');
    await dialog.getByRole('button', { name: 'Post a test message' }).click();
    await dialog.getByText('The test message is in the channel.').waitFor();
    expect([...people.channelNamed('events').messages.values()]).toHaveLength(1);
    await looksWell(page, 'event-rule');
    await dialog.getByRole('button', { name: 'Start sending' }).click();
    const rule = card.getByRole('region', { name: 'Events to #events' });
    await rule.getByText('On', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await looksWell(page, 'event-rules');

    await rule.getByRole('button', { name: 'Change' }).click();
    const editor = page.getByRole('dialog', { name: 'Change which events go to a channel' });
    await editor.getByRole('switch', { name: 'Switched on' }).press('Space');
    await editor.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('Off', { exact: true }).waitFor();
    await rule.getByRole('button', { name: 'Change' }).click();
    await editor.getByRole('switch', { name: 'Switched on' }).press('Space');
    await editor.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('On', { exact: true }).waitFor();
    const botRole = people.roleNamed('Castellan Bot');
    people.setOverwrite(people.channelNamed('events'), botRole.id, { deny: ['embedLinks'] });
    await rule.getByText('It lacks: Embed links.').waitFor();
    await rule.getByText('Waiting', { exact: true }).waitFor();
    await looksWell(page, 'event-rule-waits');
  }
  {
    await using page = await open(owner, look, '/events');
    const rule = page.getByRole('region', { name: 'Eventos em #events' });
    await rule.getByText('Falta: Inserir links.').waitFor();
    await looksWell(page, 'event-rules-dark-phone-pt');
    await rule.getByRole('button', { name: 'Alterar' }).click();
    await page.getByRole('dialog', { name: 'Alterar quais eventos vão a um canal' }).waitFor();
    await looksWell(page, 'event-rule-dark-phone-pt');
  }
  await using page = await open(owner, looks.dark, '/events');
  const rule = page.getByRole('region', { name: 'Events to #events' });
  await rule.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No events go to Discord yet.').waitFor();
  await looksWell(page, 'event-rules-dark');
}, 120_000);

// Guarantee: a status message is made, changed and removed by the panel alone, by keyboard too; Discord shows it; what hinders it is said,
// and what someone else has removed meanwhile does not vanish under the hands of who types.
test('status messages', async () => {
  const { port } = panel.api;
  const people = discord.addGuild('The Keep', { id: guildId, channels: ['status'] });
  const channel = people.channelNamed('status');
  const as = testDesktopCredential;
  await newServer(port, { name: 'Island' });
  await using _bot = startBot({ token: new Secret(token), guildId });
  const shown = () => JSON.stringify([...channel.messages.values()].map(({ message }) => message.embeds));
  {
    await using page = await open(owner, {}, '/status');
    const card = page.getByRole('region', { name: 'Status messages' });
    const add = card.getByRole('button', { name: 'Show a status' });
    await card.getByText('No status is shown in Discord yet.').waitFor();
    await expect.poll(() => add.isEnabled()).toBe(true);
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Show a status in Discord' });
    const choose = async (field: string, option: string) => {
      await dialog
        .getByRole('combobox', { name: field })
        .or(dialog.getByRole('textbox', { name: field, exact: true }))
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Of what', 'Island');
    await choose('Channel', '#status');
    await dialog.getByRole('switch', { name: 'List the names of players' }).press('Space');
    await dialog.getByLabel('Address of Island').fill('play.example.org');
    await dialog.getByLabel('Map of Island').fill('The Center');
    await looksWell(page, 'status-message');
    await dialog.getByRole('button', { name: 'Show it' }).click();
    const item = card.getByRole('region', { name: 'Status of Island in #status' });
    await item.getByText('On', { exact: true }).waitFor();
    await expect.poll(shown, { timeout: 30_000 }).toContain('play.example.org');
    await item.getByText('None yet').waitFor({ state: 'hidden' });
    await looksWell(page, 'status-messages');
    const botRole = people.roleNamed('Castellan Bot');
    people.setOverwrite(channel, botRole.id, { deny: ['embedLinks'] });
    await item.getByText('It lacks: Embed links.').waitFor();
    await looksWell(page, 'status-message-waits');
    people.setOverwrite(channel, botRole.id, { allow: ['embedLinks'] });
    await item.getByText('On', { exact: true }).waitFor();

    await item.getByRole('button', { name: 'Change' }).click();
    const editor = page.getByRole('dialog', { name: 'Change a status message' });
    await editor.getByLabel('Map of Island').fill('Ragnarok');
    const { messages } = (await call(port, discordStatusHttp.list, { as })).json;
    const [{ id }] = messages as [{ id: string }];
    await call(port, discordStatusHttp.remove, { as, params: { id } });
    await editor.getByText('Someone else has removed this status message meanwhile.').waitFor();
    expect(await editor.getByLabel('Map of Island').inputValue()).toBe('Ragnarok');
    expect(await editor.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false);
    await looksWell(page, 'status-message-gone');
    await expect.poll(() => channel.messages.size, { timeout: 30_000 }).toBe(0);
  }
  const { json } = await call(port, gameServersHttp.list, { as });
  const server = (json.rows as { id: string; name: string }[]).find(({ name }) => name === 'Island');
  const target = { kind: 'server' as const, id: server?.id ?? '' };
  const body = { isEnabled: true, channelId: channel.id, target, showsNames: false, joins: [] };
  expect((await call(port, discordStatusHttp.create, { as, body })).status).toBe(200);
  {
    await using page = await open(owner, { ...looks['dark phone'], locale: 'pt-BR' }, '/status');
    const item = page.getByRole('region', { name: 'Status de Island em #status' });
    await item.getByText('Ligada', { exact: true }).waitFor();
    await looksWell(page, 'status-messages-dark-phone-pt');
    await item.getByRole('button', { name: 'Alterar' }).click();
    await page.getByRole('dialog', { name: 'Alterar uma mensagem de status' }).waitFor();
    await looksWell(page, 'status-message-dark-phone-pt');
  }
  await using page = await open(owner, looks.dark, '/status');
  const item = page.getByRole('region', { name: 'Status of Island in #status' });
  await item.getByRole('button', { name: 'Remove' }).click();
  await looksWell(page, 'status-message-remove-dark');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No status is shown in Discord yet.').waitFor();
}, 180_000);

// Guarantee: what a test message came to is told of the channel that it was posted into alone; a rule that someone else removes leaves
// what is typed in sight; what Discord refuses stands in the card of the bot.
test('a test message, a rule that is removed meanwhile, and an error', async () => {
  const { port } = panel.api;
  const as = testDesktopCredential;
  const people = discord.addGuild('The Keep', { id: guildId, channels: ['one', 'two'] });
  await using _bot = startBot({ token: new Secret(token), guildId });
  await using page = await open(owner, {}, '/events');
  const card = page.getByRole('region', { name: 'Events to channels' });
  const channelId = people.channelNamed('one').id;
  const rule = { isEnabled: true, channelId, kinds: [], severities: [], serverIds: [], roleId: null };
  const made = await call(port, discordEventsHttp.create, { as, body: rule });
  const item = card.getByRole('region', { name: 'Events to #one' });
  await item.getByRole('button', { name: 'Change' }).click();
  const editor = page.getByRole('dialog', { name: 'Change which events go to a channel' });
  await editor.getByRole('button', { name: 'Post a test message' }).click();
  await editor.getByText('The test message is in the channel.').waitFor();
  const field = editor.getByRole('combobox', { name: 'Channel' });
  await field.or(editor.getByRole('textbox', { name: 'Channel', exact: true })).click();
  await page.getByRole('option', { name: '#two', exact: true }).click();
  await editor.getByText('The test message is in the channel.').waitFor({ state: 'hidden' });
  // The bot is not told of it.
  const two = people.channelNamed('two');
  two.overwrites = [{ id: people.roleNamed('Castellan Bot').id, type: 0, allow: '0', deny: '2048' }];
  await editor.getByRole('button', { name: 'Post a test message' }).click();
  await editor.getByText('Discord refused the test message.').waitFor();
  await call(port, discordEventsHttp.remove, { as, params: { id: String(made.json.id) } });
  await editor.getByText('Someone else has removed this rule meanwhile.').waitFor();
  expect(await editor.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false);
  await looksWell(page, 'event-rule-gone');
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'The bot', exact: true }).click();
  const state = page.getByRole('region', { name: 'The bot' });
  await state.getByText('Messages fail in 1 channel').waitFor();
  await state.getByText('Last errors from Discord').click();
  await state.getByText('403 · 50013 · Missing Permissions').waitFor();
  await looksWell(page, 'bot-errors');
}, 120_000);
