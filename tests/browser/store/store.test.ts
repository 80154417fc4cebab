import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Member, membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { overflows } from '#harness/browser.ts';
import { drawnPng } from '#harness/drawn-png.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible, looksOfTier } from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
/** Three pixels by two. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEklEQVR4AWL6z8DwH4aZGJAAAAAA//+GpNPhAAAABklEQVQDAHTzBf+1yIrkAAAAAElFTkSuQmCC';

let panel: TestPanel;
let game: MinecraftSimulator;

const memberNamed = (name: string): Promise<Member> =>
  eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: name } });
    const found = rows.find((member) => member.name === name);
    if (!found) throw new Error(`${name} is no member yet`);
    return found;
  }, patienceMs);

const productNamed = async (name: string): Promise<Product> => {
  const { rows } = await panel.call(storeHttp.products, {});
  const found = rows.find((product) => product.name === name);
  if (!found) throw new Error(`there is no product ${name}`);
  return found;
};

/** Made by the first test, unless it was left out. */
const demandDiamonds = async (): Promise<void> => {
  const { rows } = await panel.call(storeHttp.products, {});
  if (rows.some(({ name }) => name === 'Diamonds')) return;
  await panel.call(storeHttp.create, {
    body: {
      ...{ name: 'Diamonds', price: 40, game: 'minecraft', isEnabled: true },
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 1 }],
    },
  });
};

/** Searches for a member in a field and chooses them. */
const choose = async (page: Page, label: string, name: string) => {
  await page.getByRole('dialog').getByLabel(label).first().fill(name);
  await page.getByRole('option').filter({ hasText: name }).click();
};

const pick = (product: object) =>
  Object.fromEntries(Object.entries(product).filter(([name]) => name in productDraft.shape));

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  for (const name of ['Heron', 'Otter']) game.world.join(name);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Harbour', game: 'minecraft' as const, host: '127.0.0.1', port, password };
  await panel.call(gameServersHttp.create, { body });
  await memberNamed('Heron');
  await memberNamed('Otter');
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

// Guarantee: from an empty store, its pages alone lead to an item that is delivered in the game.
test('a product is made, tried and seen to arrive', async () => {
  const page = await panel.page({ path: '/store' });
  await page.getByText('No products yet').waitFor();
  await page.getByRole('button', { name: 'New product' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Diamonds');
  await page.getByRole('textbox', { name: 'Price' }).fill('40');
  const item = page.getByLabel('Item', { exact: false }).first();
  await item.fill('castle:no_such_thing');
  await page.getByText('Not in the list.', { exact: false }).waitFor();
  await item.fill('diamond');
  await page.getByRole('option').filter({ hasText: 'minecraft:diamond' }).first().waitFor();
  await item.fill('minecraft:diamond');
  await page.getByText('In the list: Diamond').waitFor();
  await page.getByLabel('Quantity').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { level: 1, name: 'Diamonds' }).waitFor();
  await page.getByText('On sale', { exact: true }).nth(1).waitFor();

  await page.getByRole('button', { name: 'Test order' }).click();
  const dialog = page.getByRole('dialog');
  await choose(page, 'Recipient', 'Heron');
  await dialog.getByText('minecraft:diamond').first().waitFor();
  await dialog.getByRole('button', { name: 'Place free test order' }).click();
  await dialog.getByText('Everything arrived.').waitFor({ timeout: patienceMs });
  const { rows } = await panel.call(ordersHttp.list, { query: {} });
  expect(rows[0]).toMatchObject({ source: 'test', total: 0, progress: 'done' });
  expect(game.world.given).toHaveLength(1);
  await page.close();
}, 120_000);

// Guarantee: another admin's save is not overwritten silently, and nothing typed is lost.
test('a product that someone else changed', async () => {
  const { id, version, ...product } = await productNamed('Diamonds');
  const page = await panel.page({ path: `/store/${id}` });
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('Three diamonds');
  const body = { ...productDraft.parse(pick(product)), version, price: 55 };
  await panel.call(storeHttp.change, { params: { id }, body });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Another person saved this product' });
  await notice.getByText('55 points').waitFor();
  expect(await name.inputValue()).toBe('Three diamonds');
  await notice.getByRole('button', { name: 'Use their version' }).click();
  expect(await name.inputValue()).toBe('Diamonds');
  await page.getByRole('textbox', { name: 'Price' }).fill('40');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved Diamonds').waitFor();
  expect((await productNamed('Diamonds')).price).toBe(40);
  await page.close();
}, 60_000);

// Guarantee: text typed for a product stays when its page is left, is shown as unsaved, and can be discarded.
test('what is typed of a product is kept', { tags: ['night'], timeout: 60_000 }, async () => {
  const { id } = await productNamed('Diamonds');
  const page = await panel.page({ path: `/store/${id}` });
  const price = page.getByRole('textbox', { name: 'Price' });
  await price.fill('77');
  await page.getByText('Not saved. Your changes').waitFor();
  await goTo(page, '/orders');
  await goTo(page, `/store/${id}`);
  expect(await price.inputValue()).toBe('77');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  expect(await price.inputValue()).toBe('40');
  expect(await page.getByText('Not saved. Your changes').count()).toBe(0);

  await goTo(page, '/store/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Half a product');
  await goTo(page, '/orders');
  await goTo(page, '/store/new');
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue())
    .toBe('Half a product');
  await page.close();
});

// Guarantee: a picture is accepted and shown, scaled down if it is large; a file that is not a picture is refused with a reason,
// and the previous one stays.
test('the picture of a product', { tags: ['night'], timeout: 60_000 }, async () => {
  const { id } = await productNamed('Diamonds');
  const page = await panel.page({ path: `/store/${id}` });
  const card = page.getByRole('region', { name: 'Picture' });
  const give = (bytes: Buffer) =>
    card
      .locator('input[type=file]')
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: bytes });
  await give(Buffer.from(picture, 'base64'));
  await page.getByText('Picture saved').waitFor();
  await card.getByRole('img', { name: 'Picture of Diamonds' }).waitFor();
  const small = (await productNamed('Diamonds')).picture?.sha256;
  await give(drawnPng(3000, 1500));
  await expect.poll(async () => (await productNamed('Diamonds')).picture?.sha256).not.toBe(small);
  const large = (await productNamed('Diamonds')).picture?.sha256;
  for (const bytes of [Buffer.alloc(600 * 1024), Buffer.from('<script>alert(1)</script>')]) {
    await give(bytes);
    await card.getByRole('alert').getByText('This file cannot be used.').waitFor();
  }
  expect((await productNamed('Diamonds')).picture?.sha256).toBe(large);
  await card.getByRole('img', { name: 'Picture of Diamonds' }).waitFor();
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Picture removed').waitFor();
  expect((await productNamed('Diamonds')).picture).toBeNull();
  await page.close();
});

// Guarantee: an archived product is not sold, and comes back unchanged.
test('a product is archived and taken out again', { tags: ['night'], timeout: 60_000 }, async () => {
  const { id } = await productNamed('Diamonds');
  const page = await panel.page({ path: `/store/${id}` });
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
  await page.getByText('Archived Diamonds').waitFor();
  expect(await panel.call(storeHttp.read, { params: { id } })).toMatchObject({
    archivedAt: expect.any(String),
    notForSale: expect.any(String),
  });
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect
    .poll(async () => panel.call(storeHttp.read, { params: { id } }))
    .toMatchObject({ archivedAt: null, notForSale: null });
  await page.getByRole('button', { name: 'Archive' }).waitFor();
  await page.close();
});

// Guarantee: an item that the game does not know stops its product, which says why in the reader's language, until a person
// resumes the sale.
test('a product that stopped selling by itself', { tags: ['night'], timeout: 120_000 }, async () => {
  const line = { kind: 'item' as const, item: 'castle:no_such', quantity: 1 };
  const body = { name: 'Nothing', game: 'minecraft' as const, price: 0, lines: [line], isEnabled: true };
  const { id } = await panel.call(storeHttp.create, { body });
  const { id: memberId } = await memberNamed('Heron');
  await panel.call(ordersHttp.place, { body: { memberId, lines: [{ productId: id, quantity: 1 }] } });
  const page = await panel.page({ path: `/store/${id}`, locale: 'pt-BR' });
  const notice = page.getByRole('alert').filter({ hasText: 'O Castellan pausou este produto' });
  await notice.getByText('O jogo não conhece este item.').waitFor({ timeout: patienceMs });
  await notice.getByRole('button', { name: 'Colocar à venda de novo' }).click();
  await notice.waitFor({ state: 'detached' });
  const { version, heldAt } = await panel.call(storeHttp.read, { params: { id } });
  expect(heldAt).toBeNull();
  await panel.call(storeHttp.archive, { params: { id }, body: { version, archived: true } });
  await page.close();
});

// Guarantee: points, order and refund work on the pages alone, and each says in advance what it does.
test('points are given, spent and refunded', { tags: ['night'], timeout: 120_000 }, async () => {
  await demandDiamonds();
  const { id } = await memberNamed('Heron');
  const page = await panel.page({ path: `/members/${id}/points` });
  await page.getByRole('button', { name: 'Give points' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Points').fill('100');
  await dialog.getByText('The wallet will have 100 points.').waitFor();
  await dialog.getByRole('button', { name: 'Give 100 points' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Ledger' }).getByText('+100').waitFor();

  await page.getByRole('tab', { name: 'Orders' }).click();
  await page.getByRole('link', { name: 'Order for this member' }).click();
  await dialog.getByPlaceholder('Choose a product').click();
  await page.getByRole('option', { name: 'Diamonds' }).click();
  await dialog.getByText('60 points').waitFor();
  await dialog.getByRole('button', { name: 'Place order for 40 points' }).click();
  await page.getByRole('heading', { level: 1, name: 'Diamonds' }).waitFor();
  await page.getByText('Delivered').first().waitFor({ timeout: patienceMs });
  await page.getByRole('button', { name: 'Attempts' }).click();
  await page.getByText('Attempt 1').waitFor();
  await page.getByRole('button', { name: 'Refund' }).click();
  await dialog.getByText('Heron gets 40 points back.').waitFor();
  await dialog.getByRole('button', { name: 'Refund 40 points' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect((await memberNamed('Heron')).balance).toBe(100);
  await page.close();
});

// Guarantee: an order that the wallet cannot pay is announced as such and cannot be placed.
test('an order that would be refused', { tags: ['night'] }, async () => {
  await demandDiamonds();
  const { id } = await memberNamed('Otter');
  const page = await panel.page({ path: `/orders?member=${id}&new=true` });
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Choose a product').click();
  await page.getByRole('option', { name: 'Diamonds' }).click();
  await dialog.getByText('This order is not possible').waitFor();
  expect(await dialog.getByRole('button', { name: /^Place order/ }).isDisabled()).toBe(true);
  await page.close();
});

// Guarantee: points are removed or moved to another member only after the remaining balance was shown, and never more than there are.
test('points are taken back and transferred', { tags: ['night'], timeout: 60_000 }, async () => {
  const { id } = await memberNamed('Heron');
  const page = await panel.page({ path: `/members/${id}/points` });
  const dialog = page.getByRole('dialog');
  const begin = async (act: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: act }).click();
  };
  await begin('Remove points');
  await dialog.getByLabel('Points').fill('101');
  expect(await dialog.getByRole('button', { name: /^Remove/ }).isDisabled()).toBe(true);
  await dialog.getByLabel('Points').fill('10');
  await dialog.getByText('The wallet will have 90 points.').waitFor();
  await dialog.getByRole('button', { name: 'Remove 10 points' }).click();
  await dialog.waitFor({ state: 'detached' });
  const ledger = page.getByRole('region', { name: 'Ledger' });
  await ledger.getByText('−10').waitFor();

  await begin('Transfer points');
  await choose(page, 'Who gets them', 'Otter');
  await dialog.getByLabel('Points').fill('30');
  await dialog.getByText('The wallet will have 60 points.').waitFor();
  await dialog.getByRole('button', { name: 'Transfer 30 points' }).click();
  await dialog.waitFor({ state: 'detached' });
  await ledger.getByText('−30').waitFor();
  expect((await memberNamed('Heron')).balance).toBe(60);
  expect((await memberNamed('Otter')).balance).toBe(30);
  await page.close();
});

// Guarantee: a merge says in advance what it moves, and can be undone.
test('two members are merged and parted again', { tags: ['night'], timeout: 60_000 }, async () => {
  const { id } = await memberNamed('Heron');
  const page = await panel.page({ path: `/members/${id}`, ownSession: true });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Merge with another member' }).click();
  const dialog = page.getByRole('dialog').first();
  await choose(page, 'Member that is merged', 'Otter');
  await dialog.getByText('Otter (Minecraft)').waitFor();
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByRole('tab', { name: 'Merges 1' }).click();
  const merges = page.getByRole('region', { name: 'Merged members' });
  await merges.getByText('Otter').waitFor();
  await merges.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await merges.getByText('Undone', { exact: false }).waitFor();
  expect((await memberNamed('Otter')).id).not.toBe(id);
  await page.close();
});

// Guarantee: a link code is shown with its validity, and links the account that types it.
test('a link code', { tags: ['night'], timeout: 60_000 }, async () => {
  const [heron, otter] = [await memberNamed('Heron'), await memberNamed('Otter')];
  const page = await panel.page({ path: `/members/${heron.id}` });
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Link another account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make a code' }).click();
  await dialog.getByText(/^Valid for (10|9)/).waitFor();
  const code = await dialog.getByRole('status', { name: 'Code' }).textContent();
  await goTo(page, `/members/${otter.id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Enter a link code' }).click();
  await dialog.getByLabel('Code').fill(code ?? '');
  await dialog.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { level: 1, name: /Heron|Otter/ }).waitFor();
  // The earlier merge is already undone: only this one can be.
  await page.getByRole('tab', { name: /^Merges/ }).click();
  const merges = page.getByRole('region', { name: 'Merged members' });
  await merges.getByRole('button', { name: 'Undo' }).waitFor();
  await page.close();
});

// Guarantee: a person who may only read is offered nothing that would be refused.
test('a moderator reads', { tags: ['night'] }, async () => {
  const moderator = await panel.newAdmin({ role: 'moderator' });
  const { id } = await productNamed('Diamonds');
  const page = await panel.page({ as: moderator, path: `/store/${id}` });
  await page.getByText('minecraft:diamond').waitFor();
  expect(await page.getByRole('button', { name: /Save|Test order|Archive/ }).count()).toBe(0);
  const { rows } = await panel.call(membersHttp.search, { query: {} });
  await goTo(page, `/members/${rows[0]?.id}`);
  expect(await page.getByRole('button', { name: /Give points|More/ }).count()).toBe(0);
  await page.close();
});

// Guarantee: a person is erased only after the page has said what is lost and after a step-up; the ledger stays.
test('a person is erased', { tags: ['night'], timeout: 120_000 }, async () => {
  game.world.join('Wren');
  const { id } = await memberNamed('Wren');
  await panel.call(membersHttp.grant, { params: { id }, body: { kind: 'grant', points: 5 } });
  const as = await panel.newAdmin({ role: 'owner' });
  game.world.leave('Wren');
  // Signed in by hand: such a session has no step-up.
  const page = await panel.page({ as: null, path: `/members/${id}` });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(as.name);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(as.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Erase this person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase Wren?' });
  await dialog.getByText('5 points in the wallet can no longer be spent.').waitFor();
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await proof.getByRole('textbox', { name: 'Password' }).fill(as.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: `Member ${id}` }).waitFor();
  await page.getByRole('tab', { name: 'Points' }).click();
  await page.getByRole('region', { name: 'Ledger' }).getByText('+5').waitFor();
  expect(await page.getByText('Wren').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Give points' }).count()).toBe(0);
  await page.close();
});

// Guarantee: every page of the store is accessible in each color scheme, on a desktop and on a phone.
test.each(looksOfTier(['light', 'dark', 'phone', 'dark phone'] as const))(
  'the pages have no obstacles, %s',
  async (look) => {
    const { id: productId } = await productNamed('Diamonds');
    const { rows: orders } = await panel.call(ordersHttp.list, { query: {} });
    const { rows: members } = await panel.call(membersHttp.search, { query: {} });
    const page = await panel.page({ look, locale: look === 'phone' ? 'pt-BR' : 'en-US' });
    const found: string[] = [];
    const paths = [
      '/store',
      '/store/new',
      `/store/${productId}`,
      '/orders',
      `/orders/${orders[0]?.id}`,
      '/members',
      `/members/${members[0]?.id}`,
    ];
    for (const path of paths) {
      await goTo(page, path);
      await expectAccessible(page);
      if (await overflows(page)) found.push(`${path}: wider than the window`);
    }
    await page.close();
    expect(found).toEqual([]);
  },
  120_000,
);

test('no page has failed', () => expect(panel.faults()).toEqual([]));
