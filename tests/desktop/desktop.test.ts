// @module-tag desktop

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askDesktop, untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import {
  asked,
  desktop,
  isSeen,
  live,
  machine,
  page,
  patience,
  pictures,
  untilSeen,
  untilTray,
} from './licensed-desktop.ts';

// Guarantee: the person at the machine is its owner: no sign-in page, the panel is live, and neither the page nor
// anything that it can reach holds the credential.
test('the panel opens by itself, signed in and live', async () => {
  await page.locator('#content').waitFor();
  await live().waitFor(patience);
  expect(page.url()).toMatch(/^castellan:\/\/panel\//);
  await page.locator('[data-part="api"]').getByText('Working', { exact: true }).waitFor(patience);
  expect(await asked('/api/me')).toMatchObject({ status: 200, body: { kind: 'desktop', account: null } });
  expect(await page.evaluate('[document.cookie, typeof process, typeof require]')).toEqual([
    '',
    'undefined',
    'undefined',
  ]);
  expect(await page.evaluate('Object.keys(castellan).sort()')).toEqual([
    'call',
    'isWindows',
    'liveOrigin',
    'on',
  ]);
  await page.screenshot({ path: join(pictures, 'overview.png') });
});

// Guarantee: the tray shows the current state, and its entries work; while the API is stopped its answers are problem
// documents, and the page offers to start it and recovers by itself.
test('stopped and started from the tray', async () => {
  const running = await untilTray(/^Castellan: running$/);
  await machine.tray.click('Stop everything');
  const stopped = await untilTray(/^Castellan: stopped/);
  expect(stopped?.pixels).not.toBe(running?.pixels);
  const can = Object.fromEntries((stopped?.menu ?? []).map(({ label, enabled }) => [label, enabled]));
  expect(can).toMatchObject({ 'Start everything': true, 'Stop everything': false, 'Restart API': false });
  const away = await asked('/api/me');
  expect(away).toMatchObject({
    status: 503,
    type: 'application/problem+json',
    body: { code: 'API_UNAVAILABLE', detail: 'api is stopped' },
  });
  await page.screenshot({ path: join(pictures, 'stopped.png') });
  // A page that opens while everything is stopped says so, and offers to start it.
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Castellan is stopped' }).waitFor();
  await page.getByRole('button', { name: 'Start Castellan' }).click();
  await live().waitFor(patience);
  expect((await untilTray(/^Castellan: running$/))?.pixels).toBe(running?.pixels);
});

// Guarantee: a single component can be restarted, from the tray and from the page.
test('one part is restarted', { tags: 'night' }, async () => {
  // The panel is back before the bot, which has no process yet whose replacement the test could see.
  await untilState(page, 'running');
  const pidOf = async (name: string) => {
    const { components } = await askDesktop(page, 'stack.status');
    return components.find((component) => component.name === name)?.pid ?? null;
  };
  const [api, bot] = [await pidOf('api'), await pidOf('bot')];
  await machine.tray.click('Restart Bot');
  await eventually(async () => expect([null, bot]).not.toContain(await pidOf('bot')), patience.timeout);
  expect(await pidOf('api')).toBe(api);
  await page.evaluate("location.hash = '#/computer/diagnostics'");
  await page.getByRole('button', { name: 'Restart: API' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await eventually(async () => expect([null, api]).not.toContain(await pidOf('api')), patience.timeout);
  await untilState(page, 'running');
  await live().waitFor(patience);
});

// Guarantee: closing the window stops nothing; the icon, or a second start of the program, brings it back unchanged.
test('to the tray and back', async () => {
  await page.evaluate("location.hash = '#/players'");
  const close = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await close();
  await untilSeen(false);
  await untilTray(/^Castellan: running$/);
  await machine.tray.activate();
  await untilSeen(true);
  await close();
  await untilSeen(false);
  await machine.tray.click('Open Castellan');
  await untilSeen(true);
  await close();
  expect(await machine.startAgain(['--hidden'])).toBe(0);
  expect(await isSeen()).toBe(false);
  expect(await machine.startAgain()).toBe(0);
  await untilSeen(true);
  expect(desktop.app.windows()).toHaveLength(1);
  expect(page.url()).toMatch(/#\/players$/);
});

// Guarantee: another program for the same data folder does not run the stack a second time; it can stop it cleanly.
test('castellan stop ends the desktop, and nothing is left', async () => {
  expect((await desktop.processes()).length).toBeGreaterThan(5);
  const stop = spawn(
    process.execPath,
    [join(machine.programs, 'castellan.mjs'), 'stop', '--home', machine.home],
    {
      stdio: 'ignore',
    },
  );
  expect((await once(stop, 'exit'))[0]).toBe(0);
  expect(await desktop.ended).toBe(0);
  await eventually(async () => expect(await desktop.processes()).toEqual([]), patience.timeout);
  await eventually(async () => expect(await machine.tray.read()).toBeNull());
  expect(await readdir(join(machine.home, 'postgres', 'data'))).not.toContain('postmaster.pid');
});
