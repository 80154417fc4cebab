// @module-tag desktop

import { execFile } from 'node:child_process';
import { access, mkdir, open, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askDesktop,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');
/** As much as `untilState` allows for a start, since the stack allows each component as much. */
const patienceMs = 60_000;

let machine: DesktopMachine;
beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
  process.stdout.write(`Electron ${machine.version}\n`);
}, 180_000);
afterAll(async () => {
  await machine?.[Symbol.asyncDispose]();
});

const untilNothingRuns = (desktop: RunningDesktop) =>
  eventually(async () => expect(await desktop.processes()).toEqual([]), patienceMs);
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

// Guarantee: quitting waits for the stack, shows what still runs, disables the tray's actions, and leaves no process.
test('quitting while a part takes its time', async () => {
  await using desktop = await machine.start();
  const page = await desktop.page();
  await untilState(page, 'unlicensed');
  const { components } = await askDesktop(page, 'stack.status');
  const api = components.find(({ name }) => name === 'api')?.pid ?? 0;
  process.kill(api, 'SIGSTOP');
  try {
    await machine.tray.click('Quit and stop everything');
    const dialog = page.getByRole('dialog', { name: 'Castellan is stopping' });
    await dialog.getByText('Discord bot: stopped').waitFor();
    await dialog.getByText('API: Stopping …').waitFor();
    await page.screenshot({ path: join(pictures, 'stopping.png') });
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(/^Castellan is stopping/);
    expect(icon?.menu.filter(({ enabled }) => enabled)).toEqual([]);
  } finally {
    process.kill(api, 'SIGCONT');
  }
  expect(await desktop.ended).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: a start while the program is ending works: the program ends cleanly first, and then the window opens.
test('started again while it stops', async () => {
  const port = await freePort();
  {
    await using desktop = await machine.start();
    const page = await desktop.page();
    await untilState(page, 'unlicensed');
    const { components } = await askDesktop(page, 'stack.status');
    const api = components.find(({ name }) => name === 'api')?.pid ?? 0;
    process.kill(api, 'SIGSTOP');
    try {
      await machine.tray.click('Quit and stop everything');
      await page.getByRole('dialog', { name: 'Castellan is stopping' }).waitFor();
      expect(await machine.startAgain([`--remote-debugging-port=${port}`])).toBe(0);
    } finally {
      process.kill(api, 'SIGCONT');
    }
    expect(await desktop.ended).toBe(0);
  }
  await eventually(async () => {
    const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as { url: string }[];
    expect(pages.map(({ url }) => url)).toContainEqual(expect.stringMatching(/^castellan:\/\/panel\//));
  }, patienceMs);
  await eventually(async () => {
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(/^Castellan: waiting for a license/);
  }, patienceMs);
  await machine.tray.click('Quit and stop everything');
  await eventually(async () => expect(await machine.processes()).toEqual([]), patienceMs);
});

// Guarantee: after an autostart, it stays in the tray until someone opens it; it speaks the user's language.
test('a hidden start, in Portuguese', async () => {
  await using desktop = await machine.start({ args: ['--hidden'], locale: 'pt-BR' });
  await eventually(async () => {
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(/^Castellan: esperando uma licença/);
  }, patienceMs);
  expect(desktop.app.windows()).toEqual([]);
  await machine.tray.activate();
  const page = await desktop.page();
  await page.locator('h1').waitFor();
  await page.screenshot({ path: join(pictures, 'unlicensed-pt-BR.png') });
  expect(await desktop.quit()).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: a click on the icon during the start opens the window as soon as that is possible.
test('clicked too early', async () => {
  // Reading from it blocks until something is written.
  const license = join(machine.home, 'license.json');
  await rm(license, { force: true });
  await promisify(execFile)('mkfifo', [license]);
  await using desktop = await machine.start({ args: ['--hidden'] });
  await eventually(async () => expect(await machine.tray.read()).not.toBeNull(), patienceMs);
  await machine.tray.activate();
  expect(desktop.app.windows()).toEqual([]);
  const writer = await open(license, 'w');
  await rm(license);
  await writer.close();
  await (await desktop.page()).locator('h1').waitFor();
  expect(await desktop.quit()).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: quitting in the middle of a start stops what has started, cleanly.
test('quitting at once', async () => {
  await using desktop = await machine.start();
  expect(await desktop.quit()).toBe(0);
  await untilNothingRuns(desktop);
  expect(await isThere(join(machine.home, 'postgres', 'data', 'postmaster.pid'))).toBe(false);
});

// Guarantee: if closing must not leave anything running, it quits cleanly.
test('closing without a tray', async () => {
  await using desktop = await machine.start();
  const page = await desktop.page();
  await askDesktop(page, 'settings.change', { closeToTray: false });
  await untilState(page, 'unlicensed');
  await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  expect(await desktop.ended).toBe(0);
  await untilNothingRuns(desktop);
});

// Guarantee: a killed desktop leaves no process either, and the next one starts normally.
test('killed', async () => {
  {
    await using desktop = await machine.start();
    await untilState(await desktop.page(), 'unlicensed');
    process.kill(desktop.pid, 'SIGKILL');
    await desktop.ended;
    await untilNothingRuns(desktop);
  }
  await using again = await machine.start();
  await untilState(await again.page(), 'unlicensed');
  expect(await again.quit()).toBe(0);
});
