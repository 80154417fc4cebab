// @module-tag desktop

import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');

let machine: DesktopMachine;
let desktop: RunningDesktop | undefined;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
}, 240_000);
afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

const start = async (locale: string): Promise<Page> => {
  desktop = await machine.start({ locale });
  return desktop.page();
};
const occupy = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
};
const apiPort = async () => {
  const { API_PORT } = parseEnv(await readFile(join(machine.home, '.env'), 'utf8'));
  return Number(API_PORT);
};

/** Mantine's variant for the second button of a page; the primary one has none. */
const secondary = 'default';

// Guarantee: a port that is taken at a later start costs one click, on the primary button, which Tab reaches before the
// other: the stack then runs on a free port, which `.env` names.
test('use another port instead', async () => {
  const taken = await apiPort();
  const blocker = await occupy(taken);
  const page = await start('en-US');
  const button = page.getByRole('button', { name: /^Use \d+ instead$/ });
  await button.waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
    await page.screenshot({ path: join(pictures, `taken-port-${colorScheme}.png`), fullPage: true });
  }
  expect(await button.getAttribute('data-variant')).not.toBe(secondary);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  expect(await again.getAttribute('data-variant')).toBe(secondary);
  const reached = [];
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press('Tab');
    reached.push(await page.locator(':focus').textContent());
  }
  // The first two are the menus for colors and languages at the top of the page.
  expect(reached.slice(2)).toEqual([await button.textContent(), 'Try again']);
  const offered = Number(/\d+/.exec((await button.textContent()) ?? '')?.[0]);
  expect(offered).not.toBe(taken);
  // A changed port loads a new page: this one may be gone before the click completes.
  await button.click().catch((error: Error) => expect(error.message).toContain('has been closed'));
  const panel = await eventually(async () => {
    const found = desktop?.windows().at(-1);
    if (!found) throw new Error('no window');
    const { isChanging, news } = await askDesktop(found, 'network.state');
    if (isChanging || news?.outcome !== 'done') throw new Error(JSON.stringify(news));
    return found;
  }, 60_000);
  await beLicensed(panel, machine.licenseKey);
  expect(await apiPort()).toBe(offered);
  expect((await fetch(`http://127.0.0.1:${offered}/api/setup`)).status).toBe(200);
  blocker.close();
  await desktop?.quit();
}, 180_000);

// Guarantee: the offer disappears when the port becomes free, and the stack is back on it.
test('the port becomes free', async () => {
  const kept = await apiPort();
  const blocker = await occupy(kept);
  const page = await start('pt-BR');
  const button = page.getByRole('button', { name: /^Usar a \d+$/ });
  await button.waitFor();
  blocker.close();
  await button.waitFor({ state: 'detached' });
  await untilState(page, 'running');
  expect(await apiPort()).toBe(kept);
  await desktop?.quit();
}, 120_000);
