// @module-tag desktop

import { once } from 'node:events';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, overflows } from '#harness/browser.ts';
import {
  askDesktop,
  beLicensed,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { type Discord, startDiscord, usualBot } from '#simulators/discord/discord.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');
const guildId = '222222222222222222';
const resources = new AsyncDisposableStack();

let machine: DesktopMachine;
let discord: Discord;
let desktop: RunningDesktop;
let page: Page;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  discord = resources.use(await startDiscord());
  discord.addGuild('The Keep', { id: guildId });
  machine = resources.use(await openDesktopMachine());
  desktop = resources.use(await machine.start());
  page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
  await page.evaluate("location.hash = '#/computer/network'");
  await page.getByRole('heading', { name: 'Network access' }).waitFor();
}, 180_000);
afterAll(() => resources.disposeAsync());

const picture = (name: string) =>
  page.screenshot({ path: join(pictures, `network-${name}.png`), fullPage: true });
const click = (name: string) => page.getByRole('button', { name, exact: true }).click();
const env = async () => parseEnv(await readFile(join(machine.home, '.env'), 'utf8'));
const apiPort = () => page.getByLabel('Panel port');
const state = () => askDesktop(page, 'network.state');
/** A changed port loads a new page; the test looks at the final one. */
const changed = (outcome: string) =>
  eventually(async () => {
    const found = desktop.app.windows().at(-1);
    if (!found) throw new Error('no window');
    const { isChanging, news } = await askDesktop(found, 'network.state');
    if (isChanging || news?.outcome !== outcome) throw new Error(JSON.stringify(news));
    page = found;
    return news;
  }, 90_000);

// Guarantee: a taken port is reported with its owner before anything is changed.
test('a taken port', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const before = await env();
  await apiPort().fill(String(port));
  await click('Apply');
  await page.getByText(`Port ${port} is in use by`).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await picture('taken');
  expect(await env()).toEqual(before);
  // Another program takes the port after the check: the setting is restored, and everything runs as before.
  const { postgresPort } = await state();
  const asked = { apiPort: port, postgresPort, isOpen: false };
  // The page may go away before it gets its answer.
  await askDesktop(page, 'network.change', asked).catch(() => undefined);
  const news = await changed('undone');
  blocker.close();
  expect(news).toMatchObject({ detail: expect.stringContaining(String(port)) });
  expect(await env()).toMatchObject({ API_PORT: before.API_PORT, DATABASE_URL: before.DATABASE_URL });
}, 120_000);

// Guarantee: changed ports and access from other machines take effect, the page follows, and the file's other lines stay
// unchanged.
test('other ports, and open to others', async () => {
  await untilState(page, 'running');
  await page.getByText('The new settings failed').waitFor();
  await picture('undone');
  const before = await env();
  const wanted = { api: await freePort(), postgres: await freePort() };
  await apiPort().fill(String(wanted.api));
  await page.getByLabel('Database port').fill(String(wanted.postgres));
  await page.getByRole('switch', { name: 'Allow access from other computers' }).click();
  await page.getByText('passwords are sent unencrypted').waitFor();
  await click('Apply');
  await changed('done');
  await page.getByText('Settings applied.').waitFor({ timeout: 60_000 });
  await untilState(page, 'running');
  const { API_PORT, API_HOST, DATABASE_URL = '', ...others } = await env();
  expect({ API_PORT, API_HOST }).toEqual({ API_PORT: String(wanted.api), API_HOST: '0.0.0.0' });
  expect(new URL(DATABASE_URL).port).toBe(String(wanted.postgres));
  expect(before).toMatchObject(others);
  expect(await state()).toMatchObject({ isOpen: true, apiPort: wanted.api, firewall: null });
  expect((await fetch(`http://127.0.0.1:${wanted.api}/api/setup`)).status).toBe(200);
  expect(await axeViolations(page)).toEqual([]);
  await picture('open');
}, 180_000);

// Guarantee: one click moves the bot's settings from .env into the database; they no longer override it, and no page shows them.
test('the bot leaves .env', async () => {
  const path = join(machine.home, '.env');
  const given = { DISCORD_BOT_TOKEN: usualBot.token, GUILD_ID: guildId, DISCORD_API_URL: discord.apiUrl };
  await appendFile(
    path,
    Object.entries(given)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  await askDesktop(page, 'stack.restart', {});
  await untilState(page, 'running');
  await page.evaluate("location.hash = '#/discord'");
  await page.getByText('The token is set in the .env file').waitFor();
  await picture('bot-env');
  await click('Manage here instead');
  await page.getByRole('textbox', { name: 'Bot token' }).waitFor({ timeout: 60_000 });
  await page.getByText('Set', { exact: true }).waitFor();
  expect(await page.getByLabel('Discord server ID').inputValue()).toBe(guildId);
  const left = await env();
  expect([left.DISCORD_BOT_TOKEN, left.GUILD_ID]).toEqual([undefined, undefined]);
  expect(await page.content()).not.toContain(usualBot.token);
  await picture('bot');
}, 180_000);

// Guarantee: the sections are readable in the dark scheme and in a small window.
test('how it looks', async () => {
  for (const section of ['network', 'data']) {
    await page.evaluate(`location.hash = '#/computer/${section}'`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 360, height: 740 });
      await page.locator('#content section').first().waitFor();
      expect(await overflows(page)).toBe(false);
      await picture(`${section}-${colorScheme}-phone`);
      await page.setViewportSize({ width: 1100, height: 800 });
      expect(await axeViolations(page)).toEqual([]);
      await picture(`${section}-${colorScheme}`);
    }
  }
}, 120_000);
