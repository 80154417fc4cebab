import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminsHttp } from '#contracts/identity/admins.ts';
import { apiKeysHttp } from '#contracts/identity/api-keys.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

/** Holds back the requests of one method and path until they are released. */
const holdBack = async (page: Page, method: string, path: string) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
};

// Guarantee: after a dialog, the focus returns to its previous place.
test.each([
  ['/admins', 'New admin'],
  ['/roles', 'New role'],
  ['/api-keys', 'New API key'],
])('the dialogs of %s give the focus back', async (path, name) => {
  const page = await panel.page({ path });
  const opener = page.getByRole('button', { name }).first();
  await opener.press('Enter');
  await page.getByRole('dialog').getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await opener.and(page.locator(':focus')).waitFor();
  await page.close();
});

// Guarantee: from the moment of the request, only its own button closes a password or a key that is shown once.
test('what is shown once is not lost by a key', async () => {
  const page = await panel.page({ path: '/api-keys' });
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const form = page.getByRole('dialog', { name: 'New API key' });
  await form.getByLabel('Name').fill('Held back');
  await form.getByLabel('View all API keys').check();
  const letGo = await holdBack(page, 'POST', apiKeysHttp.create.path);
  await form.getByRole('button', { name: 'Create key' }).click();
  await page.keyboard.press('Escape');
  letGo();
  const shown = page.getByRole('dialog', { name: 'API key created' });
  await shown.waitFor();
  await page.keyboard.press('Escape');
  await shown.getByLabel('API key', { exact: true }).waitFor();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: a double click sends once.
test('a double click', async () => {
  const page = await panel.page({ path: '/clusters' });
  await page.getByRole('button', { name: 'New cluster' }).first().click();
  const form = page.getByRole('dialog', { name: 'New cluster' });
  await form.getByLabel('Name').fill('Clicked at twice');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(clustersHttp.create.path))
      sent.push(request.url());
  });
  await form.getByRole('button', { name: 'Save', exact: true }).dblclick();
  await form.waitFor({ state: 'detached' });
  expect(sent).toHaveLength(1);
  await page.close();
});

// Guarantee: a form that is not sent says why, and an invalid number is not silently changed into another.
test('a key that would be valid for too long', async () => {
  const page = await panel.page({ path: '/api-keys' });
  await page.getByRole('button', { name: 'New API key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('For ever');
  await form.getByLabel('View all API keys').check();
  const days = form.getByLabel('Days until it expires');
  await days.fill('9999');
  await days.press('Enter');
  await form.getByText('The highest value is').waitFor();
  expect(await days.inputValue()).toBe('9999');
  const { rows } = await panel.call(apiKeysHttp.list, {});
  expect(rows.map(({ name }) => name)).not.toContain('For ever');
  await page.close();
});

// Guarantee: text typed while a save is in progress is not lost when the save completes, and the saved values are shown.
test('typing into an admin during a save', { tags: ['night'] }, async () => {
  const credentials = await panel.newAdmin({ role: 'viewer' });
  const idOf = async (name: string) =>
    (await panel.call(adminsHttp.list, {})).rows.find((row) => row.name === name)?.id;
  const id = await idOf(credentials.name);
  const page = await panel.page({ path: `/admins/${id}` });
  const name = page.getByRole('textbox', { name: 'Name' });
  const letGo = await holdBack(page, 'PATCH', `/api/admins/${id}`);
  await name.fill('Bea');
  await name.press('Enter');
  await name.fill('Bea Bergström');
  letGo();
  await page.getByRole('heading', { level: 1, name: 'Bea', exact: true }).waitFor();
  expect(await name.inputValue()).toBe('Bea Bergström');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => idOf('Bea Bergström')).toBe(id);
  await page.close();
});

// Guarantee: leaving the settings while a save is in progress does not end with a warning about unsaved changes.
test('leaving the settings during a save', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/settings/general' });
  const letGo = await holdBack(page, 'PATCH', '/api/settings/general');
  await page.getByLabel('Community name').fill('Saved on the way');
  await page.getByLabel('Community name').press('Control+s');
  await goTo(page, '/roles');
  const notice = page.getByText('Not saved: General');
  await notice.waitFor();
  letGo();
  await notice.waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: after signing out, nothing that was typed and not saved is shown or kept.
test('signing out with unsaved settings', { tags: ['night'] }, async () => {
  const credentials = await panel.newAdmin({ role: 'admin' });
  const page = await panel.page({ as: credentials, path: '/settings/general', ownSession: true });
  await page.getByLabel('Community name').fill('Only mine');
  await page.getByRole('link', { name: /General.*not saved/ }).waitFor();
  await page.getByRole('button', { name: credentials.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('Password', { exact: false }).first().waitFor();
  expect(await page.getByText('Not saved yet').count()).toBe(0);
  // With unsaved changes, this would ask first.
  await page.close({ runBeforeUnload: true });
  await expect.poll(() => page.isClosed()).toBe(true);
});

// Guarantee: no page failed during these tests.
test('no faults', () => expect(panel.faults()).toEqual([]));
