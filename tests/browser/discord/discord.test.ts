import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import { discordEventsHttp } from '#contracts/discord/discord-events.ts';
import { discordStatusHttp } from '#contracts/discord/discord-status.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { looks } from '#harness/browser.ts';
import { areLooksChecked, expectTidy, lookOfTier, picture } from '#harness/every-look.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { bothIntents, startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { createApiClient } from '../../../bot/api-client.ts';
import { startApiLink } from '../../../bot/api-link.ts';
import { type EnvSettings, fieldsOf, followSettings } from '../../../bot/settings-follower.ts';
import { call, newServer } from '../../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const guildId = '222222222222222222';
const { token } = usualBot;
const resources = new AsyncDisposableStack();

let panel: ApiPanel;
let owner: Person;
// Each new try may sign in right after the one before.
const discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));

beforeAll(async () => {
  panel = resources.use(await openApiPanel({ discord: { discordApiUrl: discord.apiUrl } }));
  owner = await panel.newAdmin('Ada', 'owner');
});
afterAll(() => resources.disposeAsync());

/** The bot as in its own process, connected to this API. */
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
  page.getByRole('region', { name: 'Bot' }).getByText(text, { exact: true }).waitFor();
const looksWell = (page: Page, name: string) => expectTidy(page, `discord-${name}`);

// Guarantee: the panel alone leads from no token to a working bot: each obstacle is named with its remedy, the token is tested
// before it is saved and never in an answer afterwards, and the bot applies everything without a restart.
test('setting the bot up', async () => {
  await using _bot = startBot();
  await using page = await open(owner);
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().includes('/api/discord')) answers.push(await response.text().catch(() => ''));
  });
  await state(page, 'Not set up');
  await page.getByText('Enter a token and test it to get the link.').waitFor();
  await looksWell(page, 'no-token');

  const field = page.getByLabel('Bot token', { exact: true });
  const submit = page.getByRole('button', { name: 'Test and save' });
  await field.fill('a.wrong.token');
  await page.keyboard.press('Enter');
  await page.getByText('Discord does not recognize this token.').waitFor();
  await picture(page, 'discord-token-wrong');
  expect((await call(panel.api.port, discordHttp.read, { as: testDesktopCredential })).json.version).toBe(0);

  // The bot is on no server, and its intents are off.
  discord.state.application.flags = 0;
  await field.fill(token);
  await page.getByLabel('Discord server ID').fill(guildId);
  await submit.click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByText('Saved. The bot applies the change').waitFor();
  await page.getByText('has not joined this Discord server').waitFor();
  await state(page, 'Intents missing');
  await page.getByText('turn on “Server Members Intent” and “Message Content Intent”').waitFor();
  expect(await page.getByLabel('Application ID').inputValue()).toBe(usualBot.applicationId);
  await looksWell(page, 'intents-off');

  discord.state.application.flags = bothIntents;
  await page.getByRole('button', { name: 'Try again' }).click();
  await state(page, 'Not on your Discord server');
  const invite = page.getByRole('link', { name: 'Open invitation' });
  expect(await invite.getAttribute('href')).toBe(
    `https://discord.com/oauth2/authorize?client_id=${usualBot.applicationId}&scope=bot+applications.commands&permissions=805424128&guild_id=${guildId}`,
  );
  await page.getByText('Permission number: 805424128').waitFor();
  await looksWell(page, 'guild-unknown');

  discord.addGuild('The Keep', { id: guildId });
  await state(page, 'Connected');
  await page.getByText('The Keep', { exact: true }).waitFor();
  await page.getByText('42 ms').waitFor();
  await page.getByText('has not joined this Discord server').waitFor({ state: 'hidden' });
  await looksWell(page, 'connected');
  expect(await page.content()).not.toContain(token);
  expect(answers.length).toBeGreaterThan(3);
  expect(answers.join()).not.toContain(token);
}, 120_000);

// Guarantee: if two people change the settings, the second sees what the first has saved, and decides.
test('two at once', async () => {
  await using page = await open(owner);
  const field = page.getByLabel('Application ID');
  await page.getByRole('button', { name: 'Clear: Bot token' }).click();
  await field.fill('444444444444444444');
  const read = () => call(panel.api.port, discordHttp.read, { as: testDesktopCredential });
  const { version } = (await read()).json as { version: number };
  const body = { version, clientId: '555555555555555555' };
  await call(panel.api.port, discordHttp.change, { as: testDesktopCredential, body });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(owner.password);
  await page.keyboard.press('Enter');
  const conflict = page.getByRole('alert').filter({ hasText: 'Another person changed' });
  await conflict.getByText('Application ID: 555555555555555555').waitFor();
  await looksWell(page, 'conflict');
  await conflict.getByRole('button', { name: 'Use their version' }).click();
  expect(await field.inputValue()).toBe('555555555555555555');
  expect((await read()).json).toMatchObject({ token: { set: true } });
});

// Guarantee: it is readable in dark, on a phone and in Portuguese, and shows which values come from `.env`; a viewer changes nothing.
test('other looks', { tags: ['night'] }, async () => {
  await using _bot = startBot({ token: new Secret(token), guildId });
  {
    await using page = await open(owner, { ...looks['dark phone'], locale: 'pt-BR' });
    await page.getByText('O token está definido no arquivo .env').waitFor();
    await page.getByText('Conectado', { exact: true }).waitFor();
    expect(await page.getByLabel('ID do servidor do Discord').isEditable()).toBe(false);
    await looksWell(page, 'env-dark-phone-pt');
  }
  if (areLooksChecked) {
    await using page = await open(owner, looks.dark);
    await page.getByText('The token is set in the .env file').waitFor();
    await looksWell(page, 'env-dark');
  }
  const viewer = await panel.newAdmin('Vic', 'admin');
  await using page = await open(viewer, { locale: 'pt-BR' });
  await page.getByText('O token está definido no arquivo .env').waitFor();
  await looksWell(page, 'pt');
});

// Guarantee: the panel alone sends events to a channel: it is chosen from the bot's channels, tested, and obstacles are shown.
test('events to channels', { tags: ['night'], timeout: 120_000 }, async () => {
  const people = discord.addGuild('The Keep', { id: guildId, channels: ['events', 'staff'] });
  people.createRole('Moderators', { mentionable: true });
  await using _bot = startBot({ token: new Secret(token), guildId });
  const look = { ...looks['dark phone'], locale: 'pt-BR' };
  {
    await using page = await open(owner, {}, '/events');
    const card = page.getByRole('region', { name: 'Event notifications' });
    const add = card.getByRole('button', { name: 'Add channel' });
    await card.getByText('No event notifications yet.').waitFor();
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
    await choose('Mention role', '@Moderators');
    await dialog.getByRole('button', { name: 'Send test message' }).click();
    await dialog.getByText('Test message sent.').waitFor();
    expect([...people.channelNamed('events').messages.values()]).toHaveLength(1);
    await looksWell(page, 'event-rule');
    await dialog.getByRole('button', { name: 'Add channel' }).click();
    const rule = card.getByRole('region', { name: 'Events in #events' });
    await rule.getByText('On', { exact: true }).waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await looksWell(page, 'event-rules');

    await rule.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit event notifications' });
    await editor.getByRole('switch', { name: 'On' }).press('Space');
    await editor.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('Off', { exact: true }).waitFor();
    await rule.getByRole('button', { name: 'Edit' }).click();
    await editor.getByRole('switch', { name: 'On' }).press('Space');
    await editor.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('On', { exact: true }).waitFor();
    const botRole = people.roleNamed('Castellan Bot');
    people.setOverwrite(people.channelNamed('events'), botRole.id, { deny: ['embedLinks'] });
    await rule.getByText('Missing: Embed links.').waitFor();
    await rule.getByText('Waiting', { exact: true }).waitFor();
    await looksWell(page, 'event-rule-waits');
  }
  if (areLooksChecked) {
    await using page = await open(owner, look, '/events');
    const rule = page.getByRole('region', { name: 'Eventos em #events' });
    await rule.getByText('Falta: Inserir links.').waitFor();
    await looksWell(page, 'event-rules-dark-phone-pt');
    await rule.getByRole('button', { name: 'Editar' }).click();
    await page.getByRole('dialog', { name: 'Editar notificações de eventos' }).waitFor();
    await looksWell(page, 'event-rule-dark-phone-pt');
  }
  await using page = await open(owner, looks[lookOfTier('dark')], '/events');
  const rule = page.getByRole('region', { name: 'Events in #events' });
  await rule.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No event notifications yet.').waitFor();
  await looksWell(page, 'event-rules-dark');
});

// Guarantee: the panel alone creates, changes and removes a status message, also by keyboard; Discord shows it; obstacles are shown,
// and a message that another admin removes does not disappear from a form that is being typed in.
test('status messages', { tags: ['night'], timeout: 180_000 }, async () => {
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
    const add = card.getByRole('button', { name: 'Add status message' });
    await card.getByText('No status messages yet.').waitFor();
    await expect.poll(() => add.isEnabled()).toBe(true);
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add status message' });
    const choose = async (field: string, option: string) => {
      await dialog
        .getByRole('combobox', { name: field })
        .or(dialog.getByRole('textbox', { name: field, exact: true }))
        .click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Server or cluster', 'Island');
    await choose('Channel', '#status');
    await dialog.getByRole('switch', { name: 'Show player names' }).press('Space');
    await dialog.getByLabel('Address of Island').fill('play.example.org');
    await dialog.getByLabel('Map of Island').fill('The Center');
    await looksWell(page, 'status-message');
    await dialog.getByRole('button', { name: 'Add message' }).click();
    const item = card.getByRole('region', { name: 'Status of Island in #status' });
    await item.getByText('On', { exact: true }).waitFor();
    await expect.poll(shown, { timeout: 30_000 }).toContain('play.example.org');
    await item.getByText('None yet').waitFor({ state: 'hidden' });
    await looksWell(page, 'status-messages');
    const botRole = people.roleNamed('Castellan Bot');
    people.setOverwrite(channel, botRole.id, { deny: ['embedLinks'] });
    await item.getByText('Missing: Embed links.').waitFor();
    await looksWell(page, 'status-message-waits');
    people.setOverwrite(channel, botRole.id, { allow: ['embedLinks'] });
    await item.getByText('On', { exact: true }).waitFor();

    await item.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit status message' });
    await editor.getByLabel('Map of Island').fill('Ragnarok');
    const { messages } = (await call(port, discordStatusHttp.list, { as })).json;
    const [{ id }] = messages as [{ id: string }];
    await call(port, discordStatusHttp.remove, { as, params: { id } });
    await editor.getByText('Another person removed this status message while you were editing.').waitFor();
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
  if (areLooksChecked) {
    await using page = await open(owner, { ...looks['dark phone'], locale: 'pt-BR' }, '/status');
    const item = page.getByRole('region', { name: 'Status de Island em #status' });
    await item.getByText('Ligada', { exact: true }).waitFor();
    await looksWell(page, 'status-messages-dark-phone-pt');
    await item.getByRole('button', { name: 'Editar' }).click();
    await page.getByRole('dialog', { name: 'Editar mensagem de status' }).waitFor();
    await looksWell(page, 'status-message-dark-phone-pt');
  }
  await using page = await open(owner, looks[lookOfTier('dark')], '/status');
  const item = page.getByRole('region', { name: 'Status of Island in #status' });
  await item.getByRole('button', { name: 'Remove' }).click();
  await looksWell(page, 'status-message-remove-dark');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No status messages yet.').waitFor();
});

// Guarantee: the result of a test message is shown only for its channel; when another admin removes a rule, the typed values stay
// visible; Discord's refusals are on the bot's card.
test('a test message, a rule that is removed meanwhile, and an error', {
  tags: ['night'],
  timeout: 120_000,
}, async () => {
  const { port } = panel.api;
  const as = testDesktopCredential;
  const people = discord.addGuild('The Keep', { id: guildId, channels: ['one', 'two'] });
  await using _bot = startBot({ token: new Secret(token), guildId });
  await using page = await open(owner, {}, '/events');
  const card = page.getByRole('region', { name: 'Event notifications' });
  const channelId = people.channelNamed('one').id;
  const rule = { isEnabled: true, channelId, kinds: [], severities: [], serverIds: [], roleId: null };
  const made = await call(port, discordEventsHttp.create, { as, body: rule });
  const item = card.getByRole('region', { name: 'Events in #one' });
  await item.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByRole('dialog', { name: 'Edit event notifications' });
  await editor.getByRole('button', { name: 'Send test message' }).click();
  await editor.getByText('Test message sent.').waitFor();
  const field = editor.getByRole('combobox', { name: 'Channel' });
  await field.or(editor.getByRole('textbox', { name: 'Channel', exact: true })).click();
  await page.getByRole('option', { name: '#two', exact: true }).click();
  await editor.getByText('Test message sent.').waitFor({ state: 'hidden' });
  // The bot is not informed of it.
  const two = people.channelNamed('two');
  two.overwrites = [{ id: people.roleNamed('Castellan Bot').id, type: 0, allow: '0', deny: '2048' }];
  await editor.getByRole('button', { name: 'Send test message' }).click();
  await editor.getByText('Discord rejected the test message.').waitFor();
  await call(port, discordEventsHttp.remove, { as, params: { id: String(made.json.id) } });
  await editor.getByText('Another person removed this rule while you were editing.').waitFor();
  expect(await editor.getByRole('button', { name: 'Save' }).isEnabled()).toBe(false);
  await looksWell(page, 'event-rule-gone');
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Bot', exact: true }).click();
  const state = page.getByRole('region', { name: 'Bot' });
  await state.getByText('Messages fail in 1 channel').waitFor();
  await state.getByText('Recent errors from Discord').click();
  await state.getByText('403 · 50013 · Missing Permissions').waitFor();
  await looksWell(page, 'bot-errors');
});
