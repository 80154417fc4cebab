import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { processEndText } from '#contracts/kernel/windows-codes/windows-answer.ts';
import { DiskFullError, isDiskFull } from '../disk-space.ts';
import { endWithin } from '../live-process.ts';
import { StartupError } from '../program.ts';
import { systemEnv } from '../system-env.ts';
import { windowsLister } from '../windows/listing.ts';
import type { Account } from './account.ts';
import type { PostgresBinaries } from './binaries.ts';
import { isStarting, lockHolder } from './family.ts';

export interface Postmaster {
  readonly pid: number;
  /** Settles when the postmaster is gone, in order or not. */
  readonly exited: Promise<void>;
}

interface PostmasterEvents {
  readonly onLine: (line: string) => void;
  readonly onSpawn: ((pid: number) => void) | undefined;
}

/** What the postmaster and all its children get. */
interface PostmasterOptions extends PostmasterEvents {
  /** Of a lock on the cluster's folder, which lasts as long as any of them; null: without one. */
  readonly lockDescriptor: number | null;
}

/** Recovery after a crash may take long, but reports its progress every 10 s. */
const silenceDeadlineMs = 60_000;
/** What follows it does not: the checkpoint at its end, and on Windows each file that a scanner looks into. */
const startingDeadlineMs = 30 * 60_000;
/** Our own deadline ends a start sooner, unless it makes progress. */
const pgCtlDeadlineSeconds = 86_400;
/** For the last output of an ended process: when several end together, its exit may be reported first. */
const lastOutputMs = 500;
const silence = (ms: number) => `not ready, and silent for ${ms / 1000} s`;

/** How every program of Postgres runs: under its account, with a minimal environment, from a folder it may enter. */
export const spawnOptions = (account: Account | null, cwd: string) => ({
  cwd,
  env: { ...systemEnv(), LC_ALL: 'C' },
  windowsHide: true,
  ...(account ? { uid: account.uid, gid: account.gid } : {}),
});

/** Passes a stream's lines to a listener and keeps the last few for an error message. */
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

/** Gives up a start that has gone silent; one that Postgres itself calls under way much later, and says so meanwhile. */
const watchSilence = (dataFolder: string, onLine: (line: string) => void, giveUp: (why: string) => void) => {
  let silentMs = 0;
  let isOver = false;
  const look = async () => {
    silentMs += silenceDeadlineMs;
    const lookedMs = silentMs;
    const mayGoOn = lookedMs < startingDeadlineMs && (await isStarting(dataFolder));
    // It has said something in the meantime.
    if (isOver || silentMs !== lookedMs) return;
    if (!mayGoOn) return giveUp(silence(lookedMs));
    onLine(
      `LOG:  Postgres is still starting, and has said nothing for ${lookedMs / 1000} s; it is waited for`,
    );
    timer.refresh();
  };
  const timer = setTimeout(() => void look(), silenceDeadlineMs);
  return {
    heard() {
      silentMs = 0;
      timer.refresh();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
};

const readyLine = 'database system is ready to accept connections';

/** Starts the postmaster of an existing data folder; resolves when it accepts connections. @throws {StartupError} */
export const startPostmaster = (
  binaries: PostgresBinaries,
  dataFolder: string,
  account: Account | null,
  options: PostmasterOptions,
): Promise<Postmaster> =>
  process.platform === 'win32'
    ? startThroughPgCtl(binaries, dataFolder, options)
    : startDirectly(binaries, dataFolder, account, options);

const startDirectly = async (
  { postgres }: PostgresBinaries,
  dataFolder: string,
  account: Account | null,
  { onLine, onSpawn, lockDescriptor }: PostmasterOptions,
): Promise<Postmaster> => {
  const ready = Promise.withResolvers<void>();
  // A separate process group: Ctrl-C in a terminal must not reach Postgres before the API has released it.
  const child = spawn(postgres, ['-D', dataFolder], {
    ...spawnOptions(account, dataFolder),
    stdio: ['ignore', 'pipe', 'pipe', ...(lockDescriptor === null ? [] : [lockDescriptor])],
    detached: true,
  });
  if (child.pid !== undefined) onSpawn?.(child.pid);
  const late = Promise.withResolvers<never>();
  const watch = watchSilence(dataFolder, onLine, (why) => {
    child.kill('SIGINT');
    late.reject(startFailure([...last, why], dataFolder));
  });
  const last = followLines(child, (line) => {
    watch.heard();
    if (line.includes(readyLine)) ready.resolve();
    onLine(line);
  });
  const exited = once(child, 'exit').then(() => undefined);
  exited.catch(() => undefined);
  const closed = once(child, 'close').catch(() => undefined);
  try {
    await Promise.race([
      ready.promise,
      exited.then(async () => {
        await Promise.race([closed, delay(lastOutputMs)]);
        throw startFailure(last, dataFolder);
      }),
      late.promise,
    ]);
  } finally {
    watch.end();
  }
  return { pid: child.pid ?? 0, exited };
};

/**
 * On Windows pg_ctl drops an administrator's rights, as Postgres demands. The postmaster and its children inherit pg_ctl's output
 * and may hold that pipe open after the postmaster's death, so only the process itself shows whether it runs.
 */
const startThroughPgCtl = async (
  { pgCtl }: PostgresBinaries,
  dataFolder: string,
  { onLine }: PostmasterEvents,
): Promise<Postmaster> => {
  const args = ['start', '-D', dataFolder, '-w', '-t', String(pgCtlDeadlineSeconds)];
  const child = spawn(pgCtl, args, { ...spawnOptions(null, dataFolder), stdio: ['ignore', 'pipe', 'pipe'] });
  let late: string | null = null;
  const watch = watchSilence(dataFolder, onLine, (why) => {
    late = why;
    child.kill();
  });
  const last = followLines(child, (line) => {
    watch.heard();
    onLine(line);
  });
  const closed = once(child, 'close').catch(() => undefined);
  const [code] = await once(child, 'exit').finally(() => watch.end());
  if (code !== 0) {
    await Promise.race([closed, delay(lastOutputMs)]);
    const why = late !== null ? late : code === null ? null : processEndText(code, 'en');
    // What earlier processes left could not be ended where they are not listed.
    const unlisted = windowsLister.silence();
    throw startFailure(
      [...last, why, unlisted].filter((line) => line !== null),
      dataFolder,
    );
  }
  const pid = await lockHolder(dataFolder);
  if (pid === null) throw startFailure([...last, 'it ended at once'], dataFolder);
  const exited = endWithin([pid], Number.POSITIVE_INFINITY).then(async () => {
    await Promise.race([closed, delay(lastOutputMs)]);
    for (const stream of [child.stdout, child.stderr]) stream?.destroy();
  });
  return { pid, exited };
};

const startFailure = (lastLines: readonly string[], dataFolder: string): StartupError => {
  // On a full disk Postgres also hints at damaged data and the last backup, which would cost everything written since.
  const full = lastLines.filter((line) => isDiskFull(new Error(line)));
  return full.length > 0
    ? new DiskFullError(
        `The disk of ${dataFolder} is full. Make room on it, and Postgres starts again. It said: ${full.join(' | ')}`,
      )
    : new StartupError(
        `Postgres could not start in ${dirname(dataFolder)}: ${lastLines.join(' | ') || 'it said nothing'}`,
      );
};
