import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { StartupError } from '../program.ts';
import { systemEnv } from '../system-env.ts';
import type { Account } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';

export interface Postmaster {
  readonly pid: number;
  /** Settles when the postmaster is gone, in order or not. */
  readonly exited: Promise<void>;
}

const startDeadlineMs = 60_000;

/** How every program of Postgres is run: under its account, with a plain environment, from a folder it may enter. */
export const spawnOptions = (account: Account | null, cwd: string) => ({
  cwd,
  env: { ...systemEnv(), LC_ALL: 'C' },
  windowsHide: true,
  ...(account ? { uid: account.uid, gid: account.gid } : {}),
});

/** Lines of a stream to a listener, and the last few of them for an error message. */
const followLines = (child: ChildProcess, onLine: (line: string) => void) => {
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line);
      if (last.length > 10) last.shift();
      onLine(line);
    });
  }
  return last;
};

const readyLine = 'database system is ready to accept connections';

/** Starts the postmaster of an existing data folder; resolves when it takes connections. @throws {StartupError} */
export const startPostmaster = (
  binaries: PostgresBinaries,
  dataFolder: string,
  account: Account | null,
  onLine: (line: string) => void,
): Promise<Postmaster> =>
  process.platform === 'win32'
    ? startThroughPgCtl(binaries, dataFolder, onLine)
    : startDirectly(binaries, dataFolder, account, onLine);

const startDirectly = async (
  { postgres }: PostgresBinaries,
  dataFolder: string,
  account: Account | null,
  onLine: (line: string) => void,
): Promise<Postmaster> => {
  const ready = Promise.withResolvers<void>();
  // A group of its own: Ctrl-C in a terminal must not reach Postgres before the API has let go of it.
  const child = spawn(postgres, ['-D', dataFolder], {
    ...spawnOptions(account, dataFolder),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const last = followLines(child, (line) => {
    if (line.includes(readyLine)) ready.resolve();
    onLine(line);
  });
  const exited = once(child, 'exit').then(() => undefined);
  exited.catch(() => undefined);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    child.kill('SIGINT');
    late.reject(startFailure([...last, `not ready after ${startDeadlineMs / 1000} s`], dataFolder));
  }, startDeadlineMs);
  try {
    await Promise.race([
      ready.promise,
      exited.then(() => {
        throw startFailure(last, dataFolder);
      }),
      late.promise,
    ]);
  } finally {
    clearTimeout(timer);
  }
  return { pid: child.pid ?? 0, exited };
};

/**
 * On Windows pg_ctl gives up an administrator's rights, which Postgres demands. The postmaster inherits pg_ctl's
 * output, so the end of that pipe is the end of the postmaster.
 */
const startThroughPgCtl = async (
  { pgCtl }: PostgresBinaries,
  dataFolder: string,
  onLine: (line: string) => void,
): Promise<Postmaster> => {
  const args = ['start', '-D', dataFolder, '-w', '-t', String(startDeadlineMs / 1000)];
  const child = spawn(pgCtl, args, { ...spawnOptions(null, dataFolder), stdio: ['ignore', 'pipe', 'pipe'] });
  const last = followLines(child, onLine);
  const exited = once(child, 'close').then(() => undefined);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw startFailure(last, dataFolder);
  const [pid] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n');
  return { pid: Number(pid), exited };
};

const startFailure = (lastLines: readonly string[], dataFolder: string): StartupError =>
  new StartupError(
    `Postgres could not start in ${dirname(dataFolder)}: ${lastLines.join(' | ') || 'it said nothing'}`,
  );
