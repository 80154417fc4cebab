import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChatRelay, discordChatHttp } from '#contracts/discord/discord-chat.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { looks } from '#harness/browser.ts';
import { areLooksChecked, expectTidy, lookOfTier } from '#harness/every-look.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import type { People } from '#simulators/discord/people.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import { createApiClient } from '../../../bot/api-client.ts';
import { botFeatures } from '../../../bot/bot-features.ts';
import { runGuildFeatures } from '../../../bot/guild-features.ts';
import { call, newServer } from '../../../server/kernel/testing/call.ts';
import { testBotSecret, testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const guildId = '222222222222222222';
const resources = new AsyncDisposableStack();
const game = resources.use(await startSevenDays());
const discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));

let panel: ApiPanel;
let owner: Person;
let people: People;

beforeAll(async () => {
  panel = resources.use(await openApiPanel({ discord: { discordApiUrl: discord.apiUrl } }));
  owner = await panel.newAdmin('Ada', 'owner');
  const way = { host: '127.0.0.1', port: game.port, password: game.password };
  await newServer(panel.api.port, { name: 'Navezgane', game: 'seven-days-to-die', ...way });
  await newServer(panel.api.port, { name: 'Quarry' });
  game.world.join('Otter');
  people = discord.addGuild('The Keep', { id: guildId, channels: ['chat', 'staff'] });
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  const api = createApiClient(`http://127.0.0.1:${panel.api.port}`, new Secret(testBotSecret));
  const log = createLog({ component: 'bot', level: 'silent' });
  resources.use(runGuildFeatures({ client, guildId, features: botFeatures, api, log }));
  await client.login(usualBot.token);
});
afterAll(() => resources.disposeAsync());

const open = async (person: Person, options: BrowserContextOptions = {}) => {
  const page = await panel.open('/discord/chat', options);
  const isEnglish = options.locale !== 'pt-BR';
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  await field(isEnglish ? 'Name' : 'Nome').fill(person.name);
  await field(isEnglish ? 'Password' : 'Senha').fill(person.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Discord', level: 1 }).waitFor();
  return page;
};
const looksWell = (page: Page, name: string) => expectTidy(page, `discord-chat-${name}`);

// Guarantee: the panel alone sets up a chat relay, also by keyboard; it shows what is relayed and what prevents it, and filters
// words; invalid words are reported, in both languages, light and dark, on a phone.
test('relaying a chat', async () => {
  const channel = people.channelNamed('chat');
  {
    await using page = await open(owner);
    const card = page.getByRole('region', { name: 'Chat relay' });
    await card.getByText('No chat relays yet.').waitFor();
    const add = card.getByRole('button', { name: 'Add chat relay' });
    await expect.poll(() => add.isEnabled()).toBe(true);
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add chat relay' });
    const choose = async (field: string, option: string) => {
      const box = dialog
        .getByRole('combobox', { name: field })
        .or(dialog.getByRole('textbox', { name: field }));
      await box.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option', { name: option, exact: true }).waitFor();
      await box.pressSequentially(option);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expect.poll(() => box.inputValue()).toBe(option);
    };
    await choose('Game server', 'Navezgane');
    await choose('Channel', '#chat');
    const toDiscord = dialog.getByRole('switch', { name: 'Send game chat to Discord' });
    const toGame = dialog.getByRole('switch', { name: 'Send Discord messages to the game' });
    await toDiscord.press('Space');
    await toGame.press('Space');
    await dialog.getByText('Select at least one direction.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Add relay' }).isDisabled()).toBe(true);
    await toDiscord.press('Space');
    await toGame.press('Space');
    await looksWell(page, 'dialog');
    await dialog.getByRole('button', { name: 'Add relay' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    const relay = card.getByRole('region', { name: 'Chat relay between Navezgane and #chat' });
    await relay.getByText('On', { exact: true }).waitFor();
    await relay.getByText('Both ways').waitFor();
    game.world.chat('Otter', 'anybody here?');
    await people.see(() =>
      [...channel.messages.values()].find(({ message }) => message.author.username === 'Otter'),
    );
    await relay.getByText('Last message to Discord: None yet').waitFor({ state: 'hidden' });
    await looksWell(page, 'relay');

    await card.getByRole('button', { name: 'Edit words' }).click();
    const filter = page.getByRole('dialog', { name: 'Word filter' });
    const words = filter.getByRole('textbox', { name: 'One word or phrase per line' });
    await words.fill('darn\n*');
    await filter.getByText('“*” can’t be filtered').waitFor();
    expect(await filter.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await looksWell(page, 'filter-wrong');
    await words.fill('darn\nbuy gold*');
    await filter.getByRole('radio', { name: 'Do not relay' }).press('Space');
    await filter.getByRole('button', { name: 'Save' }).press('Enter');
    await card.getByText('2 filtered words or phrases.').waitFor();

    await relay.getByRole('button', { name: 'Edit' }).click();
    const editor = page.getByRole('dialog', { name: 'Edit chat relay' });
    await editor.getByRole('switch', { name: 'from other servers of this channel' }).press('Space');
    // Another admin saves first.
    const as = testDesktopCredential;
    const { json } = await call(panel.api.port, discordChatHttp.list, { as });
    const [known] = json.relays as ChatRelay[];
    if (!known) throw new Error('there is no relay');
    const { id, version, serverId, channelId } = known;
    const body = {
      version,
      serverId,
      channelId,
      isEnabled: true,
      toDiscord: true,
      toGame: false,
      fromServers: false,
    };
    await call(panel.api.port, discordChatHttp.change, { as, params: { id }, body });
    await editor.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    const conflict = page.getByRole('alert').filter({ hasText: 'Another person changed' });
    await conflict.getByText('Navezgane and #chat: Game to Discord · On').waitFor();
    await looksWell(page, 'conflict');
    await conflict.getByRole('button', { name: 'Save my version' }).click();
    await relay.getByText('Both ways, plus the other servers of this channel').waitFor();

    const botRole = people.roleNamed('Castellan Bot');
    people.setOverwrite(channel, botRole.id, { deny: ['manageWebhooks', 'readMessageHistory'] });
    await relay.getByText('Missing: Manage webhooks and Read message history.').waitFor();
    await relay.getByText('Partly working', { exact: true }).waitFor();
    await looksWell(page, 'permissions');
  }
  if (areLooksChecked) {
    await using page = await open(owner, { ...looks['dark phone'], locale: 'pt-BR' });
    const relay = page.getByRole('region', { name: 'Repasse de chat entre Navezgane e #chat' });
    await relay.getByText('Falta: Gerenciar webhooks e Ver histórico de mensagens.').waitFor();
    await looksWell(page, 'dark-phone-pt');
    await relay.getByRole('button', { name: 'Editar' }).click();
    await page.getByRole('dialog', { name: 'Editar repasse de chat' }).waitFor();
    await looksWell(page, 'dialog-dark-phone-pt');
  }
  await using page = await open(owner, looks[lookOfTier('dark')]);
  const relay = page.getByRole('region', { name: 'Chat relay between Navezgane and #chat' });
  await relay.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No chat relays yet.').waitFor();
  await looksWell(page, 'dark');
}, 120_000);
