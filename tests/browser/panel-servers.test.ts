// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { consolePassword, openPanelServers, type PanelServers, patienceMs } from '#harness/panel-servers.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import type { SevenDaysSimulator } from '../simulators/seven-days-simulator.ts';

let servers: PanelServers<TestPanel>;
let panel: TestPanel;
let game: SevenDaysSimulator;
const newServer = (name: string) => servers.newServer(name);
const online = (server: GameServer) => servers.untilOnline(server);

beforeAll(async () => {
  servers = await openPanelServers(openTestPanel);
  ({ panel, game } = servers);
});
afterAll(async () => {
  const faults = [...panel.faults()];
  await servers[Symbol.asyncDispose]();
  expect(faults).toEqual([]);
});

/** A loaded machine takes its time. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: patienceMs });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const line = (page: Page) => page.getByRole('textbox', { name: 'Command', exact: true });
const typed = (page: Page) => line(page).inputValue();

// Guarantee: a wrong password is told before anything is saved, and what was typed is still there to mend.
test('adding a server', async () => {
  const page = await panel.page({ path: '/servers' });
  // An empty list offers it, too.
  await button(page, 'Add a server').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Added by hand');
  await dialog.getByLabel('Game', { exact: true }).selectOption('seven-days-to-die');
  await dialog.getByLabel('Port of the console').fill(String(game.port));
  await dialog.locator('input[type=password]').fill('a wrong one');
  await button(page, 'Add the server').click();
  await dialog.getByText('It does not work yet: Password refused').waitFor();
  const before = await panel.call(gameServersHttp.list, {});
  expect(before.rows.map(({ name }) => name)).not.toContain('Added by hand');

  await dialog.locator('input[type=password]').fill(consolePassword);
  await button(page, 'Add the server').click();
  await page.getByRole('heading', { level: 1, name: 'Added by hand' }).waitFor();
  await page.getByText('Online').first().waitFor();
  await page.close();
});

// Guarantee: a kick is asked for once, and what the game proves about it is said in words.
test('a kick and its verdict', async () => {
  const server = await newServer('Kicking');
  game.world.join('Stayer');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/players` });
  await button(page, 'What to do with Stayer').click({ timeout: patienceMs });
  await page.getByRole('menuitem', { name: 'Kick' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The player is removed from the server').waitFor();
  expect(game.world.named('Stayer')).toBeDefined();
  await dialog.getByRole('textbox').fill('be nice');
  await page.keyboard.press('Enter');
  await dialog.getByText('The game confirms that it was carried out.').waitFor();
  expect(game.world.named('Stayer')).toBeUndefined();
  await page.keyboard.press('Escape');
  await page.getByText('Nobody is on the server').waitFor({ timeout: patienceMs });
  await page.close();
});

// Guarantee: of two tabs that change a server, the later one is told, sees both versions, and loses nothing that was typed.
test('a conflict of two tabs', async () => {
  const server = await newServer('Contested');
  const path = `/servers/${server.id}/settings`;
  const [first, second] = await Promise.all([panel.page({ path }), panel.page({ path })]);
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
  await name(second).fill('Second name');
  await name(first).fill('First name');
  await button(first, 'Save').click();
  await first.getByRole('heading', { level: 1, name: 'First name' }).waitFor();
  await button(second, 'Save').click();
  const alert = second.getByRole('alert').filter({ hasText: 'Somebody else has changed this server' });
  await alert.getByText('First name').waitFor();
  expect(await name(second).inputValue()).toBe('Second name');
  await button(second, 'Save mine').click();
  await second.getByRole('heading', { level: 1, name: 'Second name' }).waitFor();
  await Promise.all([first.close(), second.close()]);
});

// Guarantee: a viewer who opens an admin's address is told what is missing, and is offered nothing that would be refused.
test('a viewer', async () => {
  const server = await newServer('Looked at');
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ as: viewer, path: `/servers/${server.id}/settings` });
  await page.getByText('You may not see this part').waitFor();
  await page.getByRole('tab', { name: 'Console' }).click();
  await page.getByText('You may read this console, but not send commands.').waitFor();
  expect(await line(page).count()).toBe(0);
  await page.goto('/#/servers');
  await page.getByRole('grid', { name: 'Servers' }).waitFor();
  expect(await button(page, 'Add a server').count()).toBe(0);
  await page.goto('/#/servers/no-such-server');
  await page.getByRole('heading', { name: 'There is no such server' }).first().waitFor();
  await page.close();
});

// Guarantee: what is typed in a server's settings is still there after looking elsewhere, until it is saved or undone.
test('settings that were not saved', async () => {
  const server = await newServer('Half changed');
  const page = await panel.page({ path: `/servers/${server.id}/settings` });
  const name = page.getByRole('textbox', { name: 'Name' });
  const port = page.getByRole('textbox', { name: 'Port of the console' });
  await name.fill('Not saved yet');
  await port.fill('');
  await page.getByRole('tab', { name: 'Console' }).click();
  await line(page).waitFor();
  await page.getByRole('link', { name: 'All servers' }).click();
  await page.getByRole('grid', { name: 'Servers' }).getByText('Half changed').click();
  await page.getByRole('tab', { name: 'Settings (not saved)' }).click();
  expect([await name.inputValue(), await port.inputValue()]).toEqual(['Not saved yet', '']);
  await button(page, 'Undo the changes').click();
  await soon(() => name.inputValue()).toBe('Half changed');
  await page.getByRole('tab', { name: 'Settings', exact: true }).waitFor();
  await page.close();
});

// Guarantee: the address of the form opens it, and it leaves the address when it is closed; who may not is told so.
test('the address of a new server', async () => {
  const page = await panel.page({ path: '/servers?new=server' });
  const dialog = page.getByRole('dialog', { name: 'Add a server' });
  await dialog.waitFor();
  await soon(() => dialog.getByLabel('Cluster').inputValue()).not.toBe('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).hash).toBe('#/servers');
  await button(page, 'Add a server').click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await soon(() => page.evaluate('document.activeElement.textContent')).toBe('Add a server');
  await page.close();

  const viewer = await panel.newAdmin({ role: 'viewer' });
  const other = await panel.page({ as: viewer, path: '/servers?new=server' });
  await other.getByText('You may not add a server').waitFor();
  expect(await other.getByRole('dialog').count()).toBe(0);
  await other.close();
});

// Guarantee: a server that somebody else archives says so on its open page, and its console takes nothing more.
test('archived by somebody else', async () => {
  const server = await newServer('Going');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).fill('half a command');
  await panel.call(gameServersHttp.archive, { params: { id: server.id } });
  await page.getByText('This server is in the archive: restore it to send commands.').waitFor();
  expect(await page.getByText('Online', { exact: true }).count()).toBe(0);
  await panel.call(gameServersHttp.restore, { params: { id: server.id } });
  await soon(() => line(page).count()).toBe(1);
  expect(await typed(page)).toBe('half a command');
  await page.close();
});

// Guarantee: who leads one server alone is offered its console, and nothing that belongs to all.
test('a moderator of one server', async () => {
  const mine = await newServer('Mine');
  const others = await newServer('Of others');
  const moderator = await panel.newAdmin({
    role: null,
    serverGrants: [{ serverId: mine.id, role: 'moderator' }],
  });
  const page = await panel.page({ as: moderator, path: `/servers/${mine.id}/console` });
  await line(page).fill('version');
  expect(await page.getByLabel('Also send to').count()).toBe(0);
  await button(page, 'Saved commands').click();
  await page.getByText('No saved command for this game yet.').waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(0);
  await page.goto(`/#/servers/${others.id}/console`);
  await page.getByRole('heading', { name: 'There is no such server' }).first().waitFor();
  await page.goto('/#/servers');
  await page.getByRole('grid', { name: 'Servers' }).getByText('Mine').waitFor();
  expect(await page.getByText('Of others').count()).toBe(0);
  expect(await button(page, 'Add a server').count()).toBe(0);
  await page.close();
});
