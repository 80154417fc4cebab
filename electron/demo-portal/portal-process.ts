import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { logsFolder } from '#runtime/home.ts';
import { StartupError } from '#runtime/program.ts';
import { createRedactor } from '#runtime/redact.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { createComponentLog } from '../logs/component-log.ts';
import { openLogFile } from '../logs/log-file.ts';

export interface PortalPlace {
  readonly home: string;
  readonly programsFolder: string;
  /** The Node executable that it runs under. */
  readonly node: string;
  readonly port: number;
  readonly postgresPort: number;
}

/** A portal that answers. Disposing stops it in order, with its Postgres. */
interface PortalProcess extends AsyncDisposable {
  readonly url: string;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

const run = promisify(execFile);

const portalProgram = (programsFolder: string): string => join(programsFolder, 'portal.mjs');
/** Packages have no portal program. */
export const hasDemoPortal = (programsFolder: string): boolean => existsSync(portalProgram(programsFolder));
/** The portal's own data folder, inside the installation's. */
export const demoPortalFolder = (home: string): string => join(home, 'demo-portal');

/** A first start creates a database, which takes time on a slow disk. */
const readyDeadlineMs = 120_000;
const pollMs = 50;
/** Longer than the portal's own deadline. */
const stopDeadlineMs = 45_000;

const envOf = ({ home, port, postgresPort }: PortalPlace): Record<string, string> => ({
  ...systemEnv(),
  PORTAL_HOME: demoPortalFolder(home),
  PORTAL_HOST: '127.0.0.1',
  PORTAL_PORT: String(port),
  PORTAL_POSTGRES_PORT: String(postgresPort),
});

/**
 * Starts the portal, which ends with us through its IPC channel, and waits until it answers.
 * @throws {StartupError} when it does not
 */
export const startPortalProcess = async (place: PortalPlace, stop?: AbortSignal): Promise<PortalProcess> => {
  const { home, node, programsFolder, port } = place;
  await using starting = new AsyncDisposableStack();
  await mkdir(demoPortalFolder(home), { recursive: true, mode: 0o711 });
  const file = starting.use(
    openLogFile({ folder: logsFolder(home), name: 'demo-portal.log', onTrouble: () => undefined }),
  );
  const log = createComponentLog('demo-portal', file, createRedactor());
  const child = spawn(node, [portalProgram(programsFolder), 'serve'], {
    env: envOf(place),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A Ctrl-C in our terminal must not reach its Postgres before we stop it in order.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  await once(child, 'spawn');
  // Without a listener a failed send would end us; the exit of the process says the same.
  child.on('error', () => undefined);
  for (const stream of [child.stdout, child.stderr]) if (stream) log.follow(stream).catch(() => undefined);
  const ended = once(child, 'exit').then(() => undefined);
  starting.defer(() => stopChild(child, ended));
  const url = `http://127.0.0.1:${port}`;
  const deadlineMs = performance.now() + readyDeadlineMs;
  while (!(await isReady(url))) {
    stop?.throwIfAborted();
    if (hasEnded(child))
      throw new StartupError(`The demo portal ended: ${log.lastLines().at(-1) ?? 'it gave no reason'}`);
    if (performance.now() > deadlineMs) throw new StartupError('The demo portal did not start in time.');
    await delay(pollMs);
  }
  // The answer may come from another program on the same port.
  if (hasEnded(child))
    throw new StartupError(`The demo portal ended: ${log.lastLines().at(-1) ?? 'it gave no reason'}`);
  const resources = starting.move();
  return { url, ended, [Symbol.asyncDispose]: () => resources.disposeAsync() };
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const stopChild = async (child: ChildProcess, ended: Promise<void>): Promise<void> => {
  if (hasEnded(child)) return;
  const cut = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs);
  // Closing its channel tells it to stop; a portal that is about to end has already closed it.
  if (child.connected) child.disconnect();
  await ended;
  clearTimeout(cut);
};

const isReady = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Not yet.
    return false;
  }
};

/** Runs a command of the portal to its end. @returns its output as JSON. @throws {StartupError} with its words */
export const askPortal = async (place: PortalPlace, args: readonly string[]): Promise<unknown> => {
  try {
    const { stdout } = await run(place.node, [portalProgram(place.programsFolder), ...args, '--json'], {
      env: envOf(place),
      windowsHide: true,
    });
    return JSON.parse(stdout);
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim();
    throw new StartupError(said || `portal ${args.slice(0, 2).join(' ')} failed`, { cause: error });
  }
};
