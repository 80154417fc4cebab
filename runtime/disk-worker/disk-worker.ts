import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { healthReasons } from '#contracts/health-reasons.ts';
import { StartupError } from '../program.ts';
import { within } from '../within.ts';
import { errorOf, type TaskReport, type TaskRequest } from './protocol.ts';

/** Works in a folder that may stop answering, in a process of its own: that one can be given up, a thread of ours cannot. */
export interface DiskWorker extends AsyncDisposable {
  /**
   * Runs a function of `tasks.ts` there. Its arguments and its result are copied; only one runs at a time.
   * @throws {StalledFolderError} when the task reports no progress for too long; every later task is refused in the same way
   * @throws what the task throws, and the signal's reason
   */
  run<Args extends readonly unknown[], Result>(
    task: (...args: Args) => Promise<Result>,
    ...args: Args
  ): Promise<Result>;
}

/** A folder stopped answering while something was copied. What is half-made there stays, and the next backup removes it. */
export class StalledFolderError extends StartupError {}

/**
 * No chunk was read or written for this long. A server for NFS that restarts refuses everything for 90 s (the grace period of
 * NFSv4), Windows gives a share up after about a minute, and a disk that sleeps takes half of one.
 */
const usualSilenceMs = 180_000;
/** Counted in steps, so that a computer that slept, or a busy process of ours, is no silence. */
const steps = 12;
/** For the program itself to load, which says nothing of the folder. */
const startMs = 60_000;
const endDeadlineMs = 1000;

export interface DiskLimits {
  /** Ends a task at once. */
  readonly signal?: AbortSignal | undefined;
  /** How long a task may report no progress. */
  readonly silenceMs?: number | undefined;
}

/** Beside our bundle, or among the sources. Null in Electron, whose executable starts no other programs. */
const entry = ((): string | null => {
  const path = import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'main.ts')
    : join(import.meta.dirname, 'disk-worker.mjs');
  return process.versions.electron === undefined && existsSync(path) ? path : null;
})();

/** @param folder named when it stops answering */
export const openDiskWorker = (folder: string, limits: DiskLimits = {}): DiskWorker => {
  const { signal, silenceMs = usualSilenceMs } = limits;
  let child: ChildProcess | null = null;
  let stalled: StalledFolderError | null = null;

  return {
    async run(task, ...args) {
      if (stalled !== null) throw stalled;
      signal?.throwIfAborted();
      if (entry === null) return task(...args);
      child ??= launch(entry);
      try {
        return (await askWorker(child, { task: task.name, args }, { signal, silenceMs })) as Awaited<
          ReturnType<typeof task>
        >;
      } catch (error) {
        if (!(error instanceof Silence)) throw error;
        stalled = new StalledFolderError(healthReasons['backup-stalled'](folder, silenceMs / 1000));
        throw stalled;
      }
    },
    async [Symbol.asyncDispose]() {
      if (child === null) return;
      const ended = child.exitCode !== null || child.signalCode !== null ? null : end(child);
      if (ended !== null) await within(endDeadlineMs, ended, () => undefined);
    },
  };
};

/** One that the kernel does not let go of ends when the folder answers again; we do not wait for it. */
const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
    child.unref();
    if (child.connected) child.disconnect();
  });

const launch = (entry: string): ChildProcess => {
  // Detached: Ctrl-C in a terminal is for us, who then clean up.
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    detached: true,
    windowsHide: true,
  });
  child.on('error', () => undefined);
  return child;
};

class Silence extends Error {}

const askWorker = async (
  child: ChildProcess,
  request: TaskRequest,
  { signal, silenceMs }: DiskLimits & { readonly silenceMs: number },
): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const stepMs = silenceMs / steps;
  let leftMs = silenceMs + startMs;
  const timer = setInterval(() => {
    leftMs -= stepMs;
    if (leftMs <= 0) reject(new Silence());
  }, stepMs);
  const onReport = (report: TaskReport) => {
    leftMs = silenceMs;
    if (report.type === 'done') resolve(report.result);
    if (report.type === 'failed') reject(errorOf(report.fault));
  };
  const onEnd = () => reject(new Error(`The process that works on the files ended (${request.task}).`));
  const onAbort = () => reject(signal?.reason);
  child.on('message', onReport).once('exit', onEnd).once('error', onEnd);
  signal?.addEventListener('abort', onAbort);
  child.send(request, (error) => error && onEnd());
  try {
    return await promise;
  } finally {
    clearInterval(timer);
    child.off('message', onReport).off('exit', onEnd).off('error', onEnd);
    signal?.removeEventListener('abort', onAbort);
  }
};
