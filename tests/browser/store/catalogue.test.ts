import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeHttp } from '#contracts/store/store-http.ts';
import { downloadedText, type Look, overflows } from '#harness/browser.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';

let panel: TestPanel;

beforeAll(async () => {
  panel = await openTestPanel({ servers: ['The Quarry'] });
  for (const name of ['Axe', 'Bow', 'Cart', 'Door'])
    await panel.call(storeHttp.create, {
      body: {
        name,
        category: 'Tools',
        price: 10,
        game: 'minecraft',
        lines: [{ kind: 'item', item: 'minecraft:torch', quantity: 1 }],
        isEnabled: true,
      },
    });
}, 120_000);
afterAll(async () => {
  const faults = [...panel.faults()];
  await panel?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: 20_000 });
const stored = async () => (await panel.call(storeHttp.products, { query: {} })).rows.map(({ name }) => name);
const shown = (page: Page) => page.getByRole('list', { name: 'Tools' }).getByRole('listitem').allInnerTexts();
const handle = (page: Page, name: string) => page.getByRole('button', { name: `Move ${name}` });
const said = (page: Page) => page.locator('[aria-live=assertive]').textContent();

// Guarantee: products can be ordered by keyboard alone, and each step is announced; Escape and leaving move nothing.
test('order by the keyboard', async () => {
  const page = await panel.page({ path: '/store/order' });
  await handle(page, 'Door').focus();
  await page.keyboard.press('Space');
  expect(await said(page)).toMatch(/^Picked up Door\. Position 4 of 4\./);
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await said(page)).toBe('Door: position 2 of 4.');
  expect(await shown(page)).toEqual(['Axe', 'Door', 'Bow', 'Cart']);
  await page.keyboard.press('Escape');
  expect(await said(page)).toBe('Door is back in its place.');
  expect(await shown(page)).toEqual(['Axe', 'Bow', 'Cart', 'Door']);
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('Tab');
  expect(await shown(page)).toEqual(['Axe', 'Bow', 'Cart', 'Door']);
  expect(await stored()).toEqual(['Axe', 'Bow', 'Cart', 'Door']);

  await handle(page, 'Door').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  expect(await said(page)).toBe('Dropped Door at position 1.');
  await page.getByText('Order saved').waitFor();
  await soon(stored).toEqual(['Door', 'Axe', 'Bow', 'Cart']);
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Door');
  await page.close();
}, 60_000);

// Guarantee: a row that is dragged by its handle stays where it is dropped.
test('order by the pointer', async () => {
  const page = await panel.page({ path: '/store/order' });
  await handle(page, 'Cart').waitFor();
  const before = await shown(page);
  const centre = async (name: string) => {
    const box = await handle(page, name).boundingBox();
    if (!box) throw new Error(`${name} is not to be seen`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const [from, to] = [await centre('Cart'), await centre(before[0] ?? '')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y - 4, { steps: 8 });
  await page.mouse.up();
  await page.getByText('Order saved').waitFor();
  const expected = ['Cart', ...before.filter((name) => name !== 'Cart')];
  expect(await shown(page)).toEqual(expected);
  await soon(stored).toEqual(expected);
  await page.close();
}, 60_000);

// Guarantee: a new order of products is refused if the list has changed since; the page says so and reads the list again.
test('an order that comes too late', { tags: ['night'], timeout: 60_000 }, async () => {
  const page = await panel.page({ path: '/store/order' });
  await handle(page, 'Axe').waitFor();
  const { rows } = await panel.call(storeHttp.products, { query: {} });
  const cart = rows.find(({ name }) => name === 'Cart');
  if (!cart) throw new Error('there is no cart');
  const params = { id: cart.id };
  await panel.call(storeHttp.archive, { params, body: { version: cart.version, archived: true } });
  await handle(page, 'Axe').focus();
  for (const key of ['Space', 'End', 'Space']) await page.keyboard.press(key);
  await page.getByRole('alert').first().waitFor();
  await soon(() => shown(page)).not.toContain('Cart');
  const body = { version: cart.version + 1, archived: false };
  await panel.call(storeHttp.archive, { params, body });
  await page.close();
});

// Guarantee: one button makes a copy, which is switched off, and its page opens.
test('a product is duplicated', { tags: ['night'], timeout: 60_000 }, async () => {
  const { rows } = await panel.call(storeHttp.products, { query: {} });
  const page = await panel.page({ path: `/store/${rows.find(({ name }) => name === 'Axe')?.id}` });
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('heading', { level: 1, name: 'Axe (copy)' }).waitFor();
  await page.getByText('Off', { exact: true }).waitFor();
  await page.close();
});

// Guarantee: an exported file is checked before it is imported; its errors are shown with their lines.
test('export and import', { tags: ['night'], timeout: 60_000 }, async () => {
  const page = await panel.page({ path: '/store' });
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export products' }).click(),
  ]);
  const text = await downloadedText(download);
  const give = (content: string) =>
    page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({
        name: 'catalogue.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Import products' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import products' });
  const importing = dialog.getByRole('button', { name: 'Import', exact: true });
  expect(await importing.isDisabled()).toBe(true);
  await give(text.replace('"price": 10', '"price": -10'));
  await dialog.getByText('1 error in the file').waitFor();
  await dialog.getByText('products.0.price').waitFor();
  expect(await dialog.getByRole('listitem').textContent()).toMatch(/^Line 11 /);
  expect(await importing.isDisabled()).toBe(true);
  await expectAccessible(page);
  await give(text.replace('"price": 10', '"price": 25').replace('"Axe (copy)"', '"Hatchet"'));
  await dialog.getByText(/^New: 0\. Changed: [12]\./).waitFor();
  await importing.click();
  await page.getByText('Products imported').waitFor();
  await soon(stored).toContain('Hatchet');
  await page.close();
});

const asSeen: readonly (readonly [Look, 'en-US' | 'pt-BR'])[] = [
  ['phone', 'en-US'],
  ['dark', 'pt-BR'],
];

// Guarantee: in light and dark, on a desktop and a phone, axe finds nothing in the ordering of products.
test.each(looksOfTier(asSeen))(
  '%s, %s',
  async (look, locale) => {
    const page = await panel.page({ look, locale, path: '/store' });
    await goTo(page, '/store/order');
    await expectAccessible(page);
    expect(await overflows(page)).toBe(false);
    await page.close();
  },
  60_000,
);
