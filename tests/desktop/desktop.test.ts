// @module-tag desktop

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');

let machine: DesktopMachine;
let desktop: RunningDesktop;
let page: Page;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
  process.stdout.write(`Electron ${machine.version}\n`);
  desktop = await machine.start();
  page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
}, 180_000);

afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

const patience = { timeout: 30_000 };
const live = () => page.getByRole('status').getByText('Live', { exact: true });
const isSeen = () =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible()));
/** The answer that the page's own code would get for a path. */
const asked = (path: string) =>
  page.evaluate(`(async () => {
    const response = await fetch('${path}');
    return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
  })()`);
/** Runs a script in the page, also after a crash, which playwright counts as its end. */
const inPage = (script: string): Promise<unknown> =>
  desktop.app.evaluate(
    ({ BrowserWindow }, text) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(text),
    script,
  );
const untilSeen = (wanted: boolean) =>
  eventually(async () => expect(await isSeen()).toBe(wanted), patience.timeout);
const untilTray = (tooltip: string | RegExp) =>
  eventually(async () => {
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(tooltip);
    return icon;
  }, patience.timeout);

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
// documents, and the page recovers by itself afterwards.
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
  await machine.tray.click('Start everything');
  const again = await untilTray(/^Castellan: running$/);
  expect(again?.pixels).toBe(running?.pixels);
  await live().waitFor(patience);
  // A page that opens while everything is stopped says so, and offers to start it.
  await machine.tray.click('Stop everything');
  await untilTray(/^Castellan: stopped/);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Castellan is stopped' }).waitFor();
  await page.getByRole('button', { name: 'Start Castellan' }).click();
  await live().waitFor(patience);
});

// Guarantee: a single component can be restarted, from the tray and from the page.
test('one part is restarted', async () => {
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

// Guarantee: an entry of the jump list reaches the running program through a start that ends immediately; anything that is not
// one of its entries only opens the window.
test('the jump list', async () => {
  await untilState(page, 'running');
  expect(await machine.startAgain(['--do=stop'])).toBe(0);
  await untilTray(/^Castellan: stopped/);
  expect(await machine.startAgain(['--do=start'])).toBe(0);
  await untilTray(/^Castellan: running$/);
  await desktop.app.evaluate(({ BrowserWindow, shell }) => {
    BrowserWindow.getAllWindows()[0]?.close();
    Object.assign(globalThis, { opened: [] });
    shell.openPath = async (path) => {
      (globalThis as unknown as { opened: string[] }).opened.push(path);
      return '';
    };
  });
  await untilSeen(false);
  expect(await machine.startAgain(['--do=logs'])).toBe(0);
  await eventually(async () =>
    expect(await desktop.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([
      join(machine.home, 'logs'),
    ]),
  );
  expect(await isSeen()).toBe(false);
  expect(await machine.startAgain(['--do=explode'])).toBe(0);
  await untilSeen(true);
  await live().waitFor(patience);
});

// Guarantee: the frame, menus and dialogs follow the page's color scheme, immediately and at the next start.
test('the frame follows the theme', async () => {
  const look = () =>
    desktop.app.evaluate(({ BrowserWindow, nativeTheme }) => [
      nativeTheme.themeSource,
      BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase(),
    ]);
  const choose = (theme: string) =>
    inPage(`castellan.call('theme.choose', { theme: ${JSON.stringify(theme)} })`);
  expect((await look())[0]).toBe('system');
  await choose('dark');
  await eventually(async () => expect(await look()).toEqual(['dark', '#0e1116']));
  const kept = join(machine.config, 'Castellan', 'desktop.json');
  await eventually(async () =>
    expect(JSON.parse(await readFile(kept, 'utf8'))).toMatchObject({ theme: 'dark' }),
  );
  await choose('light');
  await eventually(async () => expect(await look()).toEqual(['light', '#f7f8fa']));
  await choose('auto');
  await eventually(async () => expect((await look())[0]).toBe('system'));
  expect(await choose('neon')).toMatchObject({ ok: false });
  // As a person chooses it in the panel.
  await inPage("localStorage.setItem('mantine-color-scheme-value', 'dark'); location.reload()");
  await eventually(async () => expect((await look())[0]).toBe('dark'), patience.timeout);
  await inPage("localStorage.removeItem('mantine-color-scheme-value'); location.reload()");
  await eventually(async () => expect((await look())[0]).toBe('system'), patience.timeout);
  await live().waitFor(patience);
});

// Guarantee: a window that would be off the screen, or larger than it, opens completely on the screen.
test('the window stays on its screen', async () => {
  const bounds = () =>
    desktop.app.evaluate(({ BrowserWindow, screen }) => ({
      window: BrowserWindow.getAllWindows()[0]?.getBounds() ?? null,
      area: screen.getPrimaryDisplay().workArea,
    }));
  const before = await bounds();
  await desktop.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0];
    window?.hide();
    window?.setBounds({ x: -5000, y: 40, width: 1000, height: 700 });
  });
  expect(await machine.startAgain()).toBe(0);
  await untilSeen(true);
  await eventually(async () => {
    const { window, area } = await bounds();
    expect(window?.x).toBeGreaterThanOrEqual(area.x);
    expect((window?.x ?? 0) + (window?.width ?? 0)).toBeLessThanOrEqual(area.x + area.width);
  });
  await desktop.app.evaluate(
    ({ BrowserWindow }, place) => place && BrowserWindow.getAllWindows()[0]?.setBounds(place),
    before.window,
  );
});

// Guarantee: a crashed page comes back by itself at the same place; the stack does not notice.
test('the page crashes', async () => {
  await untilState(page, 'running');
  const before = await inPage("castellan.call('stack.status')");
  const crashed = page.waitForEvent('crash');
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await crashed;
  await eventually(async () => {
    // A page that has just gone may never answer.
    const heading = await Promise.race([inPage("document.querySelector('h1')?.textContent"), delay(2000)]);
    expect(heading).toBe('Players');
  }, patience.timeout);
  const after = await inPage("castellan.call('stack.status')");
  expect(after).toEqual(before);
});

// Guarantee: starting with the computer is off until someone turns it on, is the same in the tray and on the page, and leaves
// nothing behind when it is turned off.
test('autostart', async () => {
  const folder = join(machine.config, 'autostart');
  const isTicked = async () =>
    (await machine.tray.read())?.menu.find(({ label }) => label === 'Start with this computer')?.checked;
  expect(await isTicked()).toBe(false);
  await machine.tray.click('Start with this computer');
  await eventually(async () => expect(await isTicked()).toBe(true));
  expect(await readFile(join(folder, 'castellan.desktop'), 'utf8')).toMatch(
    /^Exec=".*electron" .*"--hidden"$/m,
  );
  await inPage("castellan.call('settings.change', { autostart: false })");
  await eventually(async () => expect(await isTicked()).toBe(false));
  expect(await readdir(folder)).toEqual([]);
  // A failed change is not ticked.
  await rm(folder, { recursive: true });
  await writeFile(folder, '');
  await desktop.app.evaluate(({ dialog }) => {
    const told = new Promise<string>((resolve) => {
      dialog.showMessageBox = async (...args: readonly unknown[]) => {
        resolve(JSON.stringify(args));
        return { response: 0, checkboxChecked: false };
      };
    });
    Object.assign(globalThis, { told });
  });
  await machine.tray.click('Start with this computer');
  const told = await desktop.app.evaluate(() => (globalThis as { told?: Promise<string> }).told);
  expect(told).toContain('That did not work');
  await eventually(async () => expect(await isTicked()).toBe(false));
  expect(await inPage("castellan.call('settings.read')")).toMatchObject({ value: { autostart: false } });
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
