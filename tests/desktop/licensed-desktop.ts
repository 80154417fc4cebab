import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';

/** A licensed desktop in a real Electron on a screen of its own, for the tests of one file. */

export const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');

export let machine: DesktopMachine;
export let desktop: RunningDesktop;
export let page: Page;

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

export const patience = { timeout: 30_000 };
export const live = () => page.getByRole('status').getByText('Live', { exact: true });
export const isSeen = () =>
  desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((one) => one.isVisible()));
/** The answer that the page's own code would get for a path. */
export const asked = (path: string) =>
  page.evaluate(`(async () => {
    const response = await fetch('${path}');
    return { status: response.status, type: response.headers.get('content-type'), body: await response.json() };
  })()`);
/** Runs a script in the page, also after a crash, which playwright counts as its end. */
export const inPage = (script: string): Promise<unknown> =>
  desktop.app.evaluate(
    ({ BrowserWindow }, text) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(text),
    script,
  );
export const untilSeen = (wanted: boolean) =>
  eventually(async () => expect(await isSeen()).toBe(wanted), patience.timeout);
export const untilTray = (tooltip: string | RegExp) =>
  eventually(async () => {
    const icon = await machine.tray.read();
    expect(icon?.tooltip).toMatch(tooltip);
    return icon;
  }, patience.timeout);
