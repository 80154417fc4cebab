import { sql } from 'kysely';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { looks, pressInDialog } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { areLooksChecked, expectTidy, lookOfTier, picture } from '#harness/every-look.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { bitsOf } from '#simulators/discord/permissions.ts';
import { makeClient } from '#simulators/discord/signed-in.ts';
import { createApiClient } from '../../../bot/api-client.ts';
import { botFeatures } from '../../../bot/bot-features.ts';
import { runGuildFeatures } from '../../../bot/guild-features.ts';
import { newServer } from '../../../server/kernel/testing/call.ts';
import { testBotSecret } from '../../../server/kernel/testing/test-api.ts';

const guildId = '222222222222222222';
const patientMs = 60_000;
const resources = new AsyncDisposableStack();
const discord = resources.use(await startDiscord({ settings: { identifyWindowMs: 0 } }));
const people = discord.addGuild('The Keep', { id: guildId });
const veteran = people.createRole('Veteran', { position: 3 });
people.createRole('Moderators', { position: 4, permissions: String(bitsOf('manageRoles')) });

let panel: ApiPanel;
let owner: Person;

beforeAll(async () => {
  panel = resources.use(await openApiPanel({ discord: { discordApiUrl: discord.apiUrl } }));
  owner = await panel.newAdmin('Ada', 'owner');
  await newServer(panel.api.port, { name: 'The Castle' });
  for (let number = 1; number <= 60; number += 1) people.join(`Player ${String(number).padStart(2, '0')}`);
  people.join('Held by hand', { roles: [veteran.id] });
  const client = makeClient(discord);
  resources.defer(() => client.destroy());
  resources.use(
    runGuildFeatures({
      client,
      guildId,
      features: botFeatures,
      api: createApiClient(`http://127.0.0.1:${panel.api.port}`, new Secret(testBotSecret)),
      log: createLog({ component: 'bot', level: 'silent' }),
    }),
  );
  await client.login(usualBot.token);
  const { db } = panel.api.context.database;
  await eventually(async () => {
    const { rows } = await sql<{ id: string }>`
      select from discord_guild_reports where listed_at is not null`.execute(db);
    expect(rows).toHaveLength(1);
  }, patientMs);
  await sql`
    insert into players (identity, platform_id, game, name, name_key, member_id)
    select 'minecraft:p' || members.id, 'minecraft:p' || members.id, 'minecraft', name, name_key, members.id
      from members join discord_guild_members using (discord_id) where name like 'Player %'`.execute(db);
}, 120_000);
afterAll(() => resources.disposeAsync());

const open = async (path: string, options: BrowserContextOptions = {}) => {
  const page = await panel.open(path, options);
  const [name, password] = options.locale === 'pt-BR' ? ['Nome', 'Senha'] : ['Name', 'Password'];
  await page.getByRole('textbox', { name: name ?? '', exact: true }).fill(owner.name);
  await page.getByRole('textbox', { name: password ?? '', exact: true }).fill(owner.password);
  await page.keyboard.press('Enter');
  return page;
};
const looksWell = (page: Page, name: string) => expectTidy(page, `discord-roles-${name}`);

// Guarantee: the panel alone links a role, also by keyboard: it first shows who gets and who loses it, and says why some roles
// can never be given.
test('linking a role', async () => {
  {
    await using page = await open('/discord/roles');
    const card = page.getByRole('region', { name: 'Role rules' });
    await card.getByText('No role rules yet.').waitFor();
    const add = card.getByRole('button', { name: 'Add role rule' });
    await expect.poll(() => add.isEnabled(), { timeout: patientMs }).toBe(true);
    await add.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add role rule' });
    await dialog
      .getByRole('combobox', { name: 'Role' })
      .or(dialog.getByRole('textbox', { name: 'Role' }))
      .click();
    await page.getByText('never given automatically').waitFor();
    await picture(page, 'discord-roles-choose');
    await page.getByRole('option', { name: '@Veteran' }).click();
    await dialog.getByRole('button', { name: 'Save and preview' }).press('Enter');
    const preview = page.getByRole('dialog', { name: 'Preview for @Veteran' });
    await preview.getByText('60 members get the role').waitFor();
    await preview.getByText('1 member loses the role').waitFor();
    await preview.getByText('Held by hand').waitFor();
    await preview.getByText('and 10 more').waitFor();
    await looksWell(page, 'preview');
    await preview.getByRole('button', { name: 'Not now' }).press('Enter');
    const rule = card.getByRole('region', { name: 'Rule for @Veteran' });
    await rule.getByText('Off', { exact: true }).waitFor();
    await looksWell(page, 'off');
    await rule.getByRole('button', { name: 'Preview and turn on' }).press('Enter');
    await preview.getByText('60 members get the role').waitFor();

    // In between, another person is given the role by hand, which the preview did not show.
    const late = people.join('Late', { roles: [veteran.id] });
    await eventually(async () => {
      const row = await panel.api.context.database.db
        .selectFrom('discord_guild_members')
        .select('name')
        .where('discord_id', '=', late.user.id)
        .executeTakeFirst();
      expect(row?.name).toBe('Late');
    }, patientMs);
    await preview.getByRole('button', { name: 'Turn on' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await question.getByRole('textbox', { name: 'Password' }).fill(owner.password);
    await page.keyboard.press('Enter');
    await preview.getByText('More would change now than the preview showed.').waitFor();
    await preview.getByText('2 members lose the role').waitFor();
    await looksWell(page, 'changed');
    await preview.getByRole('button', { name: 'Turn on' }).press('Enter');
    await rule.getByText('On', { exact: true }).waitFor();
    await rule.getByText(/pending|Up to date/).waitFor();
    await looksWell(page, 'on');
  }
  if (areLooksChecked) {
    await using page = await open('/discord/roles', { ...looks['dark phone'], locale: 'pt-BR' });
    const card = page.getByRole('region', { name: 'Regras de cargos' });
    await card.getByText('Para membros com um jogador vinculado').waitFor();
    await card.getByRole('button', { name: 'Adicionar regra de cargo' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Adicionar regra de cargo' });
    await dialog
      .getByRole('textbox', { name: 'Regra' })
      .or(dialog.getByRole('combobox', { name: 'Regra' }))
      .click();
    await page.getByRole('option', { name: 'Pôr quem o tem na whitelist' }).click();
    await dialog.getByText('Servidores de jogo').waitFor();
    await looksWell(page, 'whitelist-dark-phone-pt');
  }
  await using page = await open('/discord/roles', looks[lookOfTier('dark')]);
  const rule = page.getByRole('region', { name: 'Rule for @Veteran' });
  await rule.getByRole('button', { name: 'Turn off' }).press('Enter');
  await page.getByText('Members keep what they have.').waitFor();
  await rule.getByText('Off', { exact: true }).waitFor();
  await looksWell(page, 'dark');
  await rule.getByRole('button', { name: 'Remove' }).press('Enter');
  await pressInDialog(page.getByRole('dialog'), 'Remove');
  await page.getByText('No role rules yet.').waitFor();
}, 180_000);

// Guarantee: the panel alone adds a role to a product.
test('selling a role', async () => {
  await using page = await open('/store/new', { locale: 'pt-BR' });
  await page.getByRole('heading', { name: 'Novo produto', level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'Nome' }).fill('Veterano');
  await page.getByRole('button', { name: 'Adicionar cargo do Discord' }).press('Enter');
  await page.getByRole('button', { name: 'Remover a parte 1' }).press('Enter');
  const field = page
    .getByRole('textbox', { name: 'Cargo do Discord' })
    .or(page.getByRole('combobox', { name: 'Cargo do Discord' }));
  await field.click();
  await page.getByRole('option', { name: '@Veteran' }).click();
  await looksWell(page, 'product-pt');
  await page.getByRole('button', { name: 'Salvar', exact: true }).press('Enter');
  await page.getByText('Veterano foi criado').waitFor();
  await page.getByRole('heading', { name: 'Veterano', level: 1 }).waitFor();
  expect(await field.inputValue()).toBe('@Veteran');
  await looksWell(page, 'product-made-pt');
}, 120_000);
