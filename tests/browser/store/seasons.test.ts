import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reasons } from '#contracts/kernel/reasons.ts';
import { membersHttp } from '#contracts/people/members.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { ordersHttp } from '#contracts/store/orders.ts';
import { seasonsHttp } from '#contracts/store/seasons.ts';
import { type Product, productDraft } from '#contracts/store/store.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { eventually } from '#harness/eventually.ts';
import { expectEveryLook, prepareLooks } from '#harness/every-look.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';

const patienceMs = 60_000;
let panel: TestPanel;
let game: MinecraftSimulator;

const memberNamed = (name: string): Promise<string> =>
  eventually(async () => {
    const { rows } = await panel.call(membersHttp.search, { query: { text: name } });
    const found = rows.find((member) => member.name === name);
    if (!found) throw new Error(`${name} is no member yet`);
    return found.id;
  }, patienceMs);
const newProduct = (name: string, more: object): Promise<Product> =>
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
/** Buys a product and waits until it is delivered. */
const hasBought = async (memberId: string, productId: string) => {
  const { id } = await panel.call(ordersHttp.place, { body: { memberId, lines: [{ productId }] } });
  await eventually(async () => {
    const { progress } = await panel.call(ordersHttp.read, { params: { id } });
    if (progress !== 'done') throw new Error(`the order is ${progress}`);
  }, patienceMs);
};
const balanceOf = async (id: string) => (await panel.call(membersHttp.read, { params: { id } })).balance;
const looksWell = async (page: Page, name: string) => await expectEveryLook(page, name);

let heron: string;
let otter: string;
beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startMinecraft()]);
  for (const name of ['Heron', 'Otter']) game.world.join(name);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'North' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Harbour', game: 'minecraft' as const, host: '127.0.0.1', port, password };
  await panel.call(gameServersHttp.create, { body });
  [heron, otter] = [await memberNamed('Heron'), await memberNamed('Otter')];
  for (const id of [heron, otter])
    await panel.call(membersHttp.grant, {
      params: { id },
      body: { kind: 'grant', points: 500, note: '' },
    });
}, 180_000);
afterAll(async () => {
  const faults = [...(panel?.faults() ?? [])];
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

// Guarantee: the pages alone lead an owner from a product's rule to the end of a season; what the preview shows happens, and is
// accessible in both languages and themes and at the width of a phone.
test('an owner begins a season', async () => {
  const kit = await newProduct('Starter kit', {});
  const daily = await newProduct('Daily crate', { limits: { perMember: 1 } });
  const gone = await newProduct('Old crown', { onWipe: 'regrant' });
  for (const product of [kit, gone]) await hasBought(heron, product.id);
  await hasBought(otter, kit.id);
  await hasBought(otter, daily.id);
  await panel.call(storeHttp.archive, {
    params: { id: gone.id },
    body: { version: gone.version, archived: true },
  });

  const page = await panel.page({ path: `/store/${kit.id}` });
  await prepareLooks(page);
  await page.getByLabel(/^Restore after a wipe/).check();
  await page.getByLabel('Most restored per member', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved Starter kit').waitFor();

  await page.goto(`${new URL(page.url()).origin}/#/seasons`);
  await page.getByText('No seasons yet').waitFor();
  await looksWell(page, 'seasons-empty');
  await page.getByRole('button', { name: 'New season' }).first().click();
  const begin = page.getByRole('button', { name: 'Start season' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Winter');
  await page.getByRole('combobox', { name: 'Points' }).selectOption('keep');
  await page.getByLabel('Percentage that members keep').fill('50');
  await page.getByLabel('Purchase limits').getByLabel('Daily crate').check();
  await page.getByLabel('English').fill('A new season has begun!');
  await page.getByText('removed from 2 members').waitFor();
  await page.getByText('Not restored', { exact: true }).waitFor();
  expect(await begin.isDisabled()).toBe(true);
  await page.getByLabel('Type “Winter” to start').fill('Winter');
  await looksWell(page, 'seasons-new');

  // An order arrives in between, which hinders nothing. Another product is restored, too: the page says so, and shows what is new.
  let isFirst = true;
  await page.route('**/api/seasons', async (route) => {
    if (isFirst && route.request().method() === 'POST') {
      isFirst = false;
      await hasBought(otter, kit.id);
      await panel.call(storeHttp.onWipe, { body: { ids: [daily.id], onWipe: 'regrant' } });
    }
    await route.continue();
  });
  await begin.click();
  await page.getByText('restored products or limits changed').waitFor({ timeout: patienceMs });
  await page.getByRole('row', { name: 'Daily crate' }).waitFor();
  await page
    .getByRole('row', { name: 'Starter kit' })
    .getByRole('cell', { name: '3', exact: true })
    .waitFor();
  const restored = page.getByRole('group', { name: 'Restored purchases' });
  await restored.getByLabel('Daily crate').uncheck();
  await page.getByText('1 of 2 products restored after a wipe').waitFor();
  await page.getByRole('row', { name: 'Daily crate' }).waitFor({ state: 'detached' });
  await begin.click();
  await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
  await page.getByRole('button', { name: 'Undo season' }).waitFor({ timeout: patienceMs });
  expect(await balanceOf(heron)).toBe(240);
  const { rows } = await panel.call(seasonsHttp.list, { query: {} });
  expect(rows[0]).toMatchObject({ name: 'Winter', state: 'done', pieces: 3, members: 2 });
  await looksWell(page, 'season-done');
  await page.goto(`${new URL(page.url()).origin}/#/seasons`);
  await page.getByText('Winter').waitFor();
  await looksWell(page, 'seasons-list');
  await page.close();
}, 240_000);

// Guarantee: a wipe in the future is refused at its field, and a season that is blocked by another one says so, both in the
// reader's language.
test('a season is refused in Portuguese', async () => {
  const page = await panel.page({ path: '/seasons/new', locale: 'pt-BR' });
  const wiped = page.getByLabel('Momento do wipe');
  const begin = page.getByRole('button', { name: 'Iniciar temporada' });
  await wiped.fill('2999-01-01T00:00');
  await page.getByText('O momento do wipe está no futuro.', { exact: true }).waitFor();
  expect(await wiped.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText('Algo não é válido').count()).toBe(0);
  expect(await begin.isDisabled()).toBe(true);
  await wiped.fill('');
  await page.getByRole('textbox', { name: 'Nome', exact: true }).fill('Verão');
  await page.getByLabel('Digite “Verão” para iniciar').fill('Verão');

  await page.route('**/api/seasons', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const [code, detail] = ['CONFLICT', reasons['season-busy']('Winter')];
    const json = { type: `urn:castellan:problem:${code}`, title: code, status: 409, code, detail };
    return route.fulfill({ status: 409, contentType: 'application/problem+json', json });
  });
  await begin.click();
  const said = 'A temporada “Winter” ainda está em andamento. Espere até que termine.';
  await page.getByText(said, { exact: true }).waitFor();
  expect(await page.getByText('mudaram desde a sua prévia').count()).toBe(0);
  await page.close();
}, 120_000);

// Guarantee: a member who has received something of a season prevents its undo and is named; an untouched season can be undone.
test('an owner undoes a season', { tags: ['night'], timeout: 180_000 }, async () => {
  const { rows } = await panel.call(seasonsHttp.list, { query: {} });
  const page = await panel.page({ path: `/seasons/${rows[0]?.id}` });
  await prepareLooks(page);
  await eventually(async () => {
    const { isPossible } = await panel.call(seasonsHttp.previewUndo, { params: { id: rows[0]?.id ?? '' } });
    if (isPossible) throw new Error('nothing has arrived yet');
  }, patienceMs);
  await page.getByRole('button', { name: 'Undo season' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('This season can’t be undone').waitFor();
  await dialog.getByText('has received a restored item').first().waitFor();
  await looksWell(page, 'season-undo-refused');
  await page.keyboard.press('Escape');
  await page.close();

  const plan = {
    game: 'minecraft' as const,
    balances: { kind: 'cap' as const, most: 0, whose: 'everyone' as const },
  };
  for (const name of ['Heron', 'Otter']) game.world.leave(name);
  const before = await balanceOf(heron);
  const id = await eventually(async () => {
    const { digest } = await panel.call(seasonsHttp.preview, { body: plan });
    return (await panel.call(seasonsHttp.begin, { body: { ...plan, name: 'Spring', digest } })).id;
  }, patienceMs);
  const other = await panel.page({ path: `/seasons/${id}` });
  await prepareLooks(other);
  await other.getByRole('button', { name: 'Undo season' }).click();
  await other.getByRole('dialog').getByText('This withdraws', { exact: false }).waitFor();
  await looksWell(other, 'season-undo');
  await other.getByRole('dialog').getByRole('button', { name: 'Undo season' }).click();
  await other.getByText('Undone by').waitFor({ timeout: patienceMs });
  expect(await balanceOf(heron)).toBe(before);
  await other.close();
});

// Guarantee: the page asks to give by hand only what was left out, never what is retried, says how much is not listed, and says
// that the rest is done only once the season is.
test('an owner sees what a season could not do', { tags: ['night'], timeout: 120_000 }, async () => {
  const { rows } = await panel.call(seasonsHttp.list, { query: {} });
  const done = rows.find(({ name }) => name === 'Winter');
  const page = await panel.page({ path: '/seasons' });
  await prepareLooks(page);
  const step = { kind: 'regrant', memberId: heron, memberName: 'Heron', productName: 'Starter kit' };
  const hindered = [
    { ...step, state: 'waiting', detail: 'not yet', reason: null },
    { ...step, state: 'skipped', detail: 'never', reason: null },
  ];
  let state = 'running';
  await page.route(`**/api/seasons/${done?.id}`, async (route) => {
    const response = await route.fetch();
    const season = await response.json();
    const hinderedSteps = { waiting: 1, skipped: 240 };
    await route.fulfill({ response, json: { ...season, state, hindered, hinderedSteps } });
  });
  await page.goto(`${new URL(page.url()).origin}/#/seasons/${done?.id}`);
  const [retried, leftOut] = [
    page.getByRole('region', { name: 'Retrying: 1' }),
    page.getByRole('region', { name: 'Skipped: 240' }),
  ];
  await retried.getByText('Don’t deliver these manually').waitFor();
  await leftOut.getByText('You can deliver these manually').waitFor();
  await leftOut.getByText('The first 1 of 240').waitFor();
  expect(await page.getByText('Everything else is done').count()).toBe(0);
  await looksWell(page, 'season-running');
  state = 'done';
  await leftOut.getByText('Everything else is done').waitFor({ timeout: patienceMs });
  await looksWell(page, 'season-hindered');
  await page.close();
});
