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
/** After this time the action is repeated. */
const actMs = 20_000;
const pictures = resolve(import.meta.dirname, '../../.cache/screenshots/windows');
const home = `C:\\ProgramData\\Größe Ελλάδα 表示 ${randomBytes(6).toString('hex')}`;

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

const firstRun = async (machine: Machine, desktop: WindowsDesktop): Promise<Page> => {
  const page = await desktop.page();
  await page.getByLabel('Data folder').fill(home);
  await page.getByText('Advanced').first().click();
  await page.getByLabel('Panel port').fill(String(await freePort()));
  await page.getByLabel('Database port').fill(String(await freePort()));
  await click(page, 'Continue');
  const panel = await desktop.page(page);
  await untilTitle(panel, 'Activate Castellan');
  const waiting = await iconAppears(machine);
  await panel.getByLabel('License key').fill(machine.licenseKey);
  await click(panel, 'Activate on this machine');
  await untilTitle(panel, 'Create your account');
  await panel.getByLabel('Name').fill('Wächter');
  await panel
    .getByLabel(/^Password/)
    .first()
    .fill('a password of some length');
  await click(panel, 'Create account');
  await untilTitle(panel, /First steps/i);
  await untilState(panel, 'running');
  await iconAppears(machine, waiting);
  return panel;
};

/** Helps to explain a failure: each window with its name and whether it is visible. */
const listWindows =
  'for one in $(xdotool search --name .); do echo "$one $(xdotool getwindowname $one)"; done; echo shown: $(xdotool search --onlyvisible --name .)';

/** Asks the screen, because a page under a debugger considers itself visible. */
const searchWindow = ['xdotool', 'search', '--onlyvisible', '--name', 'Castellan$'];

/** After closing to the tray, another start of the program brings the window back. */
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
      // Chained to a search, keys would go only to that window, and their release would be lost when it hides.
      await lab.onScreen(['xdotool', 'key', 'alt+F4']);
    });
  await hide();
  await untilSeen(true, async () => expect((await installed.startAgain()).code).toBe(0));
  await hide();
};

/**
 * Work that needs administrator rights is done by the program itself, which reads the action from its arguments; the helper
 * that triggers Windows's prompt waits for its end and passes on its exit code. Wine agrees to everything without asking.
 */
const elevation = async ({ lab, installed }: Machine): Promise<void> => {
  const raise = async (...args: readonly string[]) => {
    const helper = [`${installed.programs}\\elevate.mjs`, '0', ...args];
    return (await lab.run(`${installed.programs}\\node.exe`, helper)).code;
  };
  expect(await raise('--elevated=firewall', '--open=3001')).toBe(0);
  expect(await raise('--elevated=firewall', '--open=3001', '--no-sandbox=')).toBe(2);
  expect(await raise('--elevated=run', '--program=cmd.exe')).toBe(2);
  expect((await installed.startAgain(['--elevated=update', '--folder=x'])).code).toBe(2);
};

const runKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run';

/** Without the user's choice, it does not start with the computer. */
const autostart = async ({ lab, installed }: Machine, page: Page): Promise<void> => {
  const entry = async () => (await lab.run('reg.exe', ['query', runKey])).out;
  expect(await entry()).not.toContain(installed.exe);
  for (const on of [true, false, true]) {
    expect(await askDesktop(page, 'settings.change', { autostart: on })).toMatchObject({ autostart: on });
    expect((await entry()).includes(`"${installed.exe}" --hidden`)).toBe(on);
  }
};

/** The exit code of `sc query` for an unknown name. */
const notInstalled = 1060 % 256;

/** Changes to Windows Services and back, with the same data. */
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
  expect(await page.evaluate(`fetch('/api/setup').then((answer) => answer.json())`)).toMatchObject({
    needed: false,
  });
};

// Guarantee: the package that customers get leads from nothing to a licensed, healthy stack on Windows's own Postgres,
// shows itself in the notification area, starts with the session only on request, and ends without leaving a process or a
// database that has to recover.
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
  // A hidden window draws nothing.
  await lab.picture(join(pictures, 'desktop.png'));
  await hideAndSeek(machine);
  await autostart(machine, page);
  await elevation(machine);
  await throughServices(machine, page);

  expect((await installed.startAgain(['--quit'])).code).toBe(0);
  expect((await desktop.ended).code).toBe(0);
  await untilNothingRuns(machine);
  expect((await logOf(lab, 'postgres')).trimEnd().split('\n').at(-1)).toContain(
    'database system is shut down',
  );
  // The old icon disappears with the next redraw.
  await eventually(async () => expect(await area.look()).toBeNull(), actMs);
};
