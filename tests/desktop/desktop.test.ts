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
/** What the page gets for a path, as its own code would. */
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

// Guarantee: whoever sits at the machine is its owner: no sign-in page, the panel is alive, and neither the page nor
// anything that it can reach holds the credential.
test('the panel opens by itself, signed in and live', async () => {
  await page.locator('#content').waitFor();
  await live().waitFor(patience);
  expect(page.url()).toMatch(/^castellan:\/\/panel\//);
  await page.locator('[data-part="api"]').getByText('Works', { exact: true }).waitFor(patience);
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

// Guarantee: a page is shown our own files alone, whatever path it asks for, and no path turns into an error of ours.
test.each([
  '/../desktop.mjs',
  '/..%2fdesktop.mjs',
  '/..%5cdesktop.mjs',
  '/%2e%2e/desktop.mjs',
  '/assets',
  '/assets/',
  '//index.html',
  '/%',
  '/%00',
  '/index.html%00.js',
  '/api',
])('%s is not found', async (path) => {
  const status = await page.evaluate(`fetch('castellan://panel${path}').then(({ status }) => status)`);
  expect(status).toBe(404);
});

// Guarantee: the page speaks to the API and to nobody else.
test('other addresses are out of reach', async () => {
  const reach = (address: string) =>
    page.evaluate(`fetch(${JSON.stringify(address)}).then(() => 'reached', () => 'refused')`);
  expect(await reach(machine.portal.url)).toBe('refused');
  expect(await reach(`${machine.apiUrl}/api/health`)).toBe('refused');
  expect(await reach('castellan://other/index.html')).toBe('refused');
  expect(await reach('file:///etc/passwd')).toBe('refused');
});

// Guarantee: nothing leads the window elsewhere, opens another one, or gets rights over the machine.
test('navigation, windows and rights are refused', async () => {
  const windows = () => desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
  await page.evaluate(`location.href = '${machine.portal.url}'`);
  for (const address of [machine.portal.url, 'castellan://panel/index.html'])
    expect(await page.evaluate(`open('${address}') === null`)).toBe(true);
  const rights = await page.evaluate(`Promise.all([
    navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
    navigator.permissions.query({ name: 'notifications' }).then(({ state }) => state),
    navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', () => 'denied'),
  ])`);
  expect(rights).toEqual(['denied', 'denied', 'denied']);
  expect(page.url()).toMatch(/^castellan:\/\/panel\//);
  expect(await windows()).toBe(1);
  // Playwright itself would wait for the navigation for ever.
  await page.reload();
  await live().waitFor(patience);
});

// Guarantee: what is no page is never shown as one, though it lies at our own address; to be downloaded it may be.
test('answers of the API are no pages', async () => {
  const isRefused = (address: string) =>
    desktop.app.evaluate(({ BrowserWindow }, to) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return new Promise<boolean>((resolve) => {
        contents?.once('will-frame-navigate', (event) => {
          resolve(event.defaultPrevented);
          event.preventDefault();
        });
        void contents?.executeJavaScript(`location.href = ${JSON.stringify(to)}; undefined`);
      });
    }, address);
  for (const path of ['/api/health', '/api/../api/health', '/%61pi/health', '/icon.svg'])
    expect(await isRefused(`castellan://panel${path}`)).toBe(true);
  expect(await isRefused('castellan://panel/?again')).toBe(false);
  const downloaded = await desktop.app.evaluate(({ BrowserWindow, session }) => {
    const click =
      "Object.assign(document.createElement('a'), { href: '/api/health', download: 'x' }).click()";
    return new Promise<string>((resolve) => {
      session.defaultSession.once('will-download', (event, item) => {
        event.preventDefault();
        resolve(item.getURL());
      });
      void BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(click);
    });
  });
  expect(downloaded).toBe('castellan://panel/api/health');
  // Playwright itself would wait for the navigation for ever.
  await page.reload();
  await live().waitFor(patience);
});

// Guarantee: only the top frame of one of our own pages is heard, and only in the words of the contract.
test('calls from elsewhere and calls of another shape are refused', async () => {
  const foreign = await desktop.app.evaluate(
    async ({ BrowserWindow }, preload) => {
      const window = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await window.loadURL('data:text/html,<title>somebody else</title>');
      const answer = await window.webContents.executeJavaScript("castellan.call('stack.stop', undefined)");
      window.destroy();
      return answer;
    },
    join(machine.programs, 'preload.cjs'),
  );
  expect(foreign).toEqual({ ok: false, message: 'Refused.' });
  const odd = (await page.evaluate(`Promise.all([
    castellan.call('stack.explode'),
    castellan.call('__proto__'),
    castellan.call(7),
    castellan.call('stack.restart', { component: 'everything' }),
    castellan.call('settings.change', { closeToTray: 'yes' }),
  ])`)) as readonly unknown[];
  for (const answer of odd) expect(answer).toMatchObject({ ok: false });
  await untilState(page, 'running');
});

// Guarantee: the tray says what is, and what is chosen there happens; while the API is stopped its answers are problem
// documents, and the page comes right by itself afterwards.
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
  // A page that comes while everything is stopped says so, and is a way to start it.
  await machine.tray.click('Stop everything');
  await untilTray(/^Castellan: stopped/);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Castellan is stopped' }).waitFor();
  await page.getByRole('button', { name: 'Start everything' }).click();
  await live().waitFor(patience);
});

// Guarantee: a part can be restarted by itself, from the tray as from the page.
test('one part is restarted', async () => {
  // The panel is back before the bot, which had no process yet that could be another one afterwards.
  await untilState(page, 'running');
  const pidOf = async (name: string) => {
    const { components } = await askDesktop(page, 'stack.status');
    return components.find((component) => component.name === name)?.pid ?? null;
  };
  const [api, bot] = [await pidOf('api'), await pidOf('bot')];
  await machine.tray.click('Restart Bot');
  await eventually(async () => expect([null, bot]).not.toContain(await pidOf('bot')), patience.timeout);
  expect(await pidOf('api')).toBe(api);
  await page.getByRole('button', { name: 'Restart: API' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await eventually(async () => expect([null, api]).not.toContain(await pidOf('api')), patience.timeout);
  await untilState(page, 'running');
  await live().waitFor(patience);
});

// Guarantee: closing the window stops nothing; the icon, or a second start of the program, brings it back as it was.
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

// Guarantee: a page that crashes is back by itself, where it was; the stack does not notice.
test('the page crashes', async () => {
  await untilState(page, 'running');
  const before = await inPage("castellan.call('stack.status')");
  const crashed = page.waitForEvent('crash');
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer(),
  );
  await crashed;
  await eventually(async () => {
    // Asked of a page that is just gone, there may never be an answer.
    const heading = await Promise.race([inPage("document.querySelector('h1')?.textContent"), delay(2000)]);
    expect(heading).toBe('Players');
  }, patience.timeout);
  const after = await inPage("castellan.call('stack.status')");
  expect(after).toEqual(before);
});

// Guarantee: what gives access waits for the person at this machine: the page cannot confirm by itself, a no in the desktop's
// own dialog leaves everything as it is, and a yes there holds for what the page does next.
test('a step-up is confirmed in a dialog of the desktop', async () => {
  const newKey = (headers = '') =>
    inPage(`fetch('/api/api-keys', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' ${headers} },
      body: JSON.stringify({ name: 'from the desktop', permissions: ['events.read'], expiresInDays: 1 }),
    }).then(async (answer) => [answer.status, (await answer.json()).code ?? null])`);
  const answerWith = (response: number) =>
    desktop.app.evaluate(({ dialog }, chosen) => {
      dialog.showMessageBox = async () => ({ response: chosen, checkboxChecked: false });
    }, response);
  const refused = [403, 'STEP_UP_REQUIRED'];
  expect(await newKey()).toEqual(refused);
  expect(await newKey(", 'Castellan-Confirmation': 'yes'")).toEqual(refused);
  await answerWith(0);
  expect(await inPage("castellan.call('stepUp.confirm')")).toMatchObject({ value: { confirmed: false } });
  expect(await newKey()).toEqual(refused);
  await answerWith(1);
  expect(await inPage("castellan.call('stepUp.confirm')")).toMatchObject({ value: { confirmed: true } });
  expect(await newKey()).toEqual([200, null]);
});

// Guarantee: starting with the computer is off until it is chosen, is the same in the tray and in the page, and leaves
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
  // What could not be done is not ticked.
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

// Guarantee: another program for the same home does not run the stack a second time; it can end it in order.
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
