import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { playersHttp } from '#contracts/people/players.ts';
import { consoleHttp } from '#contracts/servers/console.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { overflows } from '#harness/browser.ts';
import { expectAccessible, expectEveryLook } from '#harness/every-look.ts';
import { openPanelServers, type PanelServers, patienceMs } from '#harness/panel-servers.ts';
import { openTestPanel, type TestPanel } from '#harness/test-panel.ts';
import type { SevenDaysSimulator } from '#simulators/seven-days-simulator.ts';

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
const log = (page: Page) => page.getByRole('log');
const typed = (page: Page) => line(page).inputValue();

const send = async (page: Page, command: string) => {
  await line(page).fill(command);
  await line(page).press('Enter');
  await soon(() => typed(page)).toBe('');
};

// Guarantee: Enter sends a command, its answer appears in the console and in the history, and a key recalls it.
test('a command and its answer', async () => {
  const server = await newServer('Console');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).and(page.locator(':focus')).waitFor();
  await send(page, 'version');
  await log(page).getByText('version', { exact: true }).waitFor();
  await log(page).getByText('Game version:').waitFor();
  expect(await log(page).getByText('Rejected by the game').count()).toBe(0);
  await send(page, 'no-such-thing');
  await log(page).getByText("unknown command 'no-such-thing'").first().waitFor();
  await log(page).getByText('Rejected by the game').waitFor();
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
  await button(page, 'Open in console').click();
  await soon(() => typed(page)).toBe('version');
  await page.close();
});

// Guarantee: the console does not say that there is nothing before what came earlier has been read.
test('what came before is on its way', async () => {
  const server = await newServer('Slow to open');
  await online(server);
  await panel.call(consoleHttp.run, { body: { serverIds: [server.id], command: 'version' } });
  const page = await panel.page();
  const read = Promise.withResolvers<void>();
  await page.route(`**${consoleHttp.history.path}?*`, async (route) => {
    await read.promise;
    await route.continue();
  });
  await page.goto(`/#/servers/${server.id}/console`);
  await line(page).waitFor();
  await log(page).locator('[data-ghost]').first().waitFor();
  expect(await log(page).getByText('Nothing yet').count()).toBe(0);
  read.resolve();
  await log(page).getByText('version', { exact: true }).waitFor();
  expect(await log(page).locator('[data-ghost]').count()).toBe(0);
  await page.close();
});

// Guarantee: one command goes to several servers at the same time, and the result is shown for each of them.
test('a command for several servers', { tags: ['night'] }, async () => {
  const [one, two] = [await newServer('Several, one'), await newServer('Several, two')];
  await online(one);
  await online(two);
  const page = await panel.page({ path: `/servers/${one.id}/console` });
  await page.getByPlaceholder('Additional servers for your next commands').click();
  await page.getByRole('option', { name: 'Several, two' }).click();
  await page.getByText('Sends to 2 servers').waitFor();
  await page.keyboard.press('Escape');
  await send(page, 'version');
  await soon(() => log(page).getByText('Game version:').count()).toBe(2);
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

// Guarantee: a dialog that is closed while it sends reports afterwards which servers may not have it, until that is read.
test('a dialog that is closed while it sends', { tags: ['night'] }, async () => {
  const [one, two] = [await newServer('Early, one'), await newServer('Early, two')];
  await online(one);
  await online(two);
  const page = await panel.page({ path: '/servers?q=early' });
  const closed = Promise.withResolvers<void>();
  await page.route(`**${playersHttp.broadcast.path.replace(':id', two.id)}`, async (route) => {
    await closed.promise;
    await route.abort();
  });
  for (const name of ['Early, one', 'Early, two'])
    await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').check();
  await page.getByRole('button', { name: /^Broadcast/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill('to one of you');
  await page.keyboard.press('Enter');
  await dialog.getByText('1 of 2 done').waitFor();
  await dialog.locator('form').getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  closed.resolve();
  await page.getByText('Sent to 1 of 2 servers').waitFor();
  await page.getByText(/Not confirmed: .?Early, two/).waitFor();
  await page.close();
});

// Guarantee: a command saved for a game completes with Tab, is shared, and disappears when it is deleted.
test('saved commands', { tags: ['night'] }, async () => {
  const server = await newServer('Saved');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await line(page).fill('listplayers');
  await button(page, 'Saved commands').click();
  await page.getByRole('menuitem', { name: 'Save this command …' }).click();
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

// Guarantee: if two people change a saved command, the later one is told, sees the current value, and loses nothing that was typed.
test('a conflict over a saved command', { tags: ['night'] }, async () => {
  const body = { name: 'Kick', command: 'kick everyone', game: null };
  const { id, version } = await panel.call(consoleHttp.saveCommand, { body });
  const server = await newServer('Contested commands');
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  const form = page.getByRole('dialog');
  await button(page, 'Saved commands').click();
  await page.getByRole('menuitem', { name: 'Manage saved commands …' }).click();
  await button(page, 'Edit: Kick').click();
  await form.getByLabel('Command').fill('kick nobody');
  const theirs = { ...body, version, command: 'kick me', game: 'minecraft' as const };
  await panel.call(consoleHttp.changeSavedCommand, { params: { id }, body: theirs });
  await button(page, 'Save').click();
  const conflict = form.getByRole('alert').filter({ hasText: 'Another person changed this command' });
  await conflict.getByText('kick me').waitFor();
  expect(await form.getByRole('textbox', { name: 'Command' }).inputValue()).toBe('kick nobody');
  await expectAccessible(page);

  await button(page, 'Use their version').click();
  await soon(() => form.getByLabel('Command').inputValue()).toBe('kick me');
  await conflict.waitFor({ state: 'detached' });
  await form.getByLabel('Name').fill('Kick me');
  const later = { ...theirs, version: version + 1, command: 'kick all' };
  await panel.call(consoleHttp.changeSavedCommand, { params: { id }, body: later });
  await page.keyboard.press('Enter');
  await conflict.getByText('kick all').waitFor();
  await button(page, 'Save my version').click();
  await soon(async () => (await panel.call(consoleHttp.savedCommands, {})).rows).toMatchObject([
    { name: 'Kick me', command: 'kick me', game: 'minecraft' },
  ]);
  await panel.call(consoleHttp.removeSavedCommand, { params: { id } });
  await page.close();
});

// Guarantee: HTML, right-to-left text and long words in chat and names are shown as text and displace nothing else.
test('hostile names and chat', { tags: ['night'] }, async () => {
  const html = '<img src=x onerror=alert(1)>';
  const rightToLeft = 'שלום\u202eabc';
  const server = await newServer('Hostile \u202e<b>name</b>');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console`, look: 'phone' });
  await page.getByText('Game output and your commands appear here').waitFor();
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
  const players = page.getByRole('list', { name: 'Online now' });
  await players.getByText(html, { exact: true }).waitFor({ timeout: patienceMs });
  await players.getByText(rightToLeft, { exact: true }).waitFor();
  expect(await page.locator('img[src=x], #content script').count()).toBe(0);
  expect(await overflows(page)).toBe(false);
  expect(dialogs).toBe(0);
  game.world.leave(html);
  game.world.leave(rightToLeft);
  await page.close();
});

// Guarantee: two pasted lines are never joined into one command and are not sent automatically, and the page says so.
test('pasting several lines', { tags: ['night'] }, async () => {
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
  await page.getByText('A command is a single line').waitFor();
  // Enter at the end of a composition chooses a word and sends nothing.
  await line(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
  await line(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true });
  expect(await typed(page)).toBe('say one stop');
  await line(page).fill('version');
  await line(page).press('Enter');
  await log(page).getByText('Game version:').waitFor();
  const { rows } = await panel.call(consoleHttp.history, { query: { serverId: server.id } });
  expect(rows.map(({ command }) => command)).toEqual(['version']);
  await page.close();
});

// Guarantee: the same command, typed again while the first one runs, stays typed when the answer arrives, and is sent once more.
test('the same command twice', { tags: ['night'] }, async () => {
  const server = await newServer('Twice');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  game.quirks.replyDelayMs = 3000;
  await send(page, 'version');
  await line(page).fill('version');
  await log(page).getByText('Game version:').waitFor();
  game.quirks.replyDelayMs = 0;
  await soon(() => page.getByText('Running …').count()).toBe(0);
  expect(await typed(page)).toBe('version');
  await line(page).press('Enter');
  await soon(() => log(page).getByText('Game version:').count()).toBe(2);
  await soon(() => typed(page)).toBe('');
  await page.close();
});

// Guarantee: the console opens with the game's earlier lines, once each and in order, also those received by an API that has ended
// since; a line that the game marks as a warning is shown as one, with a single time.
test('what was said before', { tags: ['night'] }, async () => {
  const server = await newServer('Talkative');
  await online(server);
  game.log.write('2026-03-01T12:00:00 10.5 INF before anyone looked');
  game.log.write('2026-03-01T12:00:01 11.5 WRN the disk is slow');
  const kept = async () => {
    const read = await panel.call(consoleHttp.lines, { params: { serverId: server.id } });
    return read.rows.map(({ text }) => text).join();
  };
  await soon(kept).toContain('the disk is slow');
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  await log(page).getByText('before anyone looked', { exact: true }).waitFor();
  const warning = log(page).locator('[data-severity=warn]');
  await soon(() => warning.allTextContents()).toEqual(['WRN the disk is slow']);
  game.log.write('2026-03-01T12:00:02 12.5 INF while it is looked at');
  await log(page).getByText('while it is looked at', { exact: true }).waitFor();
  expect(await log(page).getByText('before anyone looked').count()).toBe(1);
  await send(page, 'version');
  await log(page).getByText('Game version:').waitFor();
  await send(page, 'giv Otter dirt');
  await log(page).getByText('Rejected by the game').waitFor();
  await expectEveryLook(page, 'console');
  await page.close();
});

// Guarantee: new lines do not move the lines that are being read further up; a button shows their number and jumps to them.
test('reading further up', { tags: ['night'] }, async () => {
  const server = await newServer('Read back');
  await online(server);
  const page = await panel.page({ path: `/servers/${server.id}/console` });
  for (let count = 0; count < 300; count += 1)
    game.log.write(`2026-03-01T12:00:00 10.5 INF filling ${count}.`);
  await log(page).getByText('filling 299.').waitFor();
  const top = () => page.evaluate<number>(`document.querySelector('[role=log]').scrollTop`);
  const end = await top();
  await log(page).hover();
  await page.mouse.wheel(0, -1500);
  const before = end - 1500;
  await soon(top).toBe(before);
  for (let count = 0; count < 3; count += 1) game.log.write(`2026-03-01T12:00:00 10.5 INF later ${count}.`);
  const toEnd = page.getByRole('button', { name: /^\d+ new/ });
  await toEnd.waitFor();
  expect(await log(page).getByText('later').count()).toBe(0);
  expect(await top()).toBe(before);
  await toEnd.click();
  await log(page).getByText('later 2.').waitFor();
  await page.close();
});
