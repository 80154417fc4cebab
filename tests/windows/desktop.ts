import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { askDesktop, untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import { openScreen } from '#harness/screen.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { startDemoPortal } from '../../build/demo/portal.ts';
import { openWindowsLab, type WindowsLab } from './lab.ts';
import { type NotificationArea, openNotificationArea } from './notification-area.ts';
import { testOnWindows } from './test-on-windows.ts';
import { type InstalledDesktop, installDesktop, type WindowsDesktop } from './windows-desktop.ts';

const patienceMs = 180_000;
/** After this it is done again. */
const actMs = 20_000;
const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/windows');
const home = `C:\\ProgramData\\Größe ${randomBytes(6).toString('hex')}`;

interface Machine {
  readonly lab: WindowsLab;
  readonly area: NotificationArea;
  readonly installed: InstalledDesktop;
  readonly licenseKey: string;
}

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const untilTitle = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const homeFolder = (lab: WindowsLab) => join(lab.drive, ...home.split('\\').slice(1));
const logOf = (lab: WindowsLab, name: string) =>
  readFile(join(homeFolder(lab), 'logs', `${name}.log`), 'utf8');
const untilNothingRuns = ({ installed }: Machine) =>
  eventually(async () => expect(await installed.pids()).toEqual([]), patienceMs);
const iconAppears = ({ area }: Machine, before: string | null = null): Promise<string> =>
  eventually(async () => {
    const look = await area.look();
    if (look === null || look === before) throw new Error('no icon, or still the same');
    return look;
  }, patienceMs);

/** A folder with letters that Windows cannot tell Postgres is refused; one with a space and an umlaut is taken. */
const firstRun = async (machine: Machine, desktop: WindowsDesktop): Promise<Page> => {
  const page = await desktop.page();
  await page.getByLabel('Home folder').fill('C:\\ProgramData\\Ελλάδα');
  await click(page, 'Continue');
  await page.getByText('Ε λ ά δ α').waitFor();
  await page.getByLabel('Home folder').fill(home);
  await click(page, 'Continue');
  await page.getByLabel('Port of the panel and the API').fill(String(await freePort()));
  await page.getByLabel('Port of the database').fill(String(await freePort()));
  await click(page, 'Continue');
  await click(page, 'Continue without Discord');
  await click(page, 'Set up and start');
  const panel = await desktop.page(page);
  await untilTitle(panel, 'Activate Castellan');
  const waiting = await iconAppears(machine);
  await panel.getByLabel('License key').fill(machine.licenseKey);
  await click(panel, 'Activate on this machine');
  await untilTitle(panel, 'Account of the owner');
  await panel.getByLabel('Name').fill('Wächter');
  await panel
    .getByLabel(/^Password/)
    .first()
    .fill('a password of some length');
  await click(panel, 'Make the account');
  await untilTitle(panel, /First steps/i);
  await untilState(panel, 'running');
  await iconAppears(machine, waiting);
  return panel;
};

/** What a failure is understood by: each window with its name and whether it is shown. */
const listWindows =
  'for one in $(xdotool search --name .); do echo "$one $(xdotool getwindowname $one)"; done; echo shown: $(xdotool search --onlyvisible --name .)';

/** By the screen: a page that is debugged takes itself for visible. */
const searchWindow = ['xdotool', 'search', '--onlyvisible', '--name', 'Castellan$'];

/** Closed to the tray, the window comes back by another start of the program. */
const hideAndSeek = async ({ lab, installed }: Machine): Promise<void> => {
  /** The window manager sometimes misses a request while it is busy. */
  const untilSeen = (wanted: boolean, act: () => Promise<unknown>) =>
    eventually(async () => {
      await act();
      await eventually(async () => {
        const isSeen = await lab.onScreen(searchWindow).then(
          () => true,
          () => false,
        );
        expect(isSeen).toBe(wanted);
      }, actMs);
    }, patienceMs);
  const hide = () =>
    untilSeen(false, async () => {
      await lab.onScreen([...searchWindow, 'windowactivate', '--sync']).catch(() => undefined);
      // In a chain behind a search, keys would go to that window alone, and their release be lost when it hides.
      await lab.onScreen(['xdotool', 'key', 'alt+F4']);
    });
  await hide();
  await untilSeen(true, async () => expect((await installed.startAgain()).code).toBe(0));
  await hide();
};

const runKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';

/** Nobody is asked to start with the computer who has not said so. */
const autostart = async ({ lab, installed }: Machine, page: Page): Promise<void> => {
  const entry = async () => (await lab.run('reg.exe', ['query', runKey])).out;
  expect(await entry()).not.toContain(installed.exe);
  for (const on of [true, false, true]) {
    expect(await askDesktop(page, 'settings.change', { autostart: on })).toMatchObject({ autostart: on });
    expect((await entry()).includes(`"${installed.exe}" --hidden`)).toBe(on);
  }
};

/** What `sc query` says of a name that Windows does not know. */
const notInstalled = 1060 % 256;

/** To Windows's own care and back, with the same data. */
const throughServices = async ({ lab }: Machine, page: Page): Promise<void> => {
  const knows = async () => (await lab.run('sc.exe', ['query', 'Castellan-API'])).code;
  expect(await askDesktop(page, 'services.install')).toEqual({ outcome: 'done' });
  expect(await askDesktop(page, 'services.status')).toMatchObject({
    mode: 'services',
    services: [{ state: 'running' }, { state: 'running' }, { state: 'running' }],
  });
  expect(await knows()).toBe(0);
  await untilState(page, 'running');
  expect(await askDesktop(page, 'services.uninstall')).toEqual({ outcome: 'done' });
  expect(await knows()).toBe(notInstalled);
  await untilState(page, 'running');
  expect(await askDesktop(page, 'services.status')).toMatchObject({ mode: 'app', services: null });
  expect(await page.evaluate(`fetch('/api/setup').then((answer) => answer.json())`)).toEqual({
    needed: false,
  });
};

// Guarantee: the package that customers get comes from nothing to a licensed, healthy stack on Windows's own Postgres,
// shows itself in the notification area, is entered to start with the session only when asked to, and ends without leaving
// a process or a database that has to recover.
testOnWindows('the desktop on Windows', ['screen'], async () => {
  await using folder = await temporaryFolder('windows-portal');
  const ports = { api: 0, postgres: 0, portal: await freePort(), portalPostgres: await freePort() };
  await using portal = await startDemoPortal(join(folder.path, 'portal'), ports);
  const licenseKey = await portal.license(join(folder.path, 'license.json'));
  await using screen = await openScreen();
  await using lab = await openWindowsLab({ screen });
  await using area = await openNotificationArea(lab);
  const installed = await installDesktop(lab, portal);
  const machine = { lab, area, installed, licenseKey };
  expect(await area.look()).toBeNull();

  try {
    await live(machine);
  } catch (error) {
    await lab.picture(join(pictures, 'failed.png'));
    process.stderr.write(`${await lab.onScreen(['bash', '-c', listWindows])}\n`);
    throw error;
  }
});

const live = async (machine: Machine): Promise<void> => {
  const { lab, area, installed } = machine;
  await using desktop = await installed.start();
  const page = await firstRun(machine, desktop);
  const castellan = (...args: readonly string[]) =>
    lab.run(`${installed.programs}\\node.exe`, [
      `${installed.programs}\\castellan.mjs`,
      '--home',
      home,
      ...args,
    ]);
  expect((await castellan('sql', 'select version()')).out).toContain('windows');
  // Hidden, it draws nothing.
  await lab.picture(join(pictures, 'desktop.png'));
  await hideAndSeek(machine);
  await autostart(machine, page);
  await throughServices(machine, page);

  expect((await installed.startAgain(['--quit'])).code).toBe(0);
  expect((await desktop.ended).code).toBe(0);
  await untilNothingRuns(machine);
  expect((await logOf(lab, 'postgres')).trimEnd().split('\n').at(-1)).toContain(
    'database system is shut down',
  );
  // What was drawn there goes with the next drawing.
  await eventually(async () => expect(await area.look()).toBeNull(), actMs);
};
