import { randomBytes } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { openDesktopMachine, untilState } from '#harness/desktop.ts';
import { eventually } from '#harness/eventually.ts';
import { openPackagedMachine } from '#harness/packaged-desktop.ts';
import { freePort } from '#harness/ports.ts';
import { openScreen } from '#harness/screen.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { type MinecraftSimulator, startMinecraft } from '#simulators/minecraft-simulator.ts';
import { bundlePrograms } from '../../build/bundle.ts';
import { startDemoPortal } from '../../build/demo/portal.ts';
import { openWindowsLab } from '../windows/lab.ts';
import { installedDesktop } from '../windows/windows-desktop.ts';
import type { Bench } from './harness/report.ts';

const patienceMs = 240_000;

type Stages = Record<string, number>;

interface Machine {
  readonly licenseKey: string;
  /** The page of the first run. */
  firstPage(): Promise<Page>;
  /** The window that replaces the first run's. */
  panel(before: Page): Promise<Page>;
}

/** Seconds from the start of the clock to the end of each stage. */
const startClock = (stages: Stages) => {
  const began = performance.now();
  return (stage: string) => {
    stages[stage] = (performance.now() - began) / 1000;
  };
};

const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** What a new owner does, as fast as the pages allow, until a game server is online. */
const live = async (machine: Machine, game: MinecraftSimulator, mark: (stage: string) => void) => {
  const page = await machine.firstPage();
  page.setDefaultTimeout(patienceMs);
  await page.getByRole('heading', { level: 1, name: 'Welcome to Castellan' }).waitFor();
  mark('first page, s');
  await page.getByText('Advanced').first().click();
  await page.getByLabel('Panel port').fill(String(await freePort()));
  await page.getByLabel('Database port').fill(String(await freePort()));
  await click(page, 'Continue');
  const panel = await machine.panel(page);
  panel.setDefaultTimeout(patienceMs);
  await panel.getByLabel('License key').fill(machine.licenseKey);
  mark('license key, s');
  await click(panel, 'Activate on this machine');
  await panel.getByLabel('Name').fill('Owner');
  await panel
    .getByLabel(/^Password/)
    .first()
    .fill('a password of some length');
  await click(panel, 'Create account');
  await panel.getByRole('heading', { level: 1, name: /First steps/i }).waitFor();
  await untilState(panel, 'running');
  mark('licensed and healthy, s');
  await panel.getByLabel('Cluster name').fill('North');
  await click(panel, 'Create cluster');
  await panel.getByLabel('Server name').fill('Harbour');
  await panel.getByLabel('Console port').fill(String(game.port));
  await panel.getByLabel('Console password').fill(game.password);
  await panel.getByRole('button', { name: 'Add server' }).click();
  await panel.getByRole('button', { name: 'Send command' }).waitFor();
  mark('server online, s');
};

const onLinux = async (
  open: typeof openDesktopMachine | typeof openPackagedMachine,
  game: MinecraftSimulator,
): Promise<Stages> => {
  const stages: Stages = {};
  await using machine = await open({ isNew: true });
  const mark = startClock(stages);
  await using desktop = await machine.start();
  await live(
    {
      licenseKey: machine.licenseKey,
      firstPage: () => desktop.page(),
      panel: (before) =>
        eventually(() => {
          const page = desktop.windows().find((window) => window !== before);
          if (!page) throw new Error('no other window');
          return page;
        }, patienceMs),
    },
    game,
    mark,
  );
  return stages;
};

/** With the installer that ships, run as its user would but without its pages. */
const onWindows = async (setup: string, game: MinecraftSimulator): Promise<Stages> => {
  const stages: Stages = {};
  await using folder = await temporaryFolder('bench-first-run');
  const ports = { api: 0, postgres: 0, portal: await freePort(), portalPostgres: await freePort() };
  await using portal = await startDemoPortal(join(folder.path, 'portal'), ports);
  const licenseKey = await portal.license(join(folder.path, 'license.json'));
  await using screen = await openScreen();
  await using lab = await openWindowsLab({ screen });
  await copyFile(setup, join(lab.drive, basename(setup)));
  const mark = startClock(stages);
  const name = `Castellan ${randomBytes(6).toString('hex')}`;
  const { code } = await lab.run(`C:\\${basename(setup)}`, [
    '/S',
    ...`/D=C:\\Program Files\\${name}`.split(' '),
  ]);
  if (code !== 0) throw new Error(`the installer ended with ${code}`);
  mark('installed, s');
  const installed = await installedDesktop(lab, name, portal);
  await using desktop = await installed.start();
  await live(
    { licenseKey, firstPage: () => desktop.page(), panel: (before) => desktop.page(before) },
    game,
    mark,
  );
  await installed.startAgain(['--quit']);
  await desktop.ended;
  return stages;
};

export const firstRunBench: Bench = {
  summary: 'from nothing to a licensed, healthy stack with a server that is online',
  async run(say, args = []) {
    const { values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { setup: { type: 'string' }, json: { type: 'boolean' } },
    });
    await using game = await startMinecraft();
    const began = performance.now();
    say('bundling the programs');
    await bundlePrograms();
    const bundling = (performance.now() - began) / 1000;
    say('from the checkout');
    const rows: Record<string, Stages> = { 'npm start': await onLinux(openDesktopMachine, game) };
    say('from the package for Linux');
    rows['package for Linux'] = await onLinux(openPackagedMachine, game);
    if (values.setup !== undefined) {
      say('from the installer, in the Windows lab');
      rows['installer, in the Windows lab'] = await onWindows(resolve(values.setup), game);
    }
    return {
      title: 'First run: from the start to a licensed, healthy stack with a server that is online',
      tables: { 'Time since the start of the program, or of the installer': rows },
      findings: [`"npm start" has bundled the programs before, in ${bundling.toFixed(1)} s`],
      aims: [],
    };
  },
};
