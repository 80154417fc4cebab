// @module-tag desktop

import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations } from '#harness/browser.ts';
import {
  askDesktop,
  type DesktopMachine,
  openDesktopMachine,
  type RunningDesktop,
  untilState,
} from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { unzip } from '#harness/unzip.ts';
import { keyFingerprint, readPublicKey } from '#runtime/license/succession/public-key.ts';
import { makeBundle } from '../../electron/diagnostics/make-bundle.ts';

const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/desktop');

let machine: DesktopMachine;
let desktop: RunningDesktop;

const home = () => join(machine.config, 'home of a newcomer');
const start = async (): Promise<Page> => {
  desktop = await machine.start();
  return desktop.page();
};
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const untilTitle = (page: Page, name: string | RegExp, level = 1) =>
  page.getByRole('heading', { level, name }).waitFor({ timeout: 60_000 });
/** In both sets of colours. */
const pictureOf = async (page: Page, name: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
    await page.screenshot({ path: join(pictures, `first-run-${name}-${colorScheme}.png`), fullPage: true });
  }
};
/** The window that takes the place of the first run's. */
const panelOf = (before: Page): Promise<Page> =>
  eventually(() => {
    const page = desktop.windows().find((window) => window !== before);
    if (!page) throw new Error('no other window');
    return page;
  }, 120_000);
const env = async () => parseEnv(await readFile(join(home(), '.env'), 'utf8'));
/** The processes of the demo portal, its Postgres among them. */
const portalProcesses = async (): Promise<readonly string[]> => {
  const pids = await desktop.processes();
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.filter((line) => line.includes('portal.mjs') || line.includes('demo-portal'));
};

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine({ isNew: true });
  // As a fresh clone is.
  await rm(join(machine.programs, 'license-server.json'));
}, 240_000);

afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

// Guarantee: without a portal in the build, one can be connected to; its key is shown to be compared, and trusted by the
// click alone.
test('connect to a license portal', async () => {
  const page = await start();
  await untilTitle(page, 'Where the license comes from', 2);
  await pictureOf(page, 'portal');
  await page.getByLabel('Address of the portal').fill('http://portal.example');
  await click(page, 'Show its key');
  await page.getByText('This connection has no encryption').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel('Address of the portal').fill(machine.portal.url);
  await page.getByText('I have the public key of the portal').click();
  await page.getByLabel('Public key').fill('A'.repeat(43));
  await click(page, 'Show its key');
  await page.getByText('The portal has another key').waitFor();
  await page.getByLabel('Public key').fill('');
  await click(page, 'Show its key');
  const { kid = '' } = (await readPublicKey(machine.portal.publicKey)) ?? {};
  await page.getByText(keyFingerprint(kid)).waitFor();
  await pictureOf(page, 'portal-key');
  await click(page, 'They match, use this portal');
  await untilTitle(page, 'Where everything is kept', 2);
  const { url, publicKey } = machine.portal;
  await eventually(async () =>
    expect((await askDesktop(page, 'firstRun.state'))?.draft.portal).toMatchObject({ url, publicKey }),
  );
  await click(page, 'Back');
}, 120_000);

// Guarantee: from nothing to a licensed stack without a portal at hand: a demo portal is brought up, activated, and marked.
test('try it with a demo portal', async () => {
  const page = await desktop.page();
  await click(page, 'Use a demo portal');
  await page.getByLabel('Home folder').fill(home());
  await click(page, 'Continue');
  await page.getByLabel('Port of the panel and the API').fill(String(await freePort()));
  await page.getByLabel('Port of the database').fill(String(await freePort()));
  await click(page, 'Continue');
  await click(page, 'Continue without Discord');
  await page.getByText('demo, on this machine').waitFor();
  await pictureOf(page, 'begin-demo');
  await click(page, 'Set up and start');
  const panel = await panelOf(page);
  await untilTitle(panel, 'Account of the owner');
  await click(panel, 'Later');
  await untilState(panel, 'running');
  await panel.getByText('Demo license.').waitFor();
  await pictureOf(panel, 'demo-panel');
  expect((await askDesktop(panel, 'license.status')).tier).toBe('demo');
  expect(await portalProcesses()).not.toEqual([]);
}, 300_000);

// Guarantee: the demo portal ends with the desktop, however that ends, and is there again at its next start.
test('the demo portal ends with the desktop', async () => {
  expect(await desktop.quit()).toBe(0);
  await eventually(async () => expect(await desktop.processes()).toEqual([]), 30_000);
  const page = await start();
  await page.locator('#content').waitFor({ timeout: 60_000 });
  const { LICENSE_SERVER_URL: url = '' } = await env();
  await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), 60_000);
  desktop.kill();
  await desktop.ended;
  await eventually(async () => expect(await desktop.processes()).toEqual([]), 60_000);
}, 240_000);

// Guarantee: settings that name no portal, as a start without a window writes them, lead to the same choice.
test('an installation without a portal', async () => {
  const text = await readFile(join(home(), '.env'), 'utf8');
  await writeFile(join(home(), '.env'), text.replace(/^(LICENSE_SERVER_\w+)=.*$/gm, '$1='));
  const page = await start();
  await untilTitle(page, 'Where the license comes from', 2);
  await click(page, 'Use a demo portal');
  await page.getByText('demo, on this machine').waitFor();
  await click(page, 'Set up and start');
  const panel = await panelOf(page);
  await untilTitle(panel, 'Account of the owner');
  await click(panel, 'Later');
  expect((await env()).LICENSE_SERVER_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
}, 240_000);

// Guarantee: a record of the desktop that was cut in the middle costs neither the home nor the way to it.
test('a damaged record of the desktop', async () => {
  await desktop.quit();
  const path = join(machine.config, 'Castellan', 'desktop.json');
  await truncate(path, 5);
  const page = await start();
  await page.locator('#content').waitFor({ timeout: 60_000 });
  expect(await askDesktop(page, 'stack.status')).toMatchObject({ home: home() });
  const names = await readdir(join(machine.config, 'Castellan'));
  expect(names.filter((name) => name.startsWith('desktop.json.damaged-'))).toHaveLength(1);
}, 120_000);

// Guarantee: what is left of a crashed page is kept on this machine, and named by the diagnostics bundle.
test('a crash leaves a dump that the bundle names', async () => {
  await desktop.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer();
  });
  const folder = join(machine.config, 'Castellan', 'Crashpad');
  const dumps = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.dmp'));
  await eventually(async () => expect(await dumps()).toHaveLength(1), 30_000);
  const [dump = ''] = await dumps();
  const out = join(machine.config, 'bundle.zip');
  const reports = await desktop.app.evaluate(({ app }) => app.getPath('crashDumps'));
  expect(reports).toBe(folder);
  await makeBundle({ out, home: home(), program: {}, stack: async () => null, crashFolder: folder });
  const files = await unzip(out);
  expect(files['crash-reports.json']).toContain(dump.split('/').at(-1));
  expect(Object.keys(files).join()).not.toContain('.dmp');
}, 60_000);
