import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rolesHttp } from '#contracts/identity/roles.ts';
import { logoLimits } from '#contracts/operations/community-http.ts';
import { secretsHttp } from '#contracts/operations/secrets.ts';
import { type SectionName, settingsHttp } from '#contracts/operations/settings.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';

import { drawnPng } from '#harness/drawn-png.ts';
import { expectAccessible, expectEveryLook } from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { freePort } from '#harness/ports.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { readPicture } from '#runtime/pictures/read-picture.ts';

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

// Guarantee: if two people change the same setting, the second sees both values and the original, and decides; nothing is lost
// silently.
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

  const conflict = mine.getByRole('alert').filter({ hasText: 'Another person changed' });
  await conflict.getByText('Before: My community').waitFor();
  await conflict.getByText('Theirs: Theirs').waitFor();
  expect(await conflict.getByLabel('Yours: Mine').isChecked()).toBe(true);
  expect(await saveButton(mine).isDisabled()).toBe(true);
  await expectAccessible(mine);
  await conflict.getByRole('button', { name: 'Continue' }).click();
  expect(await name(mine).inputValue()).toBe('Mine');
  await saveButton(mine).click();
  await expect.poll(communityName).toBe('Mine');

  await name(theirs).fill('Late');
  await name(theirs).press('Control+s');
  await theirs.getByLabel('Theirs: Mine').check();
  await theirs.getByRole('button', { name: 'Continue' }).click();
  expect(await name(theirs).inputValue()).toBe('Mine');
  expect(await communityName()).toBe('Mine');
  await Promise.all([mine.close(), theirs.close()]);
});

// Guarantee: a secret can be set, replaced and cleared, and is in no page and no answer afterwards.
test('a secret is replaced and never shown', async () => {
  const canary = 'canary-of-the-panel-0123456789';
  const page = await panel.page({ path: '/settings/external-services' });
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('/api/settings')) return;
    // An answer that arrives while the page closes cannot be read any more.
    answers.push(await response.text().catch(() => ''));
  });
  const field = page.getByLabel('Steam API key', { exact: true });
  for (const value of [canary, `${canary}-2`]) {
    await field.fill(value);
    await field.press('Enter');
    await page.getByText('Saved “External services”').first().waitFor();
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
  await page.getByText('Cleared when you save.').waitFor();
  await saveButton(page).click();
  await expect.poll(async () => (await saved('external-services')).secrets.steamApiKey?.set).toBe(false);
  await page.close();
});

// Guarantee: schema errors are shown before sending, errors that only the API knows are shown at their field, and typed values stay.
test('bad input', { tags: ['night'] }, async () => {
  const before = await saved('general');
  const page = await panel.page({ path: '/settings/external-services' });
  const key = page.getByLabel('CurseForge API key');
  await key.fill('no key has spaces');
  await key.press('Enter');
  await page.getByText('Check the format.').waitFor();
  await key.and(page.locator(':focus')).waitFor();
  await key.fill('');

  await page.getByRole('link', { name: 'General' }).click();
  const zone = page.getByLabel('Time zone').and(page.locator('input'));
  await zone.fill('Mars/Olympus');
  await zone.press('Control+s');
  await page.getByText('Choose a time zone, such as').waitFor();
  expect(await zone.inputValue()).toBe('Mars/Olympus');
  await expectAccessible(page);
  expect((await saved('general')).version).toBe(before.version);
  await zone.fill('Sao_Pau');
  await page.getByRole('option', { name: 'America/Sao_Paulo' }).click();
  await saveButton(page).click();
  await expect.poll(async () => (await saved('general')).values.timeZone).toBe('America/Sao_Paulo');
  await page.close();
});

// Guarantee: unsaved changes survive visiting another section or page, which show them as unsaved, and closing the panel asks first.
test('unsaved changes', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/settings/general' });
  await name(page).fill('Not saved');
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Game Agents' }).click();
  await page.getByRole('link', { name: /General.*not saved/ }).waitFor();
  await goTo(page, '/roles');
  await page.getByText('Not saved: General').waitFor();
  await page.getByRole('link', { name: 'Back to settings' }).click();
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

// Guarantee: a person who may only read the settings sees values and states, and no controls.
test('settings for reading', async () => {
  const input = { name: 'Reader of settings', permissions: ['settings.read' as const] };
  const { id } = await panel.call(rolesHttp.create, { body: input });
  const page = await panel.page({ as: await panel.newAdmin({ role: id }), path: '/settings/general' });
  await page.getByText('You can view these settings, but not change them.').waitFor();
  await page.getByText('English', { exact: true }).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  expect(await saveButton(page).count()).toBe(0);
  await expectAccessible(page);
  await page.close();
});

// Guarantee: re-encryption asks once, continues without the page, and its end is shown to anyone who comes back.
test('encrypting all secrets anew', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/secrets' });
  await page.getByRole('button', { name: 'Re-encrypt all secrets' }).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Re-encrypt all secrets' }).click();
  await goTo(page, '/roles');
  await goTo(page, '/secrets');
  await page.getByText('Done', { exact: true }).waitFor();
  // All of this installation's secrets use its only key.
  await page.getByText('Nothing to do: all secrets', { exact: false }).waitFor();
  const { reencryption } = await panel.call(secretsHttp.status, {});
  expect(reencryption).toMatchObject({ state: 'done', total: 0, failed: 0 });
  await page.getByText('castellan key rotate').waitFor();
  await page.close();
});

/** RTL, with an emoji and a combining mark. */
const hebrew = '🏰 קהילת המבצר שָׁלוֹם';

// Guarantee: people who have chosen nothing get the community's name, logo, language and time zone: at the sign-in, above the pages,
// in the title and in every time. A logo is scaled down on upload and shifts nothing when it loads; a person's own choice stays,
// and of two owners the second sees that the other was first.
test('the community shows itself', { tags: ['night'] }, async () => {
  const { version } = await saved('general');
  const values = { communityName: hebrew, language: 'pt-BR', timeZone: 'Asia/Tokyo' };
  await panel.call(settingsHttp.change, { params: { section: 'general' }, body: { version, values } });
  const page = await panel.page({ path: '/settings/general' });
  const second = await panel.page({ path: '/settings/general', as: await panel.newAdmin({ role: 'owner' }) });
  expect(await page.title()).toBe(`Configurações – ${hebrew}`);
  expect(await page.getByRole('banner').getByTitle(hebrew).textContent()).toBe(hebrew);

  const file = (buffer: Buffer, mimeType = 'image/png') => ({ name: 'logo', mimeType, buffer });
  const chooser = page.getByLabel('Escolher um logotipo').and(page.locator('input'));
  await chooser.setInputFiles(
    file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
  );
  await page.getByText('Este arquivo não pode ser usado.', { exact: false }).waitFor();
  await chooser.setInputFiles(file(drawnPng(1500, 900)));
  await page.getByText('O logotipo foi salvo').waitFor();
  const logo = await page.request.get(`${panel.info.apiUrl}/api/community/logo`);
  expect(logo.headers()['content-type']).toBe('image/webp');
  expect(readPicture(await logo.body(), logoLimits)).toMatchObject({ width: 512, height: 307 });

  await second
    .getByLabel('Escolher um logotipo')
    .and(second.locator('input'))
    .setInputFiles(file(drawnPng(40, 40)));
  await second.getByText('Outra pessoa trocou o logotipo').waitFor();
  await expectAccessible(second);
  await second.getByRole('button', { name: 'Salvar a minha versão' }).click();
  await second.getByText('O logotipo foi salvo').waitFor();
  await second.close();

  const stranger = await panel.page({ as: null });
  await stranger.getByRole('heading', { name: 'Entrar' }).waitFor();
  expect(await stranger.title()).toBe(`Entrar – ${hebrew}`);
  await expect.poll(() => stranger.evaluate(`document.querySelector('main img')?.naturalWidth`)).toBe(40);
  await stranger.reload();
  await stranger.getByText(hebrew).waitFor();
  const known = await stranger.evaluate(
    `fetch('/api/community').then((answer) => answer.json()).then(Object.keys)`,
  );
  expect(known).toEqual(['name', 'language', 'logo']);
  await expectEveryLook(stranger, 'sign-in');
  await stranger.close();

  await goTo(page, '/audit');
  const row = page.locator('time').first();
  await row.waitFor();
  expect(await row.getAttribute('title')).toMatch(/GMT\+9|Japão/);
  await goTo(page, '/profile');
  await page.getByLabel(/^Como este aparelho definiu/).check();
  await page.getByRole('radio', { name: 'English' }).check();
  await goTo(page, '/audit');
  await expect.poll(() => row.getAttribute('title')).not.toMatch(/GMT\+9|Japan/);
  expect(await page.title()).toBe(`Audit log – ${hebrew}`);

  const long = 'W'.repeat(200);
  const body = { version: version + 1, values: { communityName: long } };
  await panel.call(settingsHttp.change, { params: { section: 'general' }, body });
  const narrow = await panel.page({ as: null });
  await narrow.getByText(long).waitFor();
  await expectEveryLook(narrow, 'sign-in-long');
  await narrow.close();
  await page.reload();
  await goTo(page, '/settings/general');
  await page.getByTitle(long).first().waitFor();
  await expectEveryLook(page, 'settings-community');
  await page.close();
});

// Guarantee: no page failed during these tests.
test('no faults', () => expect(panel.faults()).toEqual([]));
