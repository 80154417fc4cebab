// @module-tag browser

import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clustersHttp } from '#contracts/clusters.ts';
import { consoleHttp } from '#contracts/console.ts';
import { deliveriesHttp } from '#contracts/deliveries.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { playersHttp } from '#contracts/players.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type ArkSimulator, startArk } from '../simulators/ark-simulator.ts';

const html = '<img src=x onerror="window.wasRun=1">';
const arabic = 'مرحبا بالعالم';
const patienceMs = 60_000;

let panel: TestPanel;
let game: ArkSimulator;
let serverId: string;

/** Once the API has seen them. */
const seen = (name: string, count = 1) =>
  eventually(async () => {
    const { rows } = await panel.call(playersHttp.search, { query: { text: name } });
    const found = rows.filter((player) => player.name === name);
    expect(found).toHaveLength(count);
    return found;
  }, patienceMs);

beforeAll(async () => {
  [panel, game] = await Promise.all([openTestPanel(), startArk()]);
  for (const name of [html, arabic, 'Heron', 'Twin']) game.world.join(name);
  const { id: clusterId } = await panel.call(clustersHttp.create, { body: { name: 'Players' } });
  const { port, password } = game;
  const body = { clusterId, name: 'Marsh', game: game.game as 'ark-asa', host: '127.0.0.1', port, password };
  ({ id: serverId } = await panel.call(gameServersHttp.create, { body }));
  await seen('Twin');
  game.world.leave('Twin');
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

const status = (within: Locator, text: string) => within.getByRole('status').filter({ hasText: text });

// Guarantee: whatever players call themselves is shown as text, and runs nothing.
test('names of any kind stand as they are', async () => {
  const page = await panel.page({ path: '/players' });
  const list = page.getByRole('grid');
  await list.getByText(arabic, { exact: true }).waitFor();
  await list.getByText(html, { exact: true }).click();
  await page.getByRole('heading', { level: 1, name: html }).waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  await page.close();
});

// Guarantee: a player's page names the survivor number of each server with where it is from, as text, in both languages; where
// none is known, or the person may not see it, there is no card.
test('survivor numbers', async () => {
  const [heron] = await seen('Heron');
  const path = `/players/${heron?.id}`;
  const page = await panel.page({ path });
  await page.getByRole('heading', { level: 1, name: 'Heron' }).waitFor();
  const card = page.getByRole('region', { name: 'Survivor numbers' });
  const params = { id: heron?.id ?? '' };
  const read = await panel.call(deliveriesHttp.survivorNumbers, { params });
  expect([read.rows, await card.count()]).toEqual([[], 0]);
  await panel.call(deliveriesHttp.setSurvivorNumber, { params, body: { serverId, number: '4711' } });
  await page.reload();
  await card.getByText('4711').waitFor();
  await card.getByText('set by staff').waitFor();
  await card.getByText('Marsh').waitFor();
  expect(await axeViolations(page)).toEqual([]);

  // An agent names the file that it read, and the file's name comes from the game's machine.
  const told = {
    number: '815',
    source: 'agent',
    foundIn: `SavedArks/${html}`,
    setAt: new Date().toISOString(),
  };
  await page.route('**/survivor-numbers', (route) =>
    route.fulfill({
      json: {
        rows: [
          { serverId, ...told },
          { ...told, serverId: 'gone', number: '816' },
        ],
      },
    }),
  );
  await page.reload();
  await card.getByText('815').waitFor();
  await card.getByText('read by the Game Agent').first().waitFor();
  await card.getByText(html).first().waitFor();
  await card.getByText('816').waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  expect(await axeViolations(page)).toEqual([]);
  await page.close();

  const inPortuguese = await panel.page({ path, locale: 'pt-BR', look: 'phone' });
  await inPortuguese
    .getByRole('region', { name: 'Números do sobrevivente' })
    .getByText('definido pela equipe')
    .waitFor();
  expect(await overflows(inPortuguese)).toBe(false);
  await inPortuguese.close();
  await panel.call(deliveriesHttp.setSurvivorNumber, { params, body: { serverId, number: null } });
});

// Guarantee: two players of one name are two, and told apart by their platform ids.
test('a search finds both of one name', async () => {
  const before = await seen('Twin');
  game.world.join('Twin', { platformId: '0002ffffffffffffffffffffffffffff' });
  await seen('Twin', 2);
  const page = await panel.page({ path: '/players?q=twin' });
  const list = page.getByRole('grid');
  await list.getByText(before[0]?.platformId ?? '', { exact: true }).waitFor();
  await list.getByText('eos:0002ffffffffffffffffffffffffffff', { exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Twin' }).waitFor();
  await page.getByText('eos:0002ffffffffffffffffffffffffffff').waitFor();
  await page.close();
});

// Guarantee: an order says what the game's answer proves, and stands in the console's history.
test('a kick tells what became of it, and the page notices', async () => {
  const [heron] = await seen('Heron');
  const page = await panel.page({ path: `/players/${heron?.id}` });
  const glance = page.getByRole('region', { name: 'At a glance' });
  await glance.getByText('Marsh').waitFor();
  await page.getByRole('button', { name: 'Kick' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason, told to the player').fill('Enough for today');
  await dialog.getByRole('button', { name: 'Kick' }).click();
  await status(dialog, 'Done').waitFor();
  expect(game.world.named('Heron') && game.world.players.some(({ name }) => name === 'Heron')).toBeFalsy();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await glance.getByText('Offline').waitFor({ timeout: patienceMs });
  const { rows } = await panel.call(consoleHttp.history, { query: { serverId } });
  expect(rows[0]).toMatchObject({ outcome: 'answered' });
  expect(rows[0]?.command).toMatch(/^KickPlayer /);
  await page.close();
});

// Guarantee: an order that was not carried out is not said to be done, and its text is kept.
test('a game that is away says so, and nothing typed is lost', async () => {
  const [heron] = await seen('Heron');
  const page = await panel.page({ path: `/players/${heron?.id}` });
  await page.getByRole('button', { name: 'Message' }).click();
  const dialog = page.getByRole('dialog');
  const text = dialog.getByRole('textbox', { name: 'Message' });
  const send = dialog.getByRole('button', { name: 'Send' });
  expect(await send.isDisabled()).toBe(true);
  await text.fill('Welcome back');
  await game.goOffline();
  try {
    await send.click();
    await dialog.getByRole('button', { name: 'Try again' }).waitFor({ timeout: patienceMs });
    expect(await dialog.getByText('Done', { exact: true }).count()).toBe(0);
    expect(await text.inputValue()).toBe('Welcome back');
  } finally {
    await game.comeBack();
  }
  await page.close();
});

// Guarantee: whoever only reads is offered no order.
test('a viewer sees the player and no orders', async () => {
  const [heron] = await seen('Heron');
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ as: viewer, path: `/players/${heron?.id}` });
  await page.getByRole('heading', { level: 1, name: 'Heron' }).waitFor();
  await page.getByRole('region', { name: 'Sessions' }).getByText('Marsh').first().waitFor();
  expect(await page.getByRole('button', { name: /Kick|Message|More orders/ }).count()).toBe(0);
  await page.close();
});

// Guarantee: an address that asks for one server never shows the players of others.
test('a server that is not known here', async () => {
  const page = await panel.page({ path: '/players?server=zzzzzzzzzzzzzzzzzzzzzzzz' });
  await page.getByText('Nothing matches').first().waitFor();
  expect(await page.getByText('Heron', { exact: true }).count()).toBe(0);
  await page.close();
});

test.each(['abc', '999999999', '-1', '..%2Fservers'])('an address without a player: %s', async (id) => {
  const page = await panel.page({ path: `/players/${id}` });
  await page.getByText('There is no such player').waitFor();
  await page.close();
});

test('the dialog of an order has no obstacles', async () => {
  const [heron] = await seen('Heron');
  const page = await panel.page({ path: `/players/${heron?.id}`, look: 'dark phone', locale: 'pt-BR' });
  await page.getByRole('button', { name: 'Mais ordens' }).click();
  await page.getByRole('menuitem', { name: 'Banir' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Banir' }).waitFor();
  const violations = await axeViolations(page);
  expect(violations.filter((line) => !line.startsWith('landmark-'))).toEqual([]);
  // The menu that it was chosen from has gone: what opened that has the focus.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Mais ordens' }).and(page.locator(':focus')).waitFor();
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
