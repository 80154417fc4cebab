import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { axeViolations } from '#harness/browser.ts';
import { areLooksChecked } from '#harness/every-look.ts';
import { consolePassword, openPanelServers, type PanelServers, patienceMs } from '#harness/panel-servers.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import type { SevenDaysSimulator } from '#simulators/seven-days-simulator.ts';
import { startSevenDays } from '#simulators/seven-days-simulator.ts';
import { keyboard, pointer, walkOwnerEvening } from '../../journeys/owner-evening.ts';

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

/** Waits longer, for a loaded machine. */
const soon = <Value>(look: () => Promise<Value> | Value) => expect.poll(look, { timeout: patienceMs });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const line = (page: Page) => page.getByRole('textbox', { name: 'Command', exact: true });
const typed = (page: Page) => line(page).inputValue();

// Guarantee: a wrong password is reported before anything is saved, and the typed values are still there to correct.
test('adding a server', async () => {
  const page = await panel.page({ path: '/servers' });
  // An empty list has the button, too.
  await button(page, 'Add server').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Added by hand');
  await dialog.getByLabel('Game', { exact: true }).selectOption('seven-days-to-die');
  await dialog.getByLabel('Console port').fill(String(game.port));
  await dialog.locator('input[type=password]').fill('a wrong one');
  await dialog.getByRole('button', { name: 'Add server' }).click();
  await dialog.getByText('Connection failed: Wrong password').waitFor();
  const before = await panel.call(gameServersHttp.list, {});
  expect(before.rows.map(({ name }) => name)).not.toContain('Added by hand');

  await dialog.locator('input[type=password]').fill(consolePassword);
  await dialog.getByRole('button', { name: 'Add server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Added by hand' }).waitFor();
  await page.getByText('Online').first().waitFor();
  await page.close();
});

// Guarantee: a kick asks once, and the page says what the game proves about it.
test('a kick and its verdict', async () => {
  const server = await newServer('Kicking');
  game.world.join('Stayer');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/players` });
  await button(page, 'Actions for Stayer').click({ timeout: patienceMs });
  await page.getByRole('menuitem', { name: 'Kick' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The player is removed from the server').waitFor();
  expect(game.world.named('Stayer')).toBeDefined();
  await dialog.getByRole('textbox').fill('be nice');
  await page.keyboard.press('Enter');
  await dialog.getByText('The game confirmed it.').waitFor();
  expect(game.world.named('Stayer')).toBeUndefined();
  await page.keyboard.press('Escape');
  await page.getByText('No players online').waitFor({ timeout: patienceMs });
  await page.close();
});

// Guarantee: if two tabs change a server, the later one is told, sees both versions, and loses nothing that was typed.
test('a conflict of two tabs', { tags: ['night'] }, async () => {
  const server = await newServer('Contested');
  const path = `/servers/${server.id}/settings`;
  const [first, second] = await Promise.all([panel.page({ path }), panel.page({ path })]);
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name' });
  await name(second).fill('Second name');
  await name(first).fill('First name');
  await button(first, 'Save').click();
  await first.getByRole('heading', { level: 1, name: 'First name' }).waitFor();
  await button(second, 'Save').click();
  const alert = second.getByRole('alert').filter({ hasText: 'Another person changed this server' });
  await alert.getByText('First name').waitFor();
  expect(await name(second).inputValue()).toBe('Second name');
  await button(second, 'Save my version').click();
  await second.getByRole('heading', { level: 1, name: 'Second name' }).waitFor();
  await Promise.all([first.close(), second.close()]);
});

// Guarantee: a viewer who opens an admin's address is told which permission is missing, and is offered nothing that would be refused.
test('a viewer', { tags: ['night'] }, async () => {
  const server = await newServer('Looked at');
  const viewer = await panel.newAdmin({ role: 'viewer' });
  const page = await panel.page({ as: viewer, path: `/servers/${server.id}/settings` });
  await page.getByText('You can’t view this section').waitFor();
  await page.getByRole('tab', { name: 'Console' }).click();
  await page.getByText('You can view this console, but not send commands.').waitFor();
  expect(await line(page).count()).toBe(0);
  await page.goto('/#/servers');
  await page.getByRole('grid', { name: 'Servers' }).waitFor();
  expect(await button(page, 'Add server').count()).toBe(0);
  await page.goto('/#/servers/no-such-server');
  await page.getByRole('heading', { name: 'Server not found' }).first().waitFor();
  await page.close();
});

// Guarantee: text typed in a server's settings is still there after visiting another page, until it is saved or undone.
test('settings that were not saved', { tags: ['night'] }, async () => {
  const server = await newServer('Half changed');
  const page = await panel.page({ path: `/servers/${server.id}/settings` });
  const name = page.getByRole('textbox', { name: 'Name' });
  const port = page.getByRole('textbox', { name: 'Console port' });
  await name.fill('Not saved yet');
  await port.fill('');
  await page.getByRole('tab', { name: 'Console' }).click();
  await line(page).waitFor();
  await page.getByRole('link', { name: 'Servers', exact: true }).click();
  await page.getByRole('grid', { name: 'Servers' }).getByText('Half changed').click();
  await page.getByRole('tab', { name: 'Settings (not saved)' }).click();
  expect([await name.inputValue(), await port.inputValue()]).toEqual(['Not saved yet', '']);
  await button(page, 'Discard changes').click();
  await soon(() => name.inputValue()).toBe('Half changed');
  await page.getByRole('tab', { name: 'Settings', exact: true }).waitFor();
  await page.close();
});

// Guarantee: the form's address opens it, and closing it changes the address back; a person without the permission is told so.
test('the address of a new server', { tags: ['night'] }, async () => {
  const page = await panel.page({ path: '/servers?new=server' });
  const dialog = page.getByRole('dialog', { name: 'Add server' });
  await dialog.waitFor();
  await soon(() => dialog.getByLabel('Cluster').inputValue()).not.toBe('');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(new URL(page.url()).hash).toBe('#/servers');
  await button(page, 'Add server').click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await soon(() => page.evaluate('document.activeElement.textContent')).toBe('Add server');
  await page.close();

  const viewer = await panel.newAdmin({ role: 'viewer' });
  const other = await panel.page({ as: viewer, path: '/servers?new=server' });
  await other.getByText('You don’t have permission to add servers').waitFor();
  expect(await other.getByRole('dialog').count()).toBe(0);
  await other.close();
});

// Guarantee: when another admin archives a server, its open page says so, and its console accepts nothing more.
test('archived by somebody else', { tags: ['night'] }, async () => {
  const server = await newServer('Going');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).fill('half a command');
  await panel.call(gameServersHttp.archive, { params: { id: server.id } });
  await page.getByText('This server is archived. Restore it to send commands.').waitFor();
  expect(await page.getByText('Online', { exact: true }).count()).toBe(0);
  await panel.call(gameServersHttp.restore, { params: { id: server.id } });
  await soon(() => line(page).count()).toBe(1);
  expect(await typed(page)).toBe('half a command');
  await page.close();
});

// Guarantee: a person with permissions for one server is offered its console, and nothing that concerns all servers.
test('a moderator of one server', { tags: ['night'] }, async () => {
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
  await page.getByText('No saved commands for this game yet.').waitFor();
  expect(await page.getByRole('menuitem').count()).toBe(0);
  await page.goto(`/#/servers/${others.id}/console`);
  await page.getByRole('heading', { name: 'Server not found' }).first().waitFor();
  await page.goto('/#/servers');
  await page.getByRole('grid', { name: 'Servers' }).getByText('Mine').waitFor();
  expect(await page.getByText('Of others').count()).toBe(0);
  expect(await button(page, 'Add server').count()).toBe(0);
  await page.close();
});

const evening = async (way: 'pointer' | 'keyboard') => {
  await using game = await startSevenDays({ password: consolePassword });
  const page = await panel.page({ as: null });
  const hand = way === 'pointer' ? pointer() : keyboard(page);
  const faults: string[] = [];
  await walkOwnerEvening(page, {
    owner: panel.info.admin,
    game: { port: game.port, password: consolePassword },
    serverName: `Evening by ${way}`,
    moderatorName: `Moderator by ${way}`,
    hand,
    onStep: async (step) => {
      if (!areLooksChecked) return;
      for (const violation of await axeViolations(page)) faults.push(`${step}: ${violation}`);
    },
  });
  expect(faults).toEqual([]);
  expect(hand.count()).toBe(15);
  await page.close();
};

// Guarantee: an owner's first evening needs no more than these clicks, and no click by keyboard.
test("an owner's first evening, by keyboard", { timeout: 180_000 }, () => evening('keyboard'));
test("an owner's first evening, by pointer", { tags: ['night'], timeout: 180_000 }, () => evening('pointer'));
