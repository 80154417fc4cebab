import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Member, membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { type Look, overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
let panel: TestPanel;
let game: MinecraftSimulator;

const memberNamed = (name: string): Promise<Member> =>
  eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: name } });
    const found = rows.find((member) => member.name === name);
    if (!found) throw new Error(`${name} is no member yet`);
    return found;
  }, patienceMs);

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  game.world.join('Heron');
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Harbour', game: 'minecraft' as const, host: '127.0.0.1', port, password };
  await panel.call(gameServersHttp.create, { body });
  const { id: memberId } = await memberNamed('Heron');
  await panel.call(membersHttp.grant, {
    params: { id: memberId },
    body: { kind: 'grant', points: 1000, note: '' },
  });
  for (const [name, price, quantity] of [
    ['Diamonds', 40, 3],
    ['Torches', 2, 5],
  ] as const) {
    const lines = [{ kind: 'item' as const, item: 'minecraft:torch', quantity: 1 }];
    const draft = { name, price, game: 'minecraft' as const, lines, isEnabled: true };
    const { id: productId } = await panel.call(storeHttp.create, { body: draft });
    await panel.call(ordersHttp.place, { body: { memberId, lines: [{ productId, quantity }] } });
    await panel.call(ordersHttp.place, { body: { memberId, lines: [{ productId }], isTest: true } });
  }
}, 180_000);
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const card = (page: Page, name: string) => page.getByRole('region', { name });
const tile = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

// Guarantee: the page shows sales as sums, as a chart for mouse and keyboard, and as tables; test orders do not count.
test('the figures of sales', async () => {
  const page = await panel.page({ path: '/sales' });
  await tile(page, 'Orders').getByText('2', { exact: true }).waitFor();
  await tile(page, 'Items').getByText('8', { exact: true }).waitFor();
  await tile(page, 'Points').getByText('130', { exact: true }).waitFor();

  const sales = card(page, 'Sales over time');
  await sales.getByRole('img', { name: /^Sales over time: Points: now 130,/ }).waitFor();
  const cursor = sales.getByRole('slider');
  await cursor.focus();
  await page.keyboard.press('End');
  expect(await cursor.getAttribute('aria-valuetext')).toMatch(/\d{4}: 130$/);
  await page.keyboard.press('ArrowLeft');
  expect(await cursor.getAttribute('aria-valuetext')).toMatch(/: 0$/);
  await sales.getByText('Orders', { exact: true }).click();
  await sales.getByRole('img', { name: /Orders: now 2,/ }).waitFor();

  await sales.getByRole('button', { name: 'Show as a table: Sales over time' }).click();
  const rows = sales.getByRole('table').getByRole('row');
  expect(await rows.count()).toBe(31);
  expect(await rows.last().getByRole('cell').allInnerTexts()).toEqual(
    expect.arrayContaining(['2', '8', '130']),
  );
  const sellers = card(page, 'Best sellers').getByRole('table').getByRole('row');
  const cells = (row: number) => sellers.nth(row).locator('th, td').allInnerTexts();
  expect((await cells(1)).slice(0, 4)).toEqual(['Diamonds', '120', '3', '1']);
  expect((await cells(2)).slice(0, 4)).toEqual(['Torches', '10', '5', '1']);
  const points = card(page, 'Point flow');
  await points.getByRole('img', { name: /: In: now 1,000,/ }).waitFor();
  await points.getByText('Out', { exact: true }).click();
  await points.getByRole('img', { name: /: Out: now 130,/ }).waitFor();
  await expectAccessible(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as CSV: Best sellers' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('castellan-products.csv');
  await page.close();
}, 120_000);

// Guarantee: a range can be chosen and is kept in the address; an invalid pair of dates is reported, and an empty range says so.
test('the range', async () => {
  const page = await panel.page({ path: '/sales?range=7' });
  await tile(page, 'Orders').getByText('2', { exact: true }).waitFor();
  await page.getByText('Custom', { exact: true }).click();
  await page.getByText('Choose a start date before the end date').waitFor();
  await page.getByLabel('From', { exact: true }).fill('2020-02-01');
  await page.getByLabel('To', { exact: true }).fill('2020-02-29');
  await card(page, 'Sales over time').getByText('No sales in this period').waitFor();
  expect(page.url()).toContain('from=2020-02-01');
  expect(await page.getByText('Choose a start date before the end date').count()).toBe(0);
  await expectAccessible(page);
  await page.close();
}, 60_000);

const asSeen: readonly (readonly [Look, 'en-US' | 'pt-BR'])[] = [
  ['phone', 'pt-BR'],
  ['dark', 'en-US'],
  ['dark phone', 'en-US'],
];

// Guarantee: light and dark, wide and narrow, in both languages, nothing overflows, and axe finds nothing.
test.each(looksOfTier(asSeen))(
  '%s, %s',
  async (look, locale) => {
    const page = await panel.page({ look, locale, path: '/sales' });
    await goTo(page, '/sales');
    await expectAccessible(page);
    expect(await overflows(page)).toBe(false);
    await page.close();
  },
  60_000,
);

// Guarantee: nothing on the page moves while the figures arrive, late and one by one.
test('nothing shifts', { tags: ['night'], timeout: 60_000 }, async () => {
  const page = await panel.page({ path: '/store' });
  await page.evaluate(`{
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: 'layout-shift' });
  }`);
  const release = Promise.withResolvers<void>();
  await page.route('**/api/store/figures/**', async (route) => {
    await release.promise;
    await route.continue();
  });
  await page.evaluate(`location.hash = '#/sales'`);
  await card(page, 'Deliveries by server').waitFor();
  await page.evaluate('window.shifts = 0');
  release.resolve();
  await tile(page, 'Orders').getByText('2', { exact: true }).waitFor();
  await card(page, 'Deliveries by server').getByText('Harbour').waitFor();
  expect(await page.evaluate('window.shifts')).toBeLessThan(0.01);
  await page.close();
});
