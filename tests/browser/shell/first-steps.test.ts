// @module-tag identity

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { membersHttp } from '#contracts/people/members.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import { gameServersHttp } from '#contracts/servers/game-servers.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { downloadedText } from '#harness/browser.ts';
import { openPanel, type Panel } from '#harness/panel.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startMinecraft } from '#simulators/minecraft-simulator.ts';
import { startAgentProcess } from '../../../agent/testing/agent-process.ts';

const patienceMs = 60_000;

let panel: Panel;
let game: Awaited<ReturnType<typeof startMinecraft>>;
beforeAll(async () => {
  [panel, game] = await Promise.all([openPanel({ bare: true }), startMinecraft()]);
}, 180_000);
afterAll(async () => {
  await panel?.[Symbol.asyncDispose]();
  await game?.[Symbol.asyncDispose]();
});

const step = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const isDone = (page: Page, name: string) =>
  step(page, name).getByText('Done', { exact: true }).waitFor({ timeout: patienceMs });

// Guarantee: a person who may change nothing is told so, and only existing things are ticked.
test('a viewer of an empty installation', async () => {
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ as: viewer, path: '/first-steps' });
  await page.getByText('1 of 9 steps done').waitFor();
  await page.getByText('You don’t have permission for this step').waitFor();
  expect(await page.getByRole('button', { name: 'Create cluster' }).count()).toBe(0);
  await page.close();
});

// Guarantee: the guide alone leads from nothing to an answered command, a connected agent and a delivered item, and ticks the
// steps that are done.
test('from nothing to a first delivered item', async () => {
  const page = await panel.page({ path: '/first-steps' });
  await page.getByText('1 of 9 steps done').waitFor();
  await page.getByLabel('Cluster name').fill('North');
  await page.getByRole('button', { name: 'Create cluster' }).press('Enter');
  await isDone(page, 'Create a cluster');
  // For keyboard users the focus moves to the start of the next step, and closing it loses nothing.
  const toggle = page.getByRole('button', { name: '3. Add a game server' });
  await toggle.and(page.locator(':focus')).waitFor();

  const port = page.getByLabel('Console port');
  await page.getByLabel('Server name').fill('Harbour');
  await port.fill('');
  expect(await port.inputValue()).toBe('');
  await port.fill(String(game.port));
  await toggle.click();
  await port.waitFor({ state: 'hidden' });
  await toggle.click();
  expect(await page.getByLabel('Server name').inputValue()).toBe('Harbour');
  await page.getByLabel('Console password').fill('not the password');
  await page.getByRole('button', { name: 'Add server' }).click();
  await isDone(page, 'Add a game server');
  await step(page, 'Bring the server online').getByText('Offline').waitFor({ timeout: patienceMs });

  const { rows } = await panel.call(gameServersHttp.list, {});
  const harbour = rows[0];
  if (!harbour) throw new Error('the server was not made');
  const { id, version } = harbour;
  const body = { version, password: game.password };
  await panel.call(gameServersHttp.change, { params: { id }, body });
  await isDone(page, 'Bring the server online');

  await page.getByRole('button', { name: 'Send command' }).click();
  await step(page, 'Send a first command').getByText('players online').waitFor();
  await isDone(page, 'Send a first command');
  const history = await panel.call(consoleHttp.history, { query: { outcome: 'answered' } });
  expect(history.rows.map(({ command }) => command)).toEqual(['list']);

  await step(page, 'Connect a Game Agent').getByRole('link', { name: 'Harbour' }).click();
  await page.getByRole('tab', { name: 'Manual' }).click();
  await page.getByText('Waiting for the Game Agent').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const template = await downloadedText(download);
  const secret = /^GAME_AGENT_SECRET=(.+)$/m.exec(await readFile(join(panel.info.home, '.env'), 'utf8'))?.[1];
  if (!secret) throw new Error('.env has no GAME_AGENT_SECRET');
  expect(template).not.toContain(secret);
  await using folder = await temporaryFolder('panel-agent');
  const file = join(folder.path, 'config.json');
  const filled = template.replace('<shared secret>', secret).replace('<console password>', game.password);
  await writeFile(file, filled, { mode: 0o600 });
  await using _agent = startAgentProcess('--config', file);
  await page.getByText('Game Agent connected').waitFor({ timeout: patienceMs });

  await page.goBack();
  await isDone(page, 'Connect a Game Agent');
  await page.getByText('6 of 9 steps done').waitFor();

  await page.getByLabel('Product name').fill('Welcome bread');
  await page.getByLabel('Item', { exact: false }).first().fill('bread');
  await page.getByRole('option', { name: 'Bread' }).first().click();
  await page.getByRole('button', { name: 'Create product' }).click();
  await isDone(page, 'Create a product');
  const { rows: products } = await panel.call(storeHttp.products, { query: {} });
  expect(products).toMatchObject([{ name: 'Welcome bread', price: 10, isEnabled: true }]);

  await page.getByText('No one has joined yet').first().waitFor();
  game.world.join('Steve');
  await page.getByRole('button', { name: 'Give points', exact: true }).click({ timeout: patienceMs });
  await isDone(page, 'Give points to a member');

  await page.getByRole('button', { name: 'Place order' }).click();
  await isDone(page, 'Deliver a first item');
  expect(game.world.given).toMatchObject([{ player: 'Steve', quantity: 1 }]);
  const { rows: members } = await panel.call(membersHttp.search, { query: {} });
  expect(members).toMatchObject([{ name: 'Steve', balance: 90 }]);
  await page.getByRole('heading', { name: 'All done' }).waitFor({ timeout: patienceMs });
  await page.getByText('9 of 9 steps done').waitFor();
  await page.close();
});

// Guarantee: for a refused agent the page says why and what to do, in the reader's language.
test('a refused agent is told of on its page', { tags: ['night'] }, async () => {
  const { rows } = await panel.call(gameServersHttp.list, {});
  const clusterId = rows[0]?.clusterId ?? '';
  const lost = { clusterId, name: '<b>Lost</b> $(reboot)', game: 'minecraft', host: null } as const;
  const { id } = await panel.call(gameServersHttp.create, { body: lost });
  const page = await panel.page({ path: `/agents/${id}`, locale: 'pt-BR' });
  await page.getByRole('tab', { name: 'Manual' }).click();
  // A name with shell syntax is not put into a command.
  await page.getByText(`castellan agent config ${id}`).waitFor();
  const template = await page.getByRole('region', { name: 'Modelo do config.json' }).textContent();
  await using folder = await temporaryFolder('panel-agent');
  const file = join(folder.path, 'config.json');
  await writeFile(file, (template ?? '').replace('<segredo compartilhado>', 'not the shared secret'), {
    mode: 0o600,
  });
  await using _agent = startAgentProcess('--config', file);
  await page
    .getByText('Última conexão rejeitada: Agente de jogo não verificado')
    .waitFor({ timeout: patienceMs });
  await page.close();
});

// Guarantee: replacing an agent asks first and says what it does; the key is gone afterwards.
test('an agent is replaced', { tags: ['night'] }, async () => {
  const { rows } = await panel.call(gameServersHttp.list, {});
  const harbour = rows.find(({ name }) => name === 'Harbour');
  const page = await panel.page({ path: `/agents/${harbour?.id}` });
  await page.getByRole('button', { name: 'Replace Game Agent' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('forgets its key').waitFor();
  await dialog.getByRole('button', { name: 'Replace Game Agent' }).click();
  await page.getByText('None. The next Game Agent with the shared secret is accepted.').waitFor();
  await page.close();
});

test('no page has failed', () => expect(panel.faults()).toEqual([]));
