import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint, EndpointBody } from '#contracts/kernel/http.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { discountDraft, discountsHttp } from '#contracts/store/discounts.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { rewardsHttp } from '#contracts/store/rewards.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { shopsHttp } from '#contracts/storefronts/shops.ts';
import { eventually } from '#harness/eventually.ts';
import { expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { goTo, settle } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { ask } from '../../../server/kernel/testing/ask.ts';
import { call } from '../../../server/kernel/testing/call.ts';
import { testDesktopCredential } from '../../../server/kernel/testing/test-api.ts';
import { genericPaid } from '../../../server/storefronts/shops/testing/documented-events.ts';
import { type MinecraftSimulator, startMinecraft } from '../../simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
const secret = new Secret('the-secret-of-our-site');
let panel: TestPanel;
let game: MinecraftSimulator;
let page: Page;

const port = () => Number(new URL(panel.info.apiUrl).port);
/** Makes calls that need a step-up as the owner of the machine. */
const asOwner = async <E extends Endpoint>(
  endpoint: E,
  body: EndpointBody<E>,
  params: Record<string, string> = {},
) => {
  const answer = await call(port(), endpoint, { as: testDesktopCredential, params, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
};
const memberNamed = (name: string): Promise<string> =>
  eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: name } });
    const found = rows.find((member) => member.name === name);
    if (!found) throw new Error(`${name} is no member yet`);
    return found.id;
  }, patienceMs);
const newProduct = (name: string, more: object = {}): Promise<Product> =>
  panel.call(storeHttp.create, {
    body: productDraft.parse({
      name,
      price: 10,
      game: 'minecraft',
      lines: [{ kind: 'item', item: 'minecraft:diamond', quantity: 1 }],
      isEnabled: true,
      ...more,
    }),
  });
const buys = (memberId: string, productId: string, quantity = 1) =>
  panel.call(ordersHttp.place, { body: { memberId, lines: [{ productId, quantity }] } });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const looksWell = async (name: string) => {
  await settle(page);
  await expectEveryLook(page, name);
};

let heron: string;
let bundle: Product;
beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  for (const name of ['Heron', 'Otter', 'Kingfisher']) game.world.join(name);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { password } = game;
  const body = {
    clusterId,
    name: 'Harbour',
    game: 'minecraft' as const,
    host: '127.0.0.1',
    port: game.port,
    password,
  };
  await panel.call(gameServersHttp.create, { body });
  heron = await memberNamed('Heron');
  const otter = await memberNamed('Otter');
  for (const id of [heron, otter])
    await panel.call(membersHttp.grant, {
      params: { id },
      body: { kind: 'grant', points: 12_500, note: 'Prize of the building contest' },
    });
  const sword = await newProduct('Sword', { category: 'Tools', price: 120, stock: 40 });
  const bread = await newProduct('Bread for a week', {
    category: 'Supplies',
    priceSchedule: [{ price: 7, from: inDays(-1), until: inDays(6) }],
  });
  const rank = await newProduct('VIP for 30 days', {
    category: 'Ranks',
    price: 900,
    limits: { perMember: 3 },
    lines: [
      {
        kind: 'command',
        command: 'whitelist add {player}',
        needsPlayer: false,
        counterCommand: 'whitelist remove {player}',
        lasts: { key: 'rank:vip', seconds: 30 * 86_400, extends: true },
      },
    ],
  });
  bundle = await newProduct('Everything for the first night in a new world', {
    category: 'Supplies',
    price: 200,
    onWipe: 'regrant',
    regrantMost: 2,
    lines: [
      { kind: 'product', productId: sword.id, quantity: 1 },
      { kind: 'product', productId: bread.id, quantity: 3 },
    ],
  });
  for (const [who, what, pieces] of [
    [heron, sword, 2],
    [heron, bread, 5],
    [heron, rank, 1],
    [otter, bundle, 1],
    [otter, bread, 12],
  ] as const)
    await buys(who, what.id, pieces);
  for (const draft of [
    { name: 'Weekend', off: { kind: 'percent', percent: 20 }, validUntil: inDays(2) },
    { name: 'Friends of the server', off: { kind: 'points', points: 5 }, code: 'FRIENDS', mostUses: 100 },
    { name: 'Long past', off: { kind: 'percent', percent: 50 }, validUntil: inDays(-20), mostPerMember: 1 },
  ])
    await panel.call(discountsHttp.create, { body: discountDraft.parse(draft) });
  for (const [name, terms] of [
    ['Playing', { kind: 'interval', points: 10, minutes: 30, mostPerDay: 100 }],
    ['Welcome', { kind: 'first-visit', points: 250 }],
    ['Every day', { kind: 'daily', points: 20, streakPoints: 5, streakDays: 6 }],
  ] as const)
    await asOwner(rewardsHttp.createRule, { name, isEnabled: name !== 'Welcome', terms });
  await asOwner(rewardsHttp.createBatch, {
    name: 'Summer party',
    points: 500,
    count: 4,
    validUntil: inDays(30),
  });
  await asOwner(rewardsHttp.createBatch, { name: 'Stream', points: 50, code: 'STREAM-2026', mostUses: 1000 });
  const shop = await asOwner(shopsHttp.create, {
    name: 'Our site',
    kind: 'generic',
    game: 'minecraft',
    allowsNames: true,
    secret: secret.reveal(),
  });
  const shopParams = { id: String(shop.id) };
  await asOwner(
    shopsHttp.setProducts,
    { version: Number(shop.version), products: [{ key: 'vip', productId: rank.id, quantity: 1 }] },
    shopParams,
  );
  for (const [id, product, receiver] of [
    ['web-2041', 'vip', { game: 'minecraft', name: 'Heron' }],
    ['web-2042', 'castle', { game: 'minecraft', name: 'Otter' }],
    ['web-2043', 'vip', undefined],
    ['web-2044', 'vip', { game: 'minecraft', name: 'Pelican' }],
  ] as const) {
    const text = JSON.stringify(genericPaid(id, [{ product, quantity: 1 }], receiver));
    const headers = {
      'Content-Type': 'application/json',
      'Castellan-Signature': signed(text, new Date(), secret),
    };
    const { status } = await ask(port(), String(shop.path), { method: 'POST', headers, body: text });
    expect(status).toBe(200);
  }
  page = await panel.page({ path: '/store' });
  await prepareLooks(page);
}, 180_000);
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

// Guarantee: every page of the storefront, with content, is accessible in both languages and themes and on a phone.
test.each([
  ['store', '/store', 'VIP for 30 days'],
  ['store-order', '/store/order', 'VIP for 30 days'],
  ['discounts', '/discounts', 'Weekend'],
  ['rewards', '/rewards', 'Summer party'],
  ['shops', '/shops', 'web-2043'],
  ['sales', '/sales', 'Bread for a week'],
  ['orders', '/orders', 'Otter'],
])('%s', async (name, path, text) => {
  await goTo(page, path);
  await page.getByText(text).first().waitFor();
  await looksWell(name);
});

test('the form of a product', async () => {
  await goTo(page, `/store/${bundle.id}`);
  await page.getByText('Price schedule').first().waitFor();
  await looksWell('product-bundle');
  const { rows } = await panel.call(storeHttp.products, { query: {} });
  for (const [name, wanted] of [
    ['product-schedule', 'Bread for a week'],
    ['product-lasting', 'VIP for 30 days'],
  ] as const) {
    await goTo(page, `/store/${rows.find((product) => product.name === wanted)?.id}`);
    await page.getByRole('heading', { level: 1, name: wanted }).waitFor();
    await looksWell(name);
  }
});

test('what a member has', async () => {
  await goTo(page, `/members/${heron}/lasting`);
  await page.getByText('rank:vip').first().waitFor();
  await looksWell('member-entitlements');
  await page.getByRole('button', { name: 'End now: rank:vip' }).click();
  await page.getByRole('dialog').waitFor();
  await looksWell('member-end-entitlement');
  await page.keyboard.press('Escape');
});

test('the settings of the chat shop', async () => {
  await goTo(page, '/settings');
  await page.getByRole('link', { name: 'Shop in the chat of games' }).click();
  await page.getByRole('heading', { name: 'Shop in the chat of games' }).waitFor();
  await looksWell('settings-chat-shop');
});

test('a product that is moved', async () => {
  await goTo(page, '/store/order');
  await page.getByRole('button', { name: 'Move Bread for a week' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await looksWell('store-order-lifted');
  await page.keyboard.press('Escape');
});

test('codes', async () => {
  await goTo(page, '/rewards');
  await page
    .getByRole('region', { name: 'Summer party' })
    .getByRole('button', { name: 'Show codes' })
    .click();
  await page.getByRole('table', { name: 'Codes of Summer party' }).getByRole('row').nth(4).waitFor();
  await looksWell('reward-codes');
  await page.keyboard.press('Escape');
});

test('orders and the desk', async () => {
  const { rows } = await panel.call(ordersHttp.list, { query: {} });
  await goTo(page, `/orders/${rows[0]?.id}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await looksWell('order');
  await goTo(page, '/desk');
  await looksWell('desk');
});

test('dialogs', async () => {
  for (const [path, button, name] of [
    ['/discounts', 'New discount', 'discount-new'],
    ['/rewards', 'New rule', 'reward-rule-new'],
    ['/rewards', 'Create codes', 'reward-codes-new'],
    ['/shops', 'Add shop', 'shop-new'],
    ['/shops', 'Products', 'shop-products'],
    ['/shops', 'Secrets', 'shop-secrets'],
    ['/shops', 'Choose member', 'shop-receiver'],
    ['/shops', 'Assign products', 'shop-assign'],
    ['/shops', 'Dismiss', 'shop-set-aside'],
  ] as const) {
    await goTo(page, path);
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').waitFor();
    if (name === 'shop-assign')
      expect(
        await page.getByRole('group', { name: 'Assignment 2' }).getByRole('textbox').first().inputValue(),
      ).toBe('castle');
    await looksWell(name);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }
});
