import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type {
  DesktopAnswer,
  DesktopCallName,
  DesktopInput,
  DesktopOutput,
} from '#contracts/desktop/desktop.ts';
import type { StackState } from '#contracts/operations/stack.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { type DemoPortal, startDemoPortal } from '../../build/demo/portal.ts';
import { electronRuntime } from '../../build/electron-runtime.ts';
import { eventually } from './eventually.ts';
import { copyOfPrograms } from './panel-programs.ts';
import { freePort } from './ports.ts';
import { openScreen } from './screen.ts';
import { type TemporaryFolder, temporaryFolder } from './temporary-folder.ts';
import { openTrayHost, type TrayHost } from './tray-host.ts';

export interface DesktopOptions {
  /** In addition to the usual ones. */
  readonly args?: readonly string[];
  readonly locale?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A running desktop. Disposing quits it, if it still runs. */
export interface ShownDesktop extends AsyncDisposable {
  /** The main process. */
  readonly pid: number;
  /** The window's page, once there is one. */
  page(): Promise<Page>;
  /** All living processes that it has started, including orphans. */
  processes(): Promise<readonly number[]>;
  /** The pages of all windows. */
  windows(): readonly Page[];
  /** Quits as from the tray. @returns the exit code */
  quit(): Promise<number | null>;
  /** Kills it without warning. */
  kill(): void;
  /** Resolves with the exit code, for any reason of the end. */
  readonly ended: Promise<number | null>;
}

/** A desktop whose main process can be inspected as well, unlike a package's. */
export interface RunningDesktop extends ShownDesktop {
  readonly app: ElectronApplication;
}

/** A machine that has never run the desktop: a screen, a tray, its own folders, and a portal with a license. */
export interface DesktopMachine extends AsyncDisposable {
  readonly home: string;
  /** The user's own settings (XDG_CONFIG_HOME). */
  readonly config: string;
  /** Electron's version, as the tests print it. */
  readonly version: string;
  readonly portal: DemoPortal;
  readonly licenseKey: string;
  readonly apiUrl: string;
  /** The folder of the programs that it runs. */
  readonly programs: string;
  readonly tray: TrayHost;
  start(options?: DesktopOptions): Promise<RunningDesktop>;
  /** All processes that use the data folder or run from the programs' folder, no matter what started them. */
  processes(): Promise<readonly number[]>;
  /** Starts the program a second time, and waits until that process ends. */
  startAgain(args?: readonly string[], more?: Readonly<Record<string, string>>): Promise<number | null>;
}

const patienceMs = 30_000;
/** Waiting longer than the desktop waits for its stack would exceed the time limit of a failed test's hook. */
const quitDeadlineMs = 20_000;

export const openDesktopMachine = async ({
  isNew = false,
}: {
  /** Without a `.env` the desktop treats the data folder as new. */
  readonly isNew?: boolean;
} = {}): Promise<DesktopMachine> => {
  await using opening = new AsyncDisposableStack();
  const { executable, version } = await electronRuntime();
  const programs = opening.use(await copyOfPrograms());
  const folder = opening.use(await temporaryFolder('desktop'));
  const { portal, licenseKey, lines, apiUrl } = await preparePortal(folder, opening);
  const home = join(folder.path, 'home');
  const config = join(folder.path, 'config');
  await mkdir(home, { mode: 0o711 });
  await mkdir(config);
  if (!isNew) await writeFile(join(home, '.env'), lines, { mode: 0o600 });
  // As a build includes it.
  await writeFile(
    join(programs.path, 'license-server.json'),
    JSON.stringify({ url: portal.url, publicKey: portal.publicKey }),
  );
  const screen = opening.use(await openScreen());
  const tray = opening.use(await openTrayHost(screen));

  const env = (locale: string) => ({
    ...systemEnv(),
    ...screen.env,
    LANG: `${locale.replace('-', '_')}.UTF-8`,
    CASTELLAN_HOME: home,
    CASTELLAN_NODE: process.execPath,
    XDG_CONFIG_HOME: config,
  });
  // Tests may run as root, for which Chromium's own sandbox is not available.
  const usualArgs = ['--no-sandbox', join(programs.path, 'desktop.mjs')];
  const resources = opening.move();
  return {
    home,
    config,
    version,
    portal,
    licenseKey,
    apiUrl,
    programs: programs.path,
    tray,
    async start({ args = [], locale = 'en-US', env: more = {} } = {}) {
      const app = await _electron.launch({
        executablePath: executable,
        args: [...usualArgs, `--lang=${locale}`, ...args],
        env: { ...env(locale), ...more },
        timeout: patienceMs,
      });
      app.context().setDefaultTimeout(patienceMs);
      const child = app.process();
      const ended = once(child, 'exit').then(([code]) => code as number | null);
      const quit = async () => {
        // The answer is lost, since the desktop ends.
        await app.evaluate((electron) => electron.app.quit()).catch(() => undefined);
        return ended;
      };
      return {
        app,
        pid: child.pid ?? 0,
        page: () => app.firstWindow({ timeout: patienceMs }),
        processes: () => processesOf(child.pid ?? 0, [programs.path, home]),
        windows: () => app.windows(),
        quit,
        kill: () => void child.kill('SIGKILL'),
        ended,
        async [Symbol.asyncDispose]() {
          if (child.exitCode !== null || child.signalCode !== null) return;
          // A hanging desktop must not outlive its test; the processes that it started then end by themselves.
          const overdue = setTimeout(() => child.kill('SIGKILL'), quitDeadlineMs);
          await quit().finally(() => clearTimeout(overdue));
        },
      };
    },
    async startAgain(args = [], more = {}) {
      const child = spawn(executable, [...usualArgs, ...args], {
        env: { ...env('en-US'), ...more },
        stdio: 'ignore',
      });
      const [code] = await once(child, 'exit');
      return code;
    },
    processes: () => processesOf(null, [programs.path, home]),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

/** A portal with a license, and the settings that point to it. */
export const preparePortal = async (folder: TemporaryFolder, opening: AsyncDisposableStack) => {
  const ports = {
    api: await freePort(),
    postgres: await freePort(),
    portal: await freePort(),
    portalPostgres: await freePort(),
  };
  const portal = opening.use(await startDemoPortal(join(folder.path, 'portal'), ports));
  const password = randomBytes(24).toString('base64url');
  const lines = [
    `LICENSE_SERVER_URL=${portal.url}`,
    `LICENSE_SERVER_PUBLIC_KEY=${portal.publicKey}`,
    `API_PORT=${ports.api}`,
    `DATABASE_URL=postgresql://castellan:${password}@127.0.0.1:${ports.postgres}/castellan?connection_limit=20`,
  ];
  return {
    portal,
    licenseKey: await portal.license(join(folder.path, 'license.json')),
    lines: `${lines.join('\n')}\n`,
    apiUrl: `http://127.0.0.1:${ports.api}`,
  };
};

/** Electron's processes share a process group; the stack's are recognized by the folders that they run from or use. */
export const processesOf = async (
  group: number | null,
  folders: readonly string[],
): Promise<readonly number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command, workplace] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
        readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
      ]);
      const isInside = folders.some((folder) => command.includes(folder) || workplace.startsWith(folder));
      const itsGroup = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
      return isInside || itsGroup === group ? [pid] : [];
    }),
  );
  return found.flat();
};

/** Calls the desktop from a page, as the page itself does. @throws the desktop's refusal */
export const askDesktop = async <Name extends DesktopCallName>(
  page: Page,
  name: Name,
  input?: DesktopInput<Name>,
): Promise<DesktopOutput<Name>> => {
  const answer = (await page.evaluate(
    `castellan.call(${JSON.stringify(name)}, ${JSON.stringify(input)})`,
  )) as DesktopAnswer<DesktopOutput<Name>>;
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
};

/** Activates through the desktop, as its wizard does, and waits until the whole stack runs. */
export const beLicensed = async (page: Page, licenseKey: string): Promise<void> => {
  const report = await askDesktop(page, 'license.activate', { key: licenseKey });
  if (report.outcome !== 'activated') throw new Error(`not activated: ${JSON.stringify(report)}`);
  await untilState(page, 'running');
};

/** Waits until the desktop reports the given state of the stack. */
export const untilState = (page: Page, wanted: StackState): Promise<void> =>
  eventually(async () => {
    const { state, components } = await askDesktop(page, 'stack.status');
    if (state !== wanted) throw new Error(`${state}: ${JSON.stringify(components)}`);
  }, 60_000);
