import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { discountsHttp } from '#contracts/store/discounts.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { expectAccessible, lookOfTier } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
let panel: TestPanel;
let game: MinecraftSimulator;
let memberId = '';

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  game.world.join('Heron');
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { port, password } = game;
  const server = {
    clusterId,
    name: 'Harbour',
    game: 'minecraft' as const,
    host: '127.0.0.1',
    port,
    password,
  };
  await panel.call(gameServersHttp.create, { body: server });
  memberId = await eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: 'Heron' } });
    if (!rows[0]) throw new Error('Heron is no member yet');
    return rows[0].id;
  }, patienceMs);
  const grant = { kind: 'grant' as const, points: 500 };
  await panel.call(membersHttp.grant, { params: { id: memberId }, body: grant });
  for (const name of ['Sword', 'Bread'])
    await panel.call(storeHttp.create, {
      body: {
        name,
        game: 'minecraft',
        price: 40,
        lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 1 }],
        isEnabled: true,
      },
    });
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

// Guarantee: the editor alone creates a bundle with a scheduled price, and the store shows both prices.
test('a bundle with a scheduled price', async () => {
  const page = await panel.page({ path: '/store/new' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Starter kit');
  await page.getByRole('textbox', { name: 'Price' }).fill('70');
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByRole('button', { name: 'Remove part 1' }).click();
  await page.getByRole('combobox', { name: 'Product' }).click();
  await page.getByRole('option', { name: 'Sword' }).click();
  expect(await page.getByRole('region', { name: 'Servers' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Add price' }).click();
  const schedule = page.getByRole('region', { name: 'Price schedule' });
  await schedule.getByLabel('From').fill('2020-01-01T00:00');
  await schedule.getByLabel('Until (optional)').fill('2019-01-01T00:00');
  await schedule.getByRole('textbox', { name: 'Price' }).fill('50');
  await schedule.getByText('Choose an end after the start.').waitFor();
  await schedule.getByLabel('Until (optional)').fill('2120-01-01T00:00');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('On sale', { exact: true }).nth(1).waitFor();
  const { rows } = await panel.call(storeHttp.products, {});
  expect(rows.find(({ name }) => name === 'Starter kit')).toMatchObject({
    price: 70,
    currentPrice: 50,
    lines: [{ kind: 'product', quantity: 1 }],
  });
  await page.close();
}, 120_000);

// Guarantee: its page alone creates a discount with a code; an order accepts the code, says in advance what it saves or what is
// wrong with it, and names the discount afterwards.
test('a discount is made and used', async () => {
  const page = await panel.page({ path: '/discounts' });
  await page.getByText('No discounts yet.').waitFor();
  await page.getByRole('button', { name: 'New discount' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Weekend');
  await dialog.getByLabel('Percent off').fill('25');
  await dialog.getByLabel('Code').fill('WEEKEND-25');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create discount' }).click();
  await page.getByRole('region', { name: 'Weekend' }).getByText('WEEKEND-25').waitFor();

  const order = await panel.page({ path: `/orders?member=${memberId}&new=true` });
  const placing = order.getByRole('dialog');
  await placing.getByPlaceholder('Choose a product').click();
  await order.getByRole('option', { name: 'Bread' }).click();
  await placing.getByLabel('Discount code').fill('wrong');
  await placing.getByRole('button', { name: 'Apply code' }).click();
  await placing.getByText('No discount has this code.').waitFor();
  await placing.getByLabel('Discount code').fill('weekend-25');
  await placing.getByRole('button', { name: 'Apply code' }).click();
  await placing.getByText('Weekend: saves 10 points').waitFor();
  await expectAccessible(order);
  await placing.getByRole('button', { name: 'Place order for 30 points' }).click();
  // The dialog names the discount, too; the test is about the order's page that follows.
  await placing.waitFor({ state: 'hidden' });
  await order.getByText('Weekend').waitFor();
  const { rows } = await panel.call(ordersHttp.list, { query: {} });
  expect(rows[0]).toMatchObject({ total: 30, discountName: 'Weekend' });
  await order.close();
  await page.close();
}, 120_000);

// Guarantee: light and dark, in both languages, wide and narrow, axe finds nothing and nothing overflows; the page changes and
// removes a discount, and a taken code is refused in the reader's language.
test('discounts in Portuguese', { tags: ['night'], timeout: 120_000 }, async () => {
  const page = await panel.page({ path: '/discounts', locale: 'pt-BR', look: lookOfTier('dark') });
  const card = page.getByRole('region', { name: 'Weekend' });
  await card.getByText('25%').waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflows(page)).toBe(false);
  await card.getByRole('button', { name: 'Editar' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Desconto em porcentagem').fill('30');
  await dialog.getByRole('button', { name: 'Salvar' }).click();
  await card.getByText('30%').waitFor();

  // The API's refusal appears in Portuguese.
  await page.getByRole('button', { name: 'Novo desconto' }).click();
  await dialog.getByLabel('Nome').fill('Outro');
  await dialog.getByLabel('Código').fill('weekend-25');
  await dialog.getByRole('button', { name: 'Criar desconto' }).click();
  await dialog.getByText('Outro desconto já tem este código.', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await card.getByRole('button', { name: 'Remover' }).click();
  await dialog.getByRole('button', { name: 'Remover' }).click();
  await page.getByText('Nenhum desconto ainda.').waitFor();
  expect((await panel.call(discountsHttp.list, { query: {} })).rows).toEqual([]);
  await page.close();
});
