// @module-tag desktop

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
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
let desktop: RunningDesktop;

beforeAll(async () => {
  await mkdir(pictures, { recursive: true });
  machine = await openDesktopMachine();
}, 180_000);
afterAll(async () => {
  await desktop?.[Symbol.asyncDispose]();
  await machine?.[Symbol.asyncDispose]();
});

/** The usual setup: the folder was chosen at the first run, and no variable names it. */
const start = async (): Promise<Page> => {
  const usual = { CASTELLAN_HOME: '', XDG_DATA_HOME: join(machine.config, 'data') };
  desktop = await machine.start({ env: usual });
  return desktop.page();
};
const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(pictures, `data-folder-${name}.png`), fullPage: true });
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const homeOf = async (page: Page) => (await askDesktop(page, 'dataFolder.state')).home;
const goTo = (page: Page, section: string) => page.evaluate(`location.hash = '#/computer/${section}'`);
const target = (name: string) => join(machine.config, 'Größe Ελλάδα', name);
/** The window that replaces the given one. */
const nextPage = (app: ElectronApplication, before: Page): Promise<Page> =>
  eventually(() => {
    const page = app.windows().find((window) => window !== before);
    if (!page || !before.isClosed()) throw new Error('no other window');
    return page;
  }, 60_000);
const makeOwner = (page: Page) =>
  page.evaluate(
    `fetch('/api/admins', { method: 'POST', headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Wächter', password: 'a password of some length', role: 'owner' }) })
      .then((answer) => answer.status)`,
  );
const setup = (page: Page) => page.evaluate(`fetch('/api/setup').then((answer) => answer.json())`);
/** The backup is copied before anything else. */
const writeBackup = async (home: string) => {
  await mkdir(join(home, 'backups'), { recursive: true });
  await writeFile(join(home, 'backups', 'a backup'), randomBytes(3 * 1024 * 1024));
};
/** A disk that stalls once a file was copied to it, until `letDiskGo`, so that copying can be watched. */
const holdDisk = (app: ElectronApplication) =>
  app.evaluate(async () => {
    const file = await process.getBuiltinModule('node:fs/promises').open('/dev/null');
    const handles = Object.getPrototypeOf(file) as Pick<typeof file, 'chmod'>;
    await file.close();
    const { chmod } = handles;
    const held = new Promise<void>((resolve) => {
      const letDiskGo = () => {
        handles.chmod = chmod;
        resolve();
      };
      Object.assign(globalThis, { letDiskGo });
    });
    handles.chmod = async function (this: typeof file, mode) {
      await held;
      return chmod.call(this, mode);
    };
  });
const letDiskGo = (app: ElectronApplication) =>
  app.evaluate(() => (globalThis as { letDiskGo?: () => void }).letDiskGo?.());
const move = async (page: Page, folder: string) => {
  await page.getByLabel('New folder').fill(folder);
  await click(page, 'Check');
  await page.getByText('free in the new location').waitFor();
  await click(page, 'Stop Castellan and move');
};

// Guarantee: a data folder that the environment names cannot be moved, and the page says why.
test('a home that the environment names', async () => {
  desktop = await machine.start();
  const page = await desktop.page();
  await beLicensed(page, machine.licenseKey);
  expect(await makeOwner(page)).toBeLessThan(300);
  await goTo(page, 'data');
  await page.getByText('CASTELLAN_HOME').waitFor();
  await expect(askDesktop(page, 'dataFolder.move', { folder: target('new') })).rejects.toThrow(
    'CASTELLAN_HOME',
  );
  await desktop.quit();
}, 120_000);

// Guarantee: refusals are shown before anything is stopped; a cancelled move leaves everything running in the old folder.
test('called off', async () => {
  await writeFile(join(machine.config, 'Castellan', 'desktop.json'), JSON.stringify({ home: machine.home }));
  await writeBackup(machine.home);
  let page = await start();
  await untilState(page, 'running');
  await goTo(page, 'data');
  await page.getByLabel('New folder').fill(join(machine.home, 'inner'));
  await click(page, 'Check');
  await page.getByText('One folder can’t be inside the other').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await picture(page, 'refused');

  await holdDisk(desktop.app);
  await move(page, target('first'));
  await page.getByText('Copying …').waitFor();
  await picture(page, 'copying');
  await click(page, 'Cancel');
  // Answered after all earlier calls.
  await askDesktop(page, 'dataFolder.progress');
  await letDiskGo(desktop.app);
  page = await nextPage(desktop.app, page);
  await page.getByText('Move cancelled').waitFor({ timeout: 60_000 });
  await untilState(page, 'running');
  expect(await homeOf(page)).toBe(machine.home);
  expect(existsSync(target('first'))).toBe(false);
}, 180_000);

// Guarantee: after a kill during copying, the old data folder stays in use, and the partial copy is shown and can be deleted.
test('killed while copying', async () => {
  const page = await desktop.page();
  await goTo(page, 'data');
  await holdDisk(desktop.app);
  await move(page, target('second'));
  await page.getByText('Copying …').waitFor();
  expect(existsSync(join(target('second'), 'backups', 'a backup'))).toBe(true);
  desktop.app.process().kill('SIGKILL');
  await desktop.ended;
  expect(existsSync(join(target('second'), '.env'))).toBe(false);
  const again = await start();
  await untilState(again, 'running');
  expect(await setup(again)).toMatchObject({ needed: false });
  await goTo(again, 'data');
  await again.getByText('A move was interrupted').waitFor();
  expect(await axeViolations(again)).toEqual([]);
  await picture(again, 'interrupted');
  await click(again, 'Delete unfinished copy');
  await again.getByText('A move was interrupted').waitFor({ state: 'detached' });
  expect(existsSync(join(target('second'), 'backups'))).toBe(false);
}, 180_000);

// Guarantee: a move takes the database, the license and the settings along; the old folder stays until someone deletes it, and
// every start from there is redirected to the new one.
test('moved', async () => {
  let page = await desktop.page();
  await goTo(page, 'data');
  await move(page, target('new home'));
  page = await nextPage(desktop.app, page);
  await page
    .getByText(/^Castellan now runs from the new folder|^Your data is in the new folder/)
    .waitFor({ timeout: 60_000 });
  await untilState(page, 'running');
  expect(await homeOf(page)).toBe(target('new home'));
  expect(await setup(page)).toMatchObject({ needed: false });
  expect(await askDesktop(page, 'license.status')).toMatchObject({ state: 'valid' });
  await page.reload();
  await page.getByText('Castellan now runs from the new folder.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await picture(page, 'moved');
  expect(existsSync(join(machine.home, 'postgres', 'data', 'PG_VERSION'))).toBe(true);

  await desktop.quit();
  page = await start();
  await untilState(page, 'running');
  expect(await homeOf(page)).toBe(target('new home'));
  await desktop.quit();
  // Another user of the machine knows only the default folder.
  await writeFile(join(machine.config, 'Castellan', 'desktop.json'), '{}');
  desktop = await machine.start();
  page = await desktop.page();
  await untilState(page, 'running');
  expect(await homeOf(page)).toBe(target('new home'));

  await goTo(page, 'data');
  await click(page, 'Delete old folder …');
  await click(page, 'Delete');
  await page.getByRole('heading', { name: 'Old data folder', exact: true }).waitFor({ state: 'detached' });
  expect(existsSync(join(machine.home, 'postgres'))).toBe(false);
  expect(await readFile(join(machine.home, 'moved.json'), 'utf8')).toContain('new home');
  await desktop.quit();
}, 240_000);
