// @module-tag browser

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleHttp } from '#contracts/console.ts';
import type { GameServer } from '#contracts/game-servers.ts';
import { axeViolations, overflows } from '#harness/browser.ts';
import { openPanelServers, type PanelServers, patienceMs } from '#harness/panel-servers.ts';
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
const log = (page: Page) => page.getByRole('log');
const typed = (page: Page) => line(page).inputValue();

const send = async (page: Page, command: string) => {
  await line(page).fill(command);
  await line(page).press('Enter');
  await soon(() => typed(page)).toBe('');
};

// Guarantee: a command is sent by Enter, its answer stands in the console and in the history, and it is recalled by a key.
test('a command and its answer', async () => {
  const server = await newServer('Console');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await send(page, 'version');
  await log(page).getByText('version', { exact: true }).waitFor();
  await log(page).getByText('Answered', { exact: true }).waitFor();
  await send(page, 'no-such-thing');
  await log(page).getByText("unknown command 'no-such-thing'").first().waitFor();
  await line(page).press('ArrowUp');
  await soon(() => typed(page)).toBe('no-such-thing');
  await line(page).press('ArrowUp');
  await soon(() => typed(page)).toBe('version');
  await line(page).press('ArrowDown');
  await line(page).press('ArrowDown');
  await soon(() => typed(page)).toBe('');

  await line(page).press('Control+l');
  await soon(() => log(page).getByText('version', { exact: true }).count()).toBe(0);
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('gridcell', { name: 'version' }).click();
  await button(page, 'Put it into the console again').click();
  await soon(() => typed(page)).toBe('version');
  await page.close();
});

// Guarantee: one command goes to several servers at once, and what came of it is shown for each of them.
test('a command for several servers', async () => {
  const [one, two] = [await newServer('Several, one'), await newServer('Several, two')];
  await online(one);
  await online(two);
  const page = await panel.page({ path: `/servers/${one.id}/console` });
  await page.getByPlaceholder('More servers for the next commands').click();
  await page.getByRole('option', { name: 'Several, two' }).click();
  await page.getByText('Goes to 2 servers').waitFor();
  await page.keyboard.press('Escape');
  await send(page, 'version');
  await soon(() => log(page).getByText('Answered', { exact: true }).count()).toBe(2);
  await log(page).getByText('Several, two').waitFor();

  await page.goto('/#/servers?q=several');
  await page.getByRole('row').filter({ hasText: 'Several, one' }).getByRole('checkbox').check();
  await page.getByRole('row').filter({ hasText: 'Several, two' }).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Broadcast/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('to both of you');
  await page.keyboard.press('Enter');
  await dialog.getByText('2 of 2 done').waitFor();
  expect(game.world.messages.filter(({ text }) => text.includes('to both of you'))).toHaveLength(2);
  await page.close();
});

// Guarantee: a command saved for a game completes by Tab, is shared, and goes when it is deleted.
test('saved commands', async () => {
  const server = await newServer('Saved');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).fill('listplayers');
  await button(page, 'Saved commands').click();
  await page.getByRole('menuitem', { name: 'Save what is typed …' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Who is here');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await line(page).fill('who');
  await page.getByText('completes to').waitFor();
  await line(page).press('Tab');
  await soon(() => typed(page)).toBe('listplayers');
  await button(page, 'Saved commands').click();
  await page.getByRole('menuitem', { name: 'Manage saved commands …' }).click();
  await button(page, 'Delete: Who is here').click();
  await button(page, 'Delete').click();
  await soon(async () => (await panel.call(consoleHttp.savedCommands, {})).rows).toEqual([]);
  await page.close();
});

// Guarantee: of two who change a saved command, the later one is told, sees what it is now, and loses nothing that was typed.
test('a conflict over a saved command', async () => {
  const body = { name: 'Kick', command: 'kick everyone', game: null };
  const { id, version } = await panel.call(consoleHttp.saveCommand, { body });
  const server = await newServer('Contested commands');
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  const form = page.getByRole('dialog');
  await button(page, 'Saved commands').click();
  await page.getByRole('menuitem', { name: 'Manage saved commands …' }).click();
  await button(page, 'Change: Kick').click();
  await form.getByLabel('Command').fill('kick nobody');
  const theirs = { ...body, version, command: 'kick me', game: 'minecraft' as const };
  await panel.call(consoleHttp.changeSavedCommand, { params: { id }, body: theirs });
  await button(page, 'Save').click();
  const conflict = form.getByRole('alert').filter({ hasText: 'Somebody else has changed it' });
  await conflict.getByText('kick me').waitFor();
  expect(await form.getByLabel('Command').inputValue()).toBe('kick nobody');
  expect(await axeViolations(page)).toEqual([]);

  await button(page, 'Take theirs').click();
  await soon(() => form.getByLabel('Command').inputValue()).toBe('kick me');
  await conflict.waitFor({ state: 'detached' });
  await form.getByLabel('Name').fill('Kick me');
  const later = { ...theirs, version: version + 1, command: 'kick all' };
  await panel.call(consoleHttp.changeSavedCommand, { params: { id }, body: later });
  await page.keyboard.press('Enter');
  await conflict.getByText('kick all').waitFor();
  await button(page, 'Save mine').click();
  await soon(async () => (await panel.call(consoleHttp.savedCommands, {})).rows).toMatchObject([
    { name: 'Kick me', command: 'kick me', game: 'minecraft' },
  ]);
  await panel.call(consoleHttp.removeSavedCommand, { params: { id } });
  await page.close();
});

// Guarantee: HTML, right-to-left text and long words in chat and names are shown as text and move nothing else.
test('hostile names and chat', async () => {
  const html = '<img src=x onerror=alert(1)>';
  const rightToLeft = 'שלום\u202eabc';
  const server = await newServer('Hostile \u202e<b>name</b>');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console`, look: 'phone' });
  await page.getByText('What the game writes and what you send stands here').waitFor();
  let dialogs = 0;
  page.on('dialog', (dialog) => {
    dialogs += 1;
    void dialog.dismiss();
  });
  game.world.join(html);
  game.world.join(rightToLeft);
  await soon(async () => {
    game.world.chat(html, `<script>alert(1)</script> ${'long'.repeat(80)}`);
    game.world.chat(rightToLeft, 'טוב מאוד');
    return log(page).getByText('<script>alert(1)</script>').count();
  }).toBeGreaterThan(0);
  await log(page).getByText('טוב מאוד').first().waitFor();
  expect(await overflows(page)).toBe(false);

  await page.getByRole('tab', { name: 'Players' }).click();
  const players = page.getByRole('list', { name: 'On the server now' });
  await players.getByText(html, { exact: true }).waitFor({ timeout: patienceMs });
  await players.getByText(rightToLeft, { exact: true }).waitFor();
  expect(await page.locator('img[src=x], #content script').count()).toBe(0);
  expect(await overflows(page)).toBe(false);
  expect(dialogs).toBe(0);
  game.world.leave(html);
  game.world.leave(rightToLeft);
  await page.close();
});

// Guarantee: two lines that are pasted are never one other command, are not sent by themselves, and it is said.
test('pasting several lines', async () => {
  const server = await newServer('Pasted into');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).focus();
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'say one\\r\\nstop\\n');
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(paste);
  })()`);
  await soon(() => typed(page)).toBe('say one stop');
  await page.getByText('A command is one line').waitFor();
  // Enter that ends a composition chooses a word; it sends nothing.
  await line(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  await line(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
  expect(await typed(page)).toBe('say one stop');
  await line(page).fill('version');
  await line(page).press('Enter');
  await log(page).getByText('Answered', { exact: true }).waitFor();
  const { rows } = await panel.call(consoleHttp.history, { query: { serverId: server.id } });
  expect(rows.map(({ command }) => command)).toEqual(['version']);
  await page.close();
});

// Guarantee: the same command typed again while the first one runs stays typed when the answer comes, and goes out once more.
test('the same command twice', async () => {
  const server = await newServer('Twice');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  game.quirks.replyDelayMs = 3000;
  await send(page, 'version');
  await line(page).fill('version');
  await log(page).getByText('Answered', { exact: true }).waitFor();
  game.quirks.replyDelayMs = 0;
  await soon(() => page.getByText('Running …').count()).toBe(0);
  expect(await typed(page)).toBe('version');
  await line(page).press('Enter');
  await soon(() => log(page).getByText('Answered', { exact: true }).count()).toBe(2);
  await soon(() => typed(page)).toBe('');
  await page.close();
});
