import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';
import { systemEnv } from '#runtime/system-env.ts';
import type { DemoPortal } from '../../build/demo/portal.ts';
import { desktopExecutable, packageDesktop } from '../../build/package/desktop.ts';
import { preparePortal, processesOf, type ShownDesktop } from './desktop.ts';
import { eventually } from './eventually.ts';
import { openScreen } from './screen.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A machine that has never run the desktop, with a package on it: no checkout, and no Node but the package's own. */
export interface PackagedMachine extends AsyncDisposable {
  /** The package's folder. */
  readonly folder: string;
  readonly home: string;
  /** The user's own settings (XDG_CONFIG_HOME). */
  readonly config: string;
  readonly portal: DemoPortal;
  readonly licenseKey: string;
  start(options?: { readonly env?: Readonly<Record<string, string>> }): Promise<ShownDesktop>;
  /** Starts the program a second time, and waits until that process ends. */
  startAgain(args?: readonly string[]): Promise<number | null>;
}

const patienceMs = 60_000;
/** Waiting longer than the desktop waits for its stack would exceed the time limit of a failed test's hook. */
const quitDeadlineMs = 20_000;

export const openPackagedMachine = async (): Promise<PackagedMachine> => {
  await using opening = new AsyncDisposableStack();
  const ground = opening.use(await temporaryFolder('packaged'));
  const folder = join(ground.path, 'Castellan für Ελλάδα');
  await packageDesktop({ folder, system: 'linux', say: () => undefined });
  const { portal, licenseKey } = await preparePortal(ground, opening);
  // As a vendor's build includes it.
  await writeFile(
    join(folder, 'resources', 'programs', 'license-server.json'),
    JSON.stringify({ url: portal.url, publicKey: portal.publicKey }),
  );
  const home = join(ground.path, 'home');
  const config = join(ground.path, 'config');
  await mkdir(home, { mode: 0o711 });
  await mkdir(config);
  const screen = opening.use(await openScreen());
  const executable = join(folder, desktopExecutable.linux);
  const env = { ...systemEnv(), ...screen.env, CASTELLAN_HOME: home, XDG_CONFIG_HOME: config };
  // Tests may run as root, for which Chromium's own sandbox is not available.
  const usualArgs = ['--no-sandbox', '--lang=en-US'];
  const startAgain = async (args: readonly string[] = []): Promise<number | null> => {
    const child = spawn(executable, [...usualArgs, ...args], { env, stdio: 'ignore' });
    const [code] = await once(child, 'exit');
    return code;
  };
  const resources = opening.move();
  return {
    folder,
    home,
    config,
    portal,
    licenseKey,
    startAgain,
    async start({ env: more = {} } = {}) {
      const child = spawn(executable, [...usualArgs, '--remote-debugging-port=0'], {
        env: { ...env, ...more },
        stdio: ['ignore', 'ignore', 'pipe'],
        // A separate process group, by which its processes are found.
        detached: true,
      });
      const pid = child.pid ?? 0;
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      const browser = await chromium.connectOverCDP(
        await debuggerOf(createInterface({ input: child.stderr })),
      );
      browser.contexts()[0]?.setDefaultTimeout(patienceMs);
      const windows = (): readonly Page[] => browser.contexts()[0]?.pages() ?? [];
      const quit = async () => {
        await startAgain(['--quit']);
        return ended;
      };
      return {
        pid,
        ended,
        windows,
        quit,
        page: () =>
          eventually(() => {
            const [page] = windows();
            if (!page) throw new Error('no window');
            return page;
          }, patienceMs),
        processes: () => processesOf(pid, [folder, home]),
        kill: () => void child.kill('SIGKILL'),
        async [Symbol.asyncDispose]() {
          if (child.exitCode !== null || child.signalCode !== null) return;
          // A hanging desktop must not outlive its test; the processes that it started then end by themselves.
          const overdue = setTimeout(() => child.kill('SIGKILL'), quitDeadlineMs);
          await quit().finally(() => clearTimeout(overdue));
        },
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** Chromium prints where its pages can be debugged; the main process accepts no debugger. */
const debuggerOf = async (lines: NodeJS.EventEmitter & AsyncIterable<string>): Promise<string> => {
  const address = Promise.withResolvers<string>();
  lines.on('line', (line: string) => {
    const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (found !== undefined) address.resolve(found);
  });
  lines.once('close', () => address.reject(new Error('the desktop ended before it could be looked into')));
  return address.promise;
};
