import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bansHttp } from '#contracts/people/bans.ts';
import { playersHttp } from '#contracts/people/players.ts';
import { timelinesHttp } from '#contracts/people/timelines.ts';
import { clustersHttp } from '#contracts/servers/clusters.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { deliveriesHttp } from '#contracts/store/deliveries.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import { eventually } from '#harness/eventually.ts';
import {
  areLooksChecked,
  expectAccessible,
  expectEveryLook,
  lookOfTier,
  prepareLooks,
} from '#harness/every-look.ts';
import { goTo } from '#harness/panel-pages.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import { type ArkSimulator, startArk } from '#simulators/ark-simulator.ts';

const html = '<img src=x onerror="window.wasRun=1">';
const arabic = 'مرحبا بالعالم';
const patienceMs = 60_000;

let panel: TestPanel;
let game: ArkSimulator;
let serverId: string;

/** Resolves once the API has seen the players. */
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

// Guarantee: any player name is shown as text, and runs nothing.
test('names of any kind stand as they are', async () => {
  const page = await panel.page({ path: '/players' });
  const list = page.getByRole('grid');
  await list.getByText(arabic, { exact: true }).waitFor();
  await list.getByText(html, { exact: true }).click();
  await page.getByRole('heading', { level: 1, name: html }).waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  await page.close();
});

// Guarantee: a player's page shows the survivor number of each server with its origin, as text, in both languages; there is no
// card if none is known or if the person may not see it.
test('survivor numbers', { tags: ['night'] }, async () => {
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
  await expectAccessible(page);

  // The agent names the file that it read, so the name comes from the game's machine.
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
  await expectAccessible(page);
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

// Guarantee: two players with the same name are both listed, with their platform ids.
test('a search finds both of one name', { tags: ['night'] }, async () => {
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

// Guarantee: an action shows what the game's answer proves, and is in the console's history.
test('a kick tells what became of it, and the page notices', { tags: ['night'] }, async () => {
  const [heron] = await seen('Heron');
  const page = await panel.page({ path: `/players/${heron?.id}` });
  const presence = page.getByRole('status');
  await presence.getByText(/^(On|Just joined) .*Marsh/).waitFor();
  await page.getByRole('button', { name: 'Moderate' }).click();
  await page.getByRole('menuitem', { name: 'Kick' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason (shown to the player)').fill('Enough for today');
  await dialog.getByRole('button', { name: 'Kick' }).click();
  await status(dialog, 'Done').waitFor();
  expect(game.world.named('Heron') && game.world.players.some(({ name }) => name === 'Heron')).toBeFalsy();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await presence.getByText('Offline').waitFor({ timeout: patienceMs });
  const { rows } = await panel.call(consoleHttp.history, { query: { serverId } });
  expect(rows[0]).toMatchObject({ outcome: 'answered' });
  expect(rows[0]?.command).toMatch(/^KickPlayer /);
  await page.close();
});

// Guarantee: an action that was not carried out is not shown as done, and its text is kept.
test('a game that is away says so, and nothing typed is lost', { tags: ['night'] }, async () => {
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

// Guarantee: a timeline names who did what and why, holds new entries back until requested, and can be filtered by kind.
test('the timeline', { tags: ['night'], timeout: 120_000 }, async () => {
  const [otter] = await seen(arabic);
  const page = await panel.page({ path: `/players/${otter?.id}` });
  await prepareLooks(page);
  const entries = page.getByRole('list', { name: 'Timeline' });
  await entries.getByText(/First seen on .*Marsh/).waitFor();
  game.world.leave(arabic);
  const params = { id: otter?.id ?? '' };
  await eventually(async () => {
    const { rows } = await panel.call(timelinesHttp.ofPlayer, { params, query: {} });
    expect(rows[0]).toMatchObject({ type: 'left' });
  }, patienceMs);
  await panel.call(playersHttp.act, {
    params,
    body: { serverId, action: 'message', text: `${html} no building at spawn` },
  });
  const more = page.getByRole('button', { name: '2 new' });
  await more.waitFor({ timeout: patienceMs });
  expect(await entries.getByText(/^Left/).count()).toBe(0);
  await expectEveryLook(page, 'player-timeline');
  await more.click();
  await entries.getByText(/no building at spawn/).waitFor();
  await entries.getByText(/^Left .*Marsh/).waitFor();
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  await page.getByRole('button', { name: 'Moderation', exact: true }).click();
  await entries.getByText(/^Left .*Marsh/).waitFor({ state: 'detached' });
  await eventually(async () => expect(await entries.getByRole('listitem').count()).toBe(1), patienceMs);
  game.world.join(arabic);
  await page.close();
});

// Guarantee: with several players, each is named with its result, and one who was not reached is never shown as reached.
test('several players at once', { tags: ['night'], timeout: 180_000 }, async () => {
  await seen(html);
  const page = await panel.page({ path: '/players' });
  await prepareLooks(page);
  const list = page.getByRole('grid');
  const row = (name: string) => list.getByRole('row').filter({ hasText: name });
  await eventually(async () => expect(await row(html).getByText('Marsh').count()).toBe(1), patienceMs);
  await eventually(async () => expect(await row(arabic).getByText('Marsh').count()).toBe(1), patienceMs);
  // Another test may have kicked them.
  if (game.world.players.some(({ name }) => name === 'Heron')) game.world.leave('Heron');
  await eventually(async () => expect(await row('Heron').getByText('Offline').count()).toBe(1), patienceMs);
  for (const name of [html, arabic, 'Heron']) await row(name).getByRole('checkbox').check();
  const bar = page.getByRole('region', { name: '3 selected' });
  // Heron is offline and cannot get a message.
  await bar.getByRole('button', { name: 'Message 2 of 3' }).waitFor();
  await expectEveryLook(page, 'players-chosen');
  await bar.getByRole('button', { name: 'Message 2 of 3' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Message' }).fill('Restart in five minutes');
  const [arab] = await seen(arabic);
  await page.route(`**/players/${arab?.id}/actions`, (route) => route.abort());
  await dialog.getByRole('button', { name: 'Send' }).click();
  await dialog.getByText('2 of 2 finished').waitFor({ timeout: patienceMs });
  await dialog.getByRole('listitem').filter({ hasText: arabic }).getByText('No answer').waitFor();
  // ARK's answer proves nothing.
  await dialog.getByRole('listitem').filter({ hasText: html }).getByText('Sent, not confirmed').waitFor();
  await expectEveryLook(page, 'players-told');
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // Banned and undone, each on the servers of their own game.
  await bar.getByRole('button', { name: 'Ban 3' }).click();
  await dialog.getByText('All servers of each player’s game').waitFor();
  await expectEveryLook(page, 'players-ban');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Raid');
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
  await page.getByText('3 players are banned.').hover();
  const active = async () => (await panel.call(bansHttp.list, { query: { state: 'active' } })).rows.length;
  expect(await active()).toBe(3);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('3 players are no longer banned.').waitFor();
  expect(await active()).toBe(0);
  await page.close();
});

// Guarantee: a viewer is offered no action.
test('a viewer sees the player and no orders', { tags: ['night'] }, async () => {
  const [heron] = await seen('Heron');
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ as: viewer, path: `/players/${heron?.id}` });
  await page.getByRole('heading', { level: 1, name: 'Heron' }).waitFor();
  await page.getByRole('list', { name: 'Timeline' }).getByText(/Marsh/).first().waitFor();
  // What a viewer may not see elsewhere is not shown here either.
  const kinds = page.getByRole('group', { name: 'Show' });
  await kinds.getByRole('button', { name: 'Chat' }).waitFor();
  expect(await kinds.getByRole('button', { name: /Store|Points|Accounts|Staff/ }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /Moderate|Message/ }).count()).toBe(0);
  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByRole('region', { name: 'Sessions' }).getByText('Marsh').first().waitFor();
  await page.close();
});

// Guarantee: an address with one server never shows the players of others.
test('a server that is not known here', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/players?server=zzzzzzzzzzzzzzzzzzzzzzzz' });
  await page.getByText('Nothing matches').first().waitFor();
  expect(await page.getByText('Heron', { exact: true }).count()).toBe(0);
  await page.close();
});

test('addresses without a player', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/players' });
  for (const id of ['abc', '999999999', '-1', '..%2Fservers']) {
    await goTo(page, `/players/${id}`);
    await page.getByText('Player not found').waitFor();
  }
  await page.close();
});

test('the dialog of an order has no obstacles', { tags: ['night'] }, async () => {
  const [heron] = await seen('Heron');
  const page = await panel.page({
    path: `/players/${heron?.id}`,
    look: lookOfTier('dark phone'),
    locale: 'pt-BR',
  });
  await page.getByRole('button', { name: 'Moderar' }).click();
  await page.getByRole('menuitem', { name: 'Banir', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Banir' }).waitFor();
  if (areLooksChecked) {
    const violations = await axeViolations(page);
    expect(violations.filter((line) => !line.startsWith('landmark-'))).toEqual([]);
  }
  // The menu is gone, so the focus returns to the element that opened it.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Moderar' }).and(page.locator(':focus')).waitFor();
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
