import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { discordHttp } from '#contracts/discord/discord.ts';
import { ownDiscordHttp } from '#contracts/discord/discord-rights.ts';
import { discordUsersHttp } from '#contracts/discord/discord-users.ts';
import { type ApiPanel, openApiPanel, type Person, typeSignIn } from '#harness/api-panel.ts';
import { looks, pressInDialog } from '#harness/browser.ts';
import { areLooksChecked, expectTidy } from '#harness/every-look.ts';
import { startDiscord, usualBot } from '#simulators/discord/discord.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { asDiscord } from '../../../server/kernel/testing/discord-user.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';

const guildId = '222222222222222222';
const discordId = '555555555555555555';
const resources = new AsyncDisposableStack();
const discord = resources.use(await startDiscord());

let panel: ApiPanel;
let owner: Person;

beforeAll(async () => {
  panel = resources.use(await openApiPanel({ discord: { discordApiUrl: discord.apiUrl } }));
  owner = await panel.newAdmin('Ada', 'owner');
  const people = discord.addGuild('The Keep', { id: guildId });
  people.createRole('Staff', { position: 3 });
  people.createRole('Helpers', { position: 2 });
  const saved = await call(panel.api.port, discordHttp.change, {
    as: testDesktopCredential,
    body: { version: 0, token: usualBot.token, guildId },
  });
  expect(saved.status).toBe(200);
});
afterAll(() => resources.disposeAsync());

const looksWell = (page: Page, name: string) => expectTidy(page, `discord-rights-${name}`);
const confirmItIsYou = async (page: Page, { password }: Person) => {
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.keyboard.press('Enter');
  await question.waitFor({ state: 'hidden' });
};
const open = async (path: string, options: BrowserContextOptions = {}) => {
  const page = await panel.open(path, options);
  const [name, password] = options.locale === 'pt-BR' ? ['Nome', 'Senha'] : ['Name', 'Password'];
  await page.getByRole('textbox', { name: name ?? '', exact: true }).fill(owner.name);
  await page.getByRole('textbox', { name: password ?? '', exact: true }).fill(owner.password);
  await page.keyboard.press('Enter');
  return page;
};

// Guarantee: an admin links their own Discord account with a code that is shown after a step-up, sees immediately that it was
// used, and unlinks the account, by keyboard alone.
test('the own Discord account', async () => {
  await using page = await panel.open('/profile');
  await typeSignIn(page, owner);
  const card = page.getByRole('region', { name: 'Discord account' });
  await card.getByText('Link your Discord account to use your permissions').waitFor();
  const show = card.getByRole('button', { name: 'Link account' });
  await show.focus();
  await page.keyboard.press('Enter');
  await confirmItIsYou(page, owner);
  const code = /code:(\S+)/.exec((await card.getByText('/link code:').textContent()) ?? '')?.[1] ?? '';
  expect(code).toMatch(/^\w{4}-\w{4}-\w{4}$/);
  await looksWell(page, 'code');

  const typed = await call(panel.api.port, discordUsersHttp.link, {
    ...asDiscord({ id: discordId, name: 'Ada on Discord' }),
    body: { code },
  });
  expect(typed.status).toBe(200);
  await card.getByText('Linked to Ada on Discord').waitFor();
  await page.getByText('Discord account linked').waitFor();
  expect(await page.content()).not.toContain(code);
  await looksWell(page, 'linked');

  await card.getByRole('button', { name: 'Unlink' }).press('Enter');
  const asked = page.getByRole('dialog', { name: 'Unlink Ada on Discord?' });
  await pressInDialog(asked, 'Unlink');
  await show.waitFor();
});

// Guarantee: an expired code is no longer shown, and a new one can be created.
test('a code that expires', async () => {
  await using page = await panel.open('/profile');
  let lifeMs = 0;
  await page.route(`**${ownDiscordHttp.code.path}`, async (route) => {
    const response = await route.fetch();
    const issued = (await response.json()) as { code?: string };
    const expiresAt = new Date(Date.now() + lifeMs).toISOString();
    await route.fulfill({ response, json: issued.code === undefined ? issued : { ...issued, expiresAt } });
  });
  await typeSignIn(page, owner);
  const card = page.getByRole('region', { name: 'Discord account' });
  await card.getByRole('button', { name: 'Link account' }).press('Enter');
  await confirmItIsYou(page, owner);
  await card.getByText('This code has expired.').waitFor();
  expect(await card.getByText('/link code:').count()).toBe(0);
  await looksWell(page, 'code-over');
  lifeMs = 600_000;
  await card.getByRole('button', { name: 'Link account' }).press('Enter');
  await card.getByText('/link code:').waitFor();
  expect(await card.getByText('This code has expired.').count()).toBe(0);
});

// Guarantee: a Discord role is chosen from the server's roles, gets permissions after a step-up, and can be changed and removed.
test('roles and rights', { tags: ['night'] }, async () => {
  await using page = await open('/discord/roles');
  const card = page.getByRole('region', { name: 'Discord role permissions' });
  await card.getByText('No Discord role has permissions yet.').waitFor();
  await card.getByRole('button', { name: 'Add role' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Give permissions to a Discord role' });
  expect(await form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
  await form.getByRole('combobox', { name: 'Discord role' }).fill('Sta');
  await page.getByRole('option', { name: 'Staff' }).click();
  await form.getByRole('checkbox', { name: /^Kick, ban and message/ }).press('Space');
  await expect.poll(() => form.getByRole('checkbox', { name: /^View players/ }).isChecked()).toBe(true);
  await looksWell(page, 'form');
  await form.getByRole('button', { name: 'Save' }).press('Enter');
  await confirmItIsYou(page, owner);
  await card.getByText('View players · Kick, ban and message players').waitFor();
  await looksWell(page, 'mapped');

  await card.getByRole('button', { name: 'Edit Staff' }).press('Enter');
  const change = page.getByRole('dialog', { name: 'Permissions of Staff' });
  await change.getByRole('checkbox', { name: /^Send console commands/ }).press('Space');
  await change.getByRole('button', { name: 'Save' }).press('Enter');
  await card.getByText('Kick, ban and message players · Send console commands').waitFor();
  if (areLooksChecked) {
    await using dark = await open('/discord/roles', { ...looks['dark phone'], locale: 'pt-BR' });
    await dark.getByRole('region', { name: 'Permissões por cargo do Discord' }).getByText('Staff').waitFor();
    await looksWell(dark, 'mapped-dark-phone-pt');
  }
  if (areLooksChecked) {
    await using dark = await open('/profile', { ...looks.dark, locale: 'pt-BR' });
    await dark.getByRole('button', { name: 'Vincular conta' }).waitFor();
    await looksWell(dark, 'profile-dark-pt');
  }
  await card.getByRole('button', { name: 'Remove Staff' }).press('Enter');
  await pressInDialog(page.getByRole('dialog'), 'Remove');
  await card.getByText('No Discord role has permissions yet.').waitFor();
});
