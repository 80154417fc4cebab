// @module-tag desktop

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';

const resources = new AsyncDisposableStack();
let machine: DesktopMachine;
let desktop: RunningDesktop;
let page: Page;

beforeAll(async () => {
  machine = resources.use(await openDesktopMachine());
  desktop = resources.use(await machine.start());
  page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
}, 180_000);
afterAll(() => resources.disposeAsync());

const untilLive = () =>
  page.getByRole('status').getByText('Live', { exact: true }).waitFor({ timeout: 30_000 });

// Guarantee: a page gets only our own files, no matter which path it requests, and no path causes an error of ours.
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

// Guarantee: the page can talk to the API and to no other host.
test('other addresses are out of reach', async () => {
  const reach = (address: string) =>
    page.evaluate(`fetch(${JSON.stringify(address)}).then(() => 'reached', () => 'refused')`);
  expect(await reach(machine.portal.url)).toBe('refused');
  expect(await reach(`${machine.apiUrl}/api/health`)).toBe('refused');
  expect(await reach('castellan://other/index.html')).toBe('refused');
  expect(await reach('file:///etc/passwd')).toBe('refused');
});

// Guarantee: nothing can navigate the window elsewhere, open another window, or get permissions on the machine.
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
  await untilLive();
});

// Guarantee: an answer that is not a page is never shown as one, even at our own address; it may be downloaded.
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
  await untilLive();
});

// Guarantee: only the top frame of one of our own pages may call the desktop, and only with the contract's messages.
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
  expect(foreign).toEqual({ ok: false, message: 'This page may not control the desktop.' });
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

// Guarantee: granting access waits for the person at this machine: the page cannot confirm by itself, a no in the desktop's
// own dialog leaves everything unchanged, and a yes there applies to what the page does next.
test('a step-up is confirmed in a dialog of the desktop', async () => {
  const newKey = (headers = '') =>
    page.evaluate(`fetch('/api/api-keys', {
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
  expect(await page.evaluate("castellan.call('stepUp.confirm')")).toMatchObject({
    value: { confirmed: false },
  });
  expect(await newKey()).toEqual(refused);
  await answerWith(1);
  expect(await page.evaluate("castellan.call('stepUp.confirm')")).toMatchObject({
    value: { confirmed: true },
  });
  expect(await newKey()).toEqual([200, null]);
});
