import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playersHttp } from '#contracts/people/players.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible, expectEveryLook, picture } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { version } from '#runtime/version.ts';
import { startArk } from '#simulators/ark-simulator.ts';

let panel: TestPanel;

beforeAll(async () => {
  panel = await openTestPanel({ servers: ['The Quarry', 'Fjordland'] });
});
afterAll(async () => {
  await panel[Symbol.asyncDispose]();
});

/** Waits longer, for a loaded machine. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: 20_000 });
const hashOf = (page: Page) => new URL(page.url()).hash;
const focused = (page: Page) => page.locator(':focus');
const palette = (page: Page) => page.getByRole('combobox', { name: 'Search pages' });

// Guarantee: any page, server or action is a few keys away, by its name in either language, and the page's title follows.
test('the palette by the keyboard alone', async () => {
  const page = await panel.page({ path: '/profile' });
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await expectAccessible(page);
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

  // The last used entry comes first; Escape returns to the previous place.
  await page.keyboard.press('Control+k');
  await soon(() => page.getByRole('option').first().textContent()).toBe('The Quarry');
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: two keys open a page, never while typing; people who cannot use single-key shortcuts can turn them off permanently.
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
  await page.keyboard.press('Control+/');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await sheet.getByText('Your profile').waitFor();
  await expectAccessible(page);
  await sheet.getByLabel('Single-key shortcuts').press('Space');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await page.keyboard.type('gm');
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  expect(hashOf(page)).toBe('#/clusters');
  await page.close();
});

// Guarantee: a new page starts at the top with the title in focus; going back returns to the previous position.
test('arriving', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/profile', look: 'phone' });
  await page.getByRole('heading', { name: 'Your sessions' }).waitFor();
  await page.evaluate('window.scrollTo(0, 700)');
  await page.getByRole('button', { name: 'Menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Pages' });
  await expectAccessible(page);
  await drawer.getByRole('link', { name: 'Clusters' }).press('Enter');
  await soon(() => focused(page).textContent()).toBe('Clusters');
  await soon(() => page.evaluate<number>('window.scrollY')).toBe(0);
  await page.goBack();
  await soon(() => focused(page).textContent()).toBe('Your profile');
  await soon(() => page.evaluate<number>('window.scrollY')).toBe(700);
  await page.close();
});

// Guarantee: turning a phone while its menu is open leaves nothing over the page.
test('a phone is turned', async () => {
  const page = await panel.page({ path: '/clusters', look: 'phone' });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Pages' }).waitFor();
  await page.setViewportSize({ width: 1000, height: 740 });
  await soon(() => page.locator('dialog:modal').count()).toBe(0);
  await page.close();
});

// Guarantee: the cheat sheet gives the focus back, and navigating to the current page adds nothing to the history.
test('looking up a key', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/clusters' });
  const create = page.getByRole('button', { name: 'New cluster' }).first();
  await create.focus();
  await page.keyboard.press('Control+/');
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

// Guarantee: the first Tab reaches the link past the menu, and it leads into the page.
test('past the menu', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/clusters' });
  await page.getByRole('heading', { name: 'Clusters' }).waitFor();
  await page.keyboard.press('Tab');
  await soon(() => focused(page).textContent()).toBe('Skip to content');
  await page.keyboard.press('Enter');
  await soon(() => focused(page).getAttribute('id')).toBe('content');
  expect(hashOf(page)).toBe('#/clusters');
  await page.close();
});

// Guarantee: help for a page is beside it, follows navigation, leaves the page usable, and gives the focus back.
test('help beside the page', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/clusters' });
  const create = page.getByRole('button', { name: 'New cluster' }).first();
  await create.focus();
  await page.keyboard.press('?');
  const help = page.getByRole('complementary', { name: 'Help: Clusters' });
  await help.getByText('Create a cluster').waitFor();
  await help.getByText('server, cluster', { exact: true }).waitFor();
  await soon(() => focused(page).getAttribute('data-help-beside')).toBe('true');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectEveryLook(page, 'help-panel');
  await page.setViewportSize({ width: 1280, height: 800 });
  // The page beside it changes.
  await page.getByRole('link', { name: 'Backups' }).click();
  const next = page.getByRole('complementary', { name: 'Help: Backups' });
  await next.getByText('Restore one').waitFor();
  // The element that had the focus is gone with its page.
  await page.keyboard.press('Escape');
  await next.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await next.waitFor();
  await page.keyboard.press('Escape');
  await soon(() => focused(page).getAttribute('aria-label')).toBe('Help');
  await page.close();
});

// Guarantee: on a phone, help is a sheet over the page in which nothing is cut off; Escape closes it.
test('help on a phone', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/servers', look: 'phone', locale: 'pt-BR' });
  await page.setViewportSize({ width: 320, height: 640 });
  const button = page.getByRole('button', { name: 'Ajuda', exact: true });
  await button.click();
  const sheet = page.getByRole('dialog', { name: 'Ajuda: Servidores' });
  await sheet.getByText('Adicionar um servidor').waitFor();
  expect(await overflows(page)).toBe(false);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  await soon(() => focused(page).getAttribute('aria-label')).toBe('Ajuda');
  await page.close();
});

// Guarantee: after an update there is a quiet mark until the user has looked, and the news are shown once.
test('what is new', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/clusters' });
  const mark = page.getByRole('link', { name: 'Help (Castellan was updated: see what is new)' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Help', exact: true }).waitFor();
  const kept = () => page.evaluate<string>(`localStorage.getItem('castellan.news')`);
  await soon(kept).toContain(version);
  await page.evaluate(
    `localStorage.setItem('castellan.news', ${JSON.stringify(await kept())}.replace('${version}', '0.0.1'))`,
  );
  await page.reload();
  await mark.click();
  await page.getByRole('heading', { name: 'New since version 0.0.1' }).waitFor();
  await mark.waitFor({ state: 'detached' });
  await expectEveryLook(page, 'help-news');
  await page.reload();
  await page.getByRole('heading', { name: 'All changes' }).waitFor();
  expect(await mark.count()).toBe(0);
  await page.close();
});

// Guarantee: the included guides open at the heading that a link names.
test('a guide', async () => {
  const page = await panel.page({ path: '/help/guides/gameAgents?part=backups-of-the-worlds' });
  await soon(() => focused(page).textContent()).toBe('Backups of the worlds');
  await expectEveryLook(page, 'help-guide');
  await page.close();
});

// Guarantee: the API reference makes commands with the panel's own address; a pasted key is copied into them, but shown and stored
// nowhere.
test('the API reference', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/help/api' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('searchbox', { name: 'Search routes' }).fill('kick');
  const route = page.getByRole('button', { name: /POST \/api\/players\/\{id\}\/actions/ });
  await route.click();
  await page.getByRole('textbox', { name: /^id/ }).fill('4 2');
  const command = page.locator('pre');
  await soon(() => command.textContent()).toContain(`'${panel.info.apiUrl}/api/players/4%202/actions'`);
  expect(await command.textContent()).toContain('Bearer $CASTELLAN_API_KEY');
  await expectEveryLook(page, 'help-api');
  const key = `key_${'x7'.repeat(20)}`;
  await page.getByLabel('Your API key for these commands').fill(key);
  await soon(() => command.textContent()).toContain('••••');
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await soon(() => page.evaluate('navigator.clipboard.readText()')).toContain(`Bearer ${key}`);
  expect(await page.locator('body').textContent()).not.toContain(key);
  expect(page.url()).not.toContain(key);
  expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
    key,
  );
  await page.reload();
  await soon(() => command.textContent()).toContain('$CASTELLAN_API_KEY');
  await picture(page, 'help-api-whole');
  await page.close();
});

// Guarantee: the palette asks for the action, then for the player; it is confirmed as on the player's page, and a notification shows
// the result.
test('an act on a player from the palette', { tags: ['night'] }, async () => {
  await using game = await startArk();
  game.world.join('Heron');
  const [first] = panel.info.servers;
  const { clusterId } = await panel.call(gameServersHttp.read, { params: { id: first?.id ?? '' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Marsh', game: game.game as 'ark-asa', host: '127.0.0.1', port, password };
  await panel.call(gameServersHttp.create, { body });
  await eventually(async () => {
    const { rows } = await panel.call(playersHttp.online, { query: {} });
    expect(rows.flatMap(({ players }) => players ?? []).map(({ name }) => name)).toEqual(['Heron']);
  }, 60_000);
  const page = await panel.page({ path: '/profile' });
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await expectEveryLook(page, 'palette');
  await page.keyboard.type('expulsar');
  await page.getByRole('option', { name: 'Kick a player …' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Heron' }).waitFor();
  await expectEveryLook(page, 'palette-player');
  // Back, and forward again.
  await page.keyboard.press('Backspace');
  await palette(page).waitFor();
  await page.keyboard.type('kick');
  await page.keyboard.press('Enter');
  await page.getByRole('option', { name: 'Heron' }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /Kick/ });
  await dialog.getByLabel('Reason (shown to the player)').waitFor();
  expect(game.world.players.map(({ name }) => name)).toContain('Heron');
  await dialog.getByRole('button', { name: 'Kick' }).click();
  await page.getByText(/Heron\u2069 was kicked\./).waitFor();
  expect(game.world.players).toEqual([]);
  await dialog.waitFor({ state: 'detached' });
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
