// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;

beforeAll(async () => {
  panel = await openTestPanel({ servers: ['The Quarry', 'Fjordland'] });
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

/** A loaded machine takes its time. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: 20_000 });
const hashOf = (page: Page) => new URL(page.url()).hash;
const focused = (page: Page) => page.locator(':focus');
const palette = (page: Page) => page.getByRole('combobox', { name: 'Find a page' });

// Guarantee: any page, server or action is a few keys away, by its name in either language, and the page's title hears of it.
test('the palette by the keyboard alone', async () => {
  const page = await panel.page({ path: '/profile' });
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.type('jogadores');
  await page.getByRole('option', { name: 'Players' }).waitFor();
  await page.keyboard.press('Enter');
  await soon(() => hashOf(page)).toBe('#/players');
  await soon(() => focused(page).textContent()).toBe('Players');

  await page.keyboard.press('Control+k');
  await palette(page).fill('the quarry');
  await page.getByRole('option', { name: 'The Quarry', exact: true }).waitFor();
  await page.keyboard.press('Enter');
  const quarry = panel.info.servers.find(({ name }) => name === 'The Quarry');
  await soon(() => hashOf(page)).toBe(`#/servers/${quarry?.id}`);

  // What was used last comes first; Escape goes back to where one was.
  await page.keyboard.press('Control+k');
  await soon(() => page.getByRole('option').first().textContent()).toBe('The Quarry');
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: two keys lead to a page, never while one types; whoever cannot use single keys turns them off for good.
test('shortcuts', async () => {
  const page = await panel.page({ path: '/profile' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('textbox', { name: 'Current password' }).focus();
  await page.keyboard.type('gc?');
  expect(hashOf(page)).toBe('#/profile');
  expect(await page.getByRole('textbox', { name: 'Current password' }).inputValue()).toBe('gc?');

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.type('gc');
  await soon(() => hashOf(page)).toBe('#/clusters');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Your profile').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await sheet.getByLabel('Single keys').press('Space');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.type('gm');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  expect(hashOf(page)).toBe('#/clusters');
  await page.close();
});

// Guarantee: going somewhere begins at the top with the title in focus; going back comes to where one was.
test('arriving', async () => {
  const page = await panel.page({ path: '/profile', look: 'phone' });
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  await page.evaluate('window.scrollTo(0, 700)');
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Pages' });
  expect(await axeViolations(page)).toEqual([]);
  await drawer.getByRole('link', { name: 'Clusters' }).press('Enter');
  await soon(() => focused(page).textContent()).toBe('Clusters');
  await soon(() => page.evaluate<number>('window.scrollY')).toBe(0);
  await page.goBack();
  await soon(() => focused(page).textContent()).toBe('Your profile');
  await soon(() => page.evaluate<number>('window.scrollY')).toBe(700);
  await page.close();
});

// Guarantee: a phone that is turned while its menu is open leaves nothing over the page.
test('a phone is turned', async () => {
  const page = await panel.page({ path: '/clusters', look: 'phone' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Pages' }).waitFor();
  await page.setViewportSize({ width: 1000, height: 740 });
  await soon(() => page.locator('dialog:modal').count()).toBe(0);
  await page.close();
});

// Guarantee: the cheat sheet gives the focus back, and going where one is already leaves no trace in the history.
test('looking up a key', async () => {
  const page = await panel.page({ path: '/clusters' });
  const create = page.getByRole('button', { name: 'New cluster' }).first();
  await create.focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await soon(() => focused(page).textContent()).toBe('New cluster');
  const length = await page.evaluate<number>('history.length');
  await page.keyboard.type('gc');
  await page.keyboard.type('gm');
  await soon(() => hashOf(page)).toBe('#/profile');
  expect(await page.evaluate<number>('history.length')).toBe(length + 1);
  await page.close();
});

// Guarantee: the first key of a keyboard reaches the way past the menu, and it leads into the page.
test('past the menu', async () => {
  const page = await panel.page({ path: '/clusters' });
  await page.getByRole('heading', { name: 'Clusters' }).waitFor();
  await page.keyboard.press('Tab');
  await soon(() => focused(page).textContent()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  await soon(() => focused(page).getAttribute('id')).toBe('content');
  expect(hashOf(page)).toBe('#/clusters');
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
