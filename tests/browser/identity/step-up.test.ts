import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accountHttp } from '#contracts/identity/account.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { type ApiPanel, openApiPanel, type Person } from '#harness/api-panel.ts';
import { expectAccessible } from '#harness/every-look.ts';

import { signInToApi } from '#harness/panel-api.ts';

let panel: ApiPanel;
beforeAll(async () => {
  panel = await openApiPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const heading = { en: 'Confirm it’s you', pt: 'Confirme que é você' };

/** Signed in, with everything for a new key filled in, one click before creating it. */
const aboutToMakeKey = async (owner: Person, locale: 'en-US' | 'pt-BR' = 'en-US') => {
  const page = await panel.open('/api-keys', { locale });
  const [name, password, signIn] =
    locale === 'en-US'
      ? (['Name', 'Password', 'New API key'] as const)
      : (['Nome', 'Senha', 'Nova chave de API'] as const);
  await page.getByRole('textbox', { name, exact: true }).fill(owner.name);
  await page.getByRole('textbox', { name: password, exact: true }).fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: signIn }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel(name).fill('Backup script');
  await form.getByRole('checkbox').first().check();
  return { page, form };
};
const question = (page: Page, text: string) => page.getByRole('dialog', { name: text });

// Guarantee: a sensitive action asks for the password once, by keyboard alone, and then happens by itself, with everything that was
// typed; after a wrong password the question stays, and Escape leaves the form beneath unchanged.
test('making a key', async () => {
  const owner = await panel.newAdmin('Ada', 'owner');
  const { page, form } = await aboutToMakeKey(owner);
  await form.getByRole('button', { name: 'Create key' }).click();
  const asked = question(page, heading.en);
  const field = asked.getByRole('textbox', { name: 'Password' });
  await field.waitFor();
  await expect.poll(() => asked.locator(':focus').getAttribute('name')).toBe('proof');
  await expectAccessible(page);

  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'hidden' });
  await form.getByText(heading.en).waitFor();
  expect(await form.getByLabel('Name').inputValue()).toBe('Backup script');

  await form.getByRole('button', { name: 'Create key' }).click();
  await field.fill('not the password');
  await page.keyboard.press('Enter');
  await asked.getByRole('alert').waitFor();
  await field.fill(owner.password);
  await page.keyboard.press('Enter');
  const key = await page.getByLabel('API key', { exact: true }).inputValue();
  expect(key).toMatch(/^cst_/);
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'New API key' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('another');
  await page.getByRole('dialog').getByRole('checkbox').first().check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('API key', { exact: true }).waitFor();
  await page[Symbol.asyncDispose]();
  const session = await signInToApi(`http://127.0.0.1:${panel.api.port}`, owner);
  const { rows } = await session.call(apiKeysHttp.list, {});
  expect(rows.map(({ name }) => name)).toEqual(['another', 'Backup script']);
});

// Guarantee: it is in Portuguese, and a person with a second factor is asked for a code, or for the password if they prefer.
test('with a second factor', async () => {
  const owner = await panel.newAdmin('Bia', 'owner');
  const { page, form } = await aboutToMakeKey(owner, 'pt-BR');
  await form.getByRole('button', { name: 'Criar chave' }).click();
  await question(page, heading.pt).getByRole('textbox', { name: 'Senha' }).waitFor();
  await expectAccessible(page);
  await question(page, heading.pt).getByRole('button', { name: 'Cancelar' }).click();
  await form.getByText(heading.pt).waitFor();
  await page.route(`**${accountHttp.me.path}`, async (route) => {
    const answer = await route.fetch();
    const me = await answer.json();
    await route.fulfill({ response: answer, json: { ...me, account: { ...me.account, totp: 'on' } } });
  });
  await page.reload();
  await page.getByRole('button', { name: 'Nova chave de API' }).first().click();
  await form.getByLabel('Nome').fill('k');
  await form.getByRole('checkbox').first().check();
  await form.getByRole('button', { name: 'Criar chave' }).click();
  const asked = question(page, heading.pt);
  await asked.getByRole('textbox', { name: 'Código' }).waitFor();
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Usar a senha' }).click();
  await asked.getByRole('textbox', { name: 'Senha' }).fill(owner.password);
  await page.keyboard.press('Enter');
  await page.getByLabel('Chave de API', { exact: true }).waitFor();
  await page[Symbol.asyncDispose]();
});
