// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { rolesHttp } from '#contracts/roles.ts';
import { secretsHttp } from '#contracts/secrets.ts';
import { type SectionName, settingsHttp } from '#contracts/settings.ts';
import { axeViolations } from '#harness/browser.ts';
import { goTo } from '#harness/panel-pages.ts';
import { freePort } from '#harness/ports.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;
beforeAll(async () => {
  panel = await openTestPanel();
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Demo' } });
  const reach = { host: '127.0.0.1', port: await freePort(), password: 'of a console' };
  const body = { clusterId, name: 'Fjordland', game: 'ark-asa' as const, ...reach };
  await panel.call(gameServersHttp.create, { body });
});
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
});

const saved = async (name: SectionName) => {
  const { sections } = await panel.call(settingsHttp.list, {});
  const section = sections.find((each) => each.name === name);
  if (!section) throw new Error(`no section ${name}`);
  return section;
};
const communityName = async () => (await saved('general')).values.communityName;
const name = (page: Page) => page.getByLabel('Community name');
const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

// Guarantee: of two who change the same setting, the second is shown both values and what was there before, and decides; nothing is lost unseen.
test('a conflict of two tabs', async () => {
  const [mine, theirs] = await Promise.all([
    panel.page({ path: '/settings/general' }),
    panel.page({ path: '/settings/general' }),
  ]);
  await name(mine).fill('Mine');
  await name(theirs).fill('Theirs');
  await saveButton(theirs).click();
  await expect.poll(communityName).toBe('Theirs');
  await name(mine).press('Control+s');

  const conflict = mine.getByRole('alert').filter({ hasText: 'Somebody else has changed' });
  await conflict.getByText('Before: My community').waitFor();
  await conflict.getByText('Saved now: Theirs').waitFor();
  expect(await conflict.getByLabel('Typed by you: Mine').isChecked()).toBe(true);
  expect(await saveButton(mine).isDisabled()).toBe(true);
  expect(await axeViolations(mine)).toEqual([]);
  await conflict.getByRole('button', { name: 'Go on with these' }).click();
  expect(await name(mine).inputValue()).toBe('Mine');
  await saveButton(mine).click();
  await expect.poll(communityName).toBe('Mine');

  await name(theirs).fill('Late');
  await name(theirs).press('Control+s');
  await theirs.getByLabel('Saved now: Mine').check();
  await theirs.getByRole('button', { name: 'Go on with these' }).click();
  expect(await name(theirs).inputValue()).toBe('Mine');
  expect(await communityName()).toBe('Mine');
  await Promise.all([mine.close(), theirs.close()]);
});

// Guarantee: a secret is set, replaced and cleared, and stands in no page and no answer afterwards.
test('a secret is replaced and never shown', async () => {
  const canary = 'canary-of-the-panel-0123456789';
  const page = await panel.page({ path: '/settings/external-services' });
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('/api/settings')) return;
    // An answer that comes while the page closes is nobody's any more.
    answers.push(await response.text().catch(() => ''));
  });
  const field = page.getByLabel('Steam API key', { exact: true });
  for (const value of [canary, `${canary}-2`]) {
    await field.fill(value);
    await field.press('Enter');
    await page.getByText('“External services” is saved.').first().waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
  }
  const { secrets } = await saved('external-services');
  expect(secrets.steamApiKey).toMatchObject({ set: true, fault: null });
  await page.getByText('Set', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('Set', { exact: true }).waitFor();
  expect(await page.content()).not.toContain(canary);
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.join()).not.toContain(canary);

  await page.getByRole('button', { name: 'Clear: Steam API key' }).click();
  await page.getByText('Will be cleared when you save.').waitFor();
  await saveButton(page).click();
  await expect.poll(async () => (await saved('external-services')).secrets.steamApiKey?.set).toBe(false);
  await page.close();
});

// Guarantee: what the schema forbids is said before it is sent, what only the API knows is said at its field, and what was typed stays.
test('bad input', async () => {
  const before = await saved('general');
  const page = await panel.page({ path: '/settings/external-services' });
  const key = page.getByLabel('CurseForge API key');
  await key.fill('no key has spaces');
  await key.press('Enter');
  await page.getByText('This is not in the expected format.').waitFor();
  await key.and(page.locator(':focus')).waitFor();
  await key.fill('');

  await page.getByRole('link', { name: 'General' }).click();
  const zone = page.getByLabel('Time zone').and(page.locator('input'));
  await zone.fill('Mars/Olympus');
  await zone.press('Control+s');
  await page.getByText('must be an IANA time zone', { exact: false }).waitFor();
  expect(await zone.inputValue()).toBe('Mars/Olympus');
  expect(await axeViolations(page)).toEqual([]);
  expect((await saved('general')).version).toBe(before.version);
  await zone.fill('Sao_Pau');
  await page.getByRole('option', { name: 'America/Sao_Paulo' }).click();
  await saveButton(page).click();
  await expect.poll(async () => (await saved('general')).values.timeZone).toBe('America/Sao_Paulo');
  await page.close();
});

// Guarantee: what is typed and not saved survives another section and another page, which say so, and closing the panel asks first.
test('unsaved changes', async () => {
  const page = await panel.page({ path: '/settings/general' });
  await name(page).fill('Not saved');
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Game Agents' }).click();
  await page.getByRole('link', { name: /General.*not saved yet/ }).waitFor();
  await goTo(page, '/roles');
  await page.getByText('Not saved yet: General').waitFor();
  await page.getByRole('link', { name: 'Back to the settings' }).click();
  await expect.poll(() => name(page).inputValue()).toBe('Not saved');
  const asked = page.waitForEvent('dialog');
  void page.close({ runBeforeUnload: true });
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => name(page).inputValue()).not.toBe('Not saved');
  await page.close();
});

// Guarantee: whoever may only read the settings sees values and states, and nothing to change them with.
test('settings for reading', async () => {
  const input = { name: 'Reader of settings', permissions: ['settings.read' as const] };
  const { id } = await panel.call(rolesHttp.create, { body: input });
  const page = await panel.page({ as: await panel.newAdmin({ role: id }), path: '/settings/general' });
  await page.getByText('You can see these settings but not change them.').waitFor();
  await page.getByText('English', { exact: true }).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await saveButton(page).count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await page.close();
});

// Guarantee: encrypting anew is asked for once, goes on without the page, and its end is found by whoever comes back.
test('encrypting all secrets anew', async () => {
  const page = await panel.page({ path: '/secrets' });
  await page.getByRole('button', { name: 'Encrypt all anew' }).click();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Encrypt all anew' }).click();
  await goTo(page, '/roles');
  await goTo(page, '/secrets');
  await page.getByText('Done', { exact: true }).waitFor();
  // All of this installation's secrets are on its one key.
  await page.getByText('There was nothing to do', { exact: false }).waitFor();
  const { reencryption } = await panel.call(secretsHttp.status, {});
  expect(reencryption).toMatchObject({ state: 'done', total: 0, failed: 0 });
  await page.getByText('castellan key rotate').waitFor();
  await page.close();
});

// Guarantee: none of this made a page fail.
test('no faults', () => expect(panel.faults()).toEqual([]));
