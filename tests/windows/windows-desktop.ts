import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from '#harness/eventually.ts';
import { freePort } from '#harness/ports.ts';
import type { DemoPortal } from '../../build/demo/portal.ts';
import { desktopExecutable, packageDesktop } from '../../build/package/desktop.ts';
import type { WindowsLab, WindowsRun } from './lab.ts';

/** With half a core, Wine takes a minute until the stack is healthy. */
const patienceMs = 180_000;

/** A running desktop, seen through a page's debugger; its main process accepts no debugger. */
export interface WindowsDesktop extends AsyncDisposable {
  /** The single window's page, once it is loaded. @param before waits for another page than this */
  page(before?: Page): Promise<Page>;
  /** Resolves at its end, for any reason. */
  readonly ended: Promise<WindowsRun>;
}

export interface InstalledDesktop {
  /** The program's file, as Windows names it. */
  readonly exe: string;
  /** The folder of the programs that Node runs. */
  readonly programs: string;
  /** The process ids, on this machine, of all processes that run from this installation. */
  pids(): Promise<readonly number[]>;
  start(args?: readonly string[]): Promise<WindowsDesktop>;
  /** Starts the program a second time, and waits until that process ends. */
  startAgain(args?: readonly string[]): Promise<WindowsRun>;
}

/** Puts the package where the installer would put it, with this portal as the vendor's. */
export const installDesktop = async (lab: WindowsLab, portal: DemoPortal): Promise<InstalledDesktop> => {
  // Processes of other tests must not count as ours.
  const name = `Castellan ${randomBytes(6).toString('hex')}`;
  const folder = join(lab.drive, 'Program Files', name);
  await packageDesktop({ folder, system: 'win', say: (line) => process.stdout.write(`${line}\n`) });
  return installedDesktop(lab, name, portal);
};

/** What stands in this folder of Program Files, with this portal as the vendor's. */
export const installedDesktop = async (
  lab: WindowsLab,
  name: string,
  portal: DemoPortal,
): Promise<InstalledDesktop> => {
  const folder = ['Program Files', name];
  const exe = ['C:', ...folder, desktopExecutable.win].join('\\');
  const server = { url: portal.url, publicKey: portal.publicKey };
  await writeFile(
    join(lab.drive, ...folder, 'resources', 'programs', 'license-server.json'),
    JSON.stringify(server),
  );
  const run = (args: readonly string[]) => lab.run(exe, ['--disable-gpu', '--lang=en-US', ...args]);
  return {
    exe,
    programs: ['C:', ...folder, 'resources', 'programs'].join('\\'),
    pids: () => lab.pids('.exe', name),
    startAgain: (args = []) => run(args),
    async start(args = []) {
      const port = await freePort();
      const ended = run([`--remote-debugging-port=${port}`, ...args]);
      // A failed test does not wait for it.
      ended.catch(() => undefined);
      const browser = await debuggerAt(port);
      return {
        ended,
        page: (before) => pageOf(browser, before),
        async [Symbol.asyncDispose]() {
          await browser.close();
        },
      };
    },
  };
};

const debuggerAt = (port: number): Promise<Browser> =>
  eventually(() => chromium.connectOverCDP(`http://127.0.0.1:${port}`), patienceMs);

const pageOf = (browser: Browser, before: Page | undefined): Promise<Page> =>
  eventually(() => {
    const page = browser
      .contexts()[0]
      ?.pages()
      .find((candidate) => candidate !== before);
    if (!page) throw new Error('no window');
    page.setDefaultTimeout(patienceMs);
    return page;
  }, patienceMs);
