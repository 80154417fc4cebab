import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { downloadedText } from '#harness/browser.ts';
import { expectAccessible } from '#harness/every-look.ts';

import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;

beforeAll(async () => {
  panel = await openTestPanel({ servers: ['The Quarry'] });
  for (const [name, description] of [
    ['Alpha', 'first, "of all"'],
    ['Beta', 'second'],
    ['=Gamma', 'says =1+1'],
  ] as const)
    await panel.call(clustersHttp.create, { body: { name, description } });
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

/** Waits longer, for a loaded machine. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: 20_000 });
const list = (page: Page) => page.getByRole('grid', { name: 'Clusters' });
const row = (page: Page, name: string) => list(page).getByRole('row').filter({ hasText: name });
const focused = (page: Page) => page.locator(':focus');
const names = (page: Page) => list(page).locator('[data-index] [role=gridcell]:nth-child(2)').allInnerTexts();
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search: Clusters' });
const sorted = '/clusters?sort=name';

// Guarantee: rows can be searched, walked, selected and opened without a mouse, and the focus comes back.
test('a list by the keyboard alone', async () => {
  const page = await panel.page({ path: sorted });
  await list(page).waitFor();
  await page.keyboard.press('/');
  await soon(() => focused(page).getAttribute('type')).toBe('search');
  await page.keyboard.type('a');
  await page.keyboard.press('Escape');
  await soon(() => search(page).inputValue()).toBe('');
  await soon(() => names(page)).toEqual(['=Gamma', 'Alpha', 'Beta', 'Demo']);

  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page).textContent()).toContain('=Gamma');
  await page.keyboard.press('End');
  await soon(() => focused(page).textContent()).toContain('Demo');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await soon(() => focused(page).textContent()).toContain('Alpha');

  await page.keyboard.press(' ');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByText('2 selected').waitFor();
  expect(await row(page, 'Beta').getAttribute('aria-selected')).toBe('true');
  expect(await row(page, 'Demo').getAttribute('aria-selected')).toBe('false');
  await page.keyboard.press('Control+a');
  await page.getByText('4 selected').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByText('4 selected').waitFor({ state: 'detached' });

  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Edit cluster' });
  await dialog.waitFor();
  await soon(() => dialog.getByLabel('Name').inputValue()).toBe('Beta');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await soon(() => focused(page).textContent()).toContain('Beta');
  await page.close();
});

// Guarantee: search and order are in the address: they survive a reload and the browser's back button.
test('search and order in the address', async () => {
  const page = await panel.page({ path: '/clusters' });
  await search(page).fill('of al');
  await soon(() => names(page)).toEqual(['Alpha']);
  await page.getByText('Clusters: 1 of 4').waitFor();
  await search(page).fill('a');
  const header = list(page).getByRole('columnheader', { name: 'Name' });
  await header.getByRole('button').click();
  await header.getByRole('button').click();
  await soon(() => header.getAttribute('aria-sort')).toBe('descending');
  await soon(() => new URL(page.url()).hash).toBe('#/clusters?q=a&sort=-name');
  await page.reload();
  await soon(() => names(page)).toEqual(['Demo', 'Beta', 'Alpha', '=Gamma']);
  expect(await search(page).inputValue()).toBe('a');

  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  await page.goBack();
  await soon(() => names(page)).toEqual(['Demo', 'Beta', 'Alpha', '=Gamma']);
  await page.close();
});

// Guarantee: a mangled address shows the list; a search without a match says so and offers a way out.
test('an address that makes no sense', async () => {
  const page = await panel.page({ path: '/clusters?sort=-__proto__&archived=perhaps&q=%F0%9F%90%89' });
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await soon(() => names(page)).toHaveLength(4);
  expect(await search(page).inputValue()).toBe('');
  await page.close();
});

// Guarantee: a view saved in one tab appears in the other, restores everything, and disappears in both.
test('a saved view in two tabs', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/clusters?q=beta&sort=-name' });
  const other = await page.context().newPage();
  await other.goto('/#/clusters');
  await list(other).waitFor();
  const views = (tab: Page) => tab.getByRole('dialog', { name: 'Views' });
  await page.getByRole('button', { name: 'Views' }).click();
  await views(page).getByLabel('View name').fill('<b>Only Beta</b>');
  await page.keyboard.press('Enter');
  await views(page).getByRole('button', { name: '<b>Only Beta</b>', exact: true }).waitFor();
  await expectAccessible(page);

  await other.getByRole('button', { name: 'Views' }).click();
  await views(other).getByRole('button', { name: '<b>Only Beta</b>', exact: true }).click();
  await soon(() => names(other)).toEqual(['Beta']);
  expect(new URL(other.url()).hash).toBe('#/clusters?q=beta&sort=-name');
  await other.getByRole('button', { name: 'Views' }).click();
  await views(other).getByRole('button', { name: 'Delete view <b>Only Beta</b>' }).click();
  await soon(() => views(other).locator('input:focus').count()).toBe(1);
  await other.keyboard.press('Escape');
  await views(other).waitFor({ state: 'hidden' });
  await views(page)
    .getByRole('button', { name: '<b>Only Beta</b>', exact: true })
    .waitFor({ state: 'detached' });
  await page.close();
});

// Guarantee: the exported file has the shown rows in their order; spreadsheets can read it and run nothing in it.
test('the rows as CSV', async () => {
  const page = await panel.page({ path: `${sorted}&q=s` });
  await soon(() => names(page)).toEqual(['=Gamma', 'Alpha', 'Beta', 'Demo']);
  // The number of servers is read separately and is not shown until then.
  await row(page, 'Alpha').getByText('0 servers').waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^clusters-\d{4}-\d{2}-\d{2}\.csv$/);
  const [head, gamma, alpha, ...rest] = (await downloadedText(file)).split('\r\n');
  expect(head).toBe('\uFEFFName,Description,Servers,State,Created');
  expect(gamma).toMatch(/^'=Gamma,says =1\+1,0,In use,\d{4}-/);
  expect(alpha).toMatch(/^Alpha,"first, ""of all""",0,In use,/);
  expect(rest).toHaveLength(3);
  await page.close();
});

// Guarantee: a bulk action continues when its page is left, says what failed and why, and the failed items can be retried.
test('a bulk act that is left and found again', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: sorted });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/clusters/*/archive', async (route) => {
    await held;
    await route.continue();
  });
  await list(page).waitFor();
  await row(page, 'Alpha').getByRole('checkbox').click();
  await row(page, 'Demo')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  // A shorter range deselects the rows that only the longer one had.
  await row(page, 'Beta')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('2 selected').waitFor();
  await row(page, 'Demo')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText('3 selected').waitFor();
  await page.getByRole('button', { name: 'Archive 3' }).click();
  const question = page.getByRole('dialog', { name: 'Archive 3' });
  await question.getByText('This archives 3 clusters').waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Archive', exact: true }).click();
  await question.waitFor({ state: 'hidden' });
  await soon(() => focused(page).textContent()).toContain('Demo');

  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  await page.getByRole('button', { name: 'Tasks: 0 of 3' }).waitFor();
  release();
  await page.getByRole('button', { name: 'Tasks: 3 of 3' }).click();
  const work = page.getByRole('dialog', { name: 'Tasks' });
  await work.getByText('2 done, 1 failed').waitFor();
  await work.getByRole('listitem').filter({ hasText: 'Demo' }).waitFor();
  await expectAccessible(page);
  await work.getByRole('button', { name: 'Retry failed' }).click();
  await work.getByText('2 done, 1 failed').waitFor();
  // The button disappears during the retry: the focus stays in the dialog.
  await soon(() => work.locator(':focus').count()).toBe(1);
  await work.getByRole('button', { name: 'Remove from list' }).click();
  await page.getByRole('button', { name: /^Tasks:/ }).waitFor({ state: 'detached' });

  const { rows } = await panel.call(clustersHttp.list, { query: {} });
  expect(rows.map(({ name }) => name)).toEqual(['=Gamma', 'Demo']);
  await page.goBack();
  await soon(() => names(page)).toEqual(['=Gamma', 'Demo']);
  await page.close();
});

// Guarantee: a person who may not change clusters is offered no action but still sees them.
test('a viewer only reads', async () => {
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ path: '/clusters', as: viewer });
  await row(page, 'Demo').waitFor();
  expect(await list(page).getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'New cluster' }).count()).toBe(0);
  await page.close();
});

// Guarantee: the browser asks before closing a page with unfinished work, and no other person finds that work.
test('work that has stopped', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: sorted, ownSession: true });
  await page.route('**/api/clusters/*/archive', (route) => route.abort());
  await row(page, 'Demo').getByRole('checkbox').click();
  await row(page, '=Gamma').getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Archive 2' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('button', { name: 'Tasks: 1 of 2' }).click();
  const work = page.getByRole('dialog', { name: 'Tasks' });
  await work.getByText('Paused').waitFor();
  const isAsked = page.waitForEvent('dialog').then(async (question) => {
    await question.dismiss();
    return question.type();
  });
  await page.close({ runBeforeUnload: true });
  expect(await isAsked).toBe('beforeunload');
  await work.getByRole('button', { name: 'Cancel remaining' }).click();
  await work.getByText('1 failed').first().waitFor();
  await page.close();
});

// Guarantee: a change based on an old version is refused, and the typed values are still there to be kept.
test('two people change a cluster', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: sorted });
  await row(page, 'Demo').click();
  const dialog = page.getByRole('dialog', { name: 'Edit cluster' });
  await dialog.getByLabel('Description').fill('mine');
  const { rows } = await panel.call(clustersHttp.list, { query: {} });
  const demo = rows.find(({ name }) => name === 'Demo');
  if (!demo) throw new Error('the demo has no cluster');
  const { id, version } = demo;
  await panel.call(clustersHttp.change, { params: { id }, body: { version, description: 'theirs' } });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByText('theirs', { exact: true }).waitFor();
  expect(await dialog.getByLabel('Description').inputValue()).toBe('mine');
  await dialog.getByRole('button', { name: 'Save my version' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await row(page, 'mine').waitFor();
  await page.close();
});
