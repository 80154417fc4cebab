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
import { makeBundle } from '../../../electron/diagnostics/make-bundle.ts';
import { wizardLooks } from './wizard-looks.ts';

const pictures = resolve(import.meta.dirname, '../../../.cache/screenshots/desktop');

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
/** In both color schemes. */
const pictureOf = async (page: Page, name: string) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page)).toEqual([]);
    await page.screenshot({ path: join(pictures, `first-run-${name}-${colorScheme}.png`), fullPage: true });
  }
};
/** The window that replaces the first run's. */
const panelOf = (before: Page): Promise<Page> =>
  eventually(() => {
    const page = desktop.windows().find((window) => window !== before);
    if (!page) throw new Error('no other window');
    return page;
  }, 120_000);
const env = async () => parseEnv(await readFile(join(home(), '.env'), 'utf8'));
/** The processes of the demo portal, including its Postgres. */
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
  // As in a fresh clone.
  await rm(join(machine.programs, 'license-server.json'));
}, 240_000);

afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

// Guarantee: without a portal in the build, the demo license is preselected; the user can connect to a portal instead, whose key
// is shown for comparison and trusted only by the click.
test('connect to a license portal', async () => {
  const page = await start();
  await untilTitle(page, 'Welcome to Castellan');
  expect(await page.getByRole('radio', { name: 'Demo license' }).isChecked()).toBe(true);
  expect(await wizardLooks(page, 'first-run-portal')).toEqual([]);
  await page.getByRole('radio', { name: 'License from a vendor' }).check();
  await page.getByLabel('Portal address').fill('http://portal.example');
  await click(page, 'Continue');
  await page.getByText('This connection is not encrypted').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel('Portal address').fill(machine.portal.url);
  await page.getByText('I have the portal’s public key').click();
  await page.getByLabel('Public key').fill('A'.repeat(43));
  await click(page, 'Continue');
  await page.getByText('The portal has a different key').waitFor();
  await page.getByLabel('Public key').fill('');
  await click(page, 'Continue');
  const { kid = '' } = (await readPublicKey(machine.portal.publicKey)) ?? {};
  await page.getByText(keyFingerprint(kid)).waitFor();
  expect(await wizardLooks(page, 'first-run-portal-key', { mayScroll: true })).toEqual([]);
  expect((await askDesktop(page, 'firstRun.state'))?.draft.portal).toEqual({ kind: 'demo' });
  // Other errors prevent the setup, but not the confirmation of the key.
  await page.getByLabel('Data folder').fill('somewhere');
  await click(page, 'They match, continue');
  await page.getByText('Enter the full path').waitFor();
  const { url, publicKey } = machine.portal;
  await eventually(async () =>
    expect((await askDesktop(page, 'firstRun.state'))?.draft.portal).toMatchObject({ url, publicKey }),
  );
  await page.reload();
  await page.getByText('You have confirmed this portal’s key.').waitFor();
}, 120_000);

// Guarantee: from nothing to a licensed stack without a portal: a demo portal is started, activated and marked as a demo,
// and each stage is shown.
test('try it with a demo portal', async () => {
  const page = await desktop.page();
  await page.getByRole('radio', { name: 'Demo license' }).check();
  await page.getByLabel('Data folder').fill(home());
  await page.getByText('Advanced').first().click();
  await page.getByLabel('Panel port').fill(String(await freePort()));
  await page.getByLabel('Database port').fill(String(await freePort()));
  await click(page, 'Continue');
  await page.getByText('Starting the demo license portal and its database').waitFor();
  const panel = await panelOf(page);
  await untilTitle(panel, 'Create your account');
  await click(panel, 'Skip for now');
  await untilState(panel, 'running');
  await panel.getByText('Demo license from a demo portal.').waitFor();
  await pictureOf(panel, 'demo-panel');
  expect((await askDesktop(panel, 'license.status')).tier).toBe('demo');
  expect(await portalProcesses()).not.toEqual([]);
}, 300_000);

// Guarantee: the demo portal ends with the desktop, no matter how that ends, and is back at its next start.
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
  await untilTitle(page, 'Welcome to Castellan');
  // An existing installation already has its settings.
  expect(await page.getByText('Advanced').count()).toBe(0);
  await click(page, 'Use this installation');
  const panel = await panelOf(page);
  await untilTitle(panel, 'Create your account');
  await click(panel, 'Skip for now');
  expect((await env()).LICENSE_SERVER_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
}, 240_000);

// Guarantee: a truncated record of the desktop loses neither the data folder nor its location.
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

// Guarantee: a crashed page's dump is kept on this machine, and the diagnostics bundle names it.
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
  await makeBundle({
    out,
    home: home(),
    program: {},
    stack: async () => null,
    crashFolder: folder,
    addresses: null,
  });
  const files = await unzip(out);
  expect(files['crash-reports.json']).toContain(dump.split('/').at(-1));
  expect(Object.keys(files).join()).not.toContain('.dmp');
}, 60_000);
