import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { StartupError } from '../program.ts';
import { within } from '../within.ts';
import { onProgress } from './progress.ts';
import { errorOf, outputFd, type TaskReport, type TaskRequest } from './protocol.ts';

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
  /**
   * What a task writes, only as fast as it is read. Destroying the stream ends the process; its errors are those of `run`.
   * The worker does nothing else.
   */
  stream<Args extends readonly unknown[]>(
    task: (output: Writable, ...args: Args) => Promise<void>,
    ...args: Args
  ): Readable;
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
  /** Called with the bytes read or copied since the last call. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
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
  const { signal, silenceMs = usualSilenceMs, onBytes } = limits;
  let child: ChildProcess | null = null;
  let stalled: StalledFolderError | null = null;

  const ask = async (to: ChildProcess, request: TaskRequest): Promise<unknown> => {
    try {
      return await askWorker(to, request, { signal, silenceMs, onBytes });
    } catch (error) {
      if (!(error instanceof Silence)) throw error;
      stalled = new StalledFolderError(healthReasons['backup-stalled'](folder, silenceMs / 1000));
      throw stalled;
    }
  };

  return {
    async run(task, ...args) {
      if (stalled !== null) throw stalled;
      signal?.throwIfAborted();
      if (entry === null) {
        onProgress((bytes) => {
          signal?.throwIfAborted();
          onBytes?.(bytes);
        });
        return task(...args).finally(() => onProgress(() => undefined));
      }
      child ??= launch(entry);
      return (await ask(child, { task: task.name, args })) as Awaited<ReturnType<typeof task>>;
    },
    stream(task, ...args) {
      if (entry === null) throw new Error('Here no process can work on files.');
      child = launch(entry, true);
      return readOutput(child, ask(child, { task: task.name, args }));
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

const launch = (entry: string, hasOutput = false): ChildProcess => {
  // Detached: Ctrl-C in a terminal is for us, who then clean up.
  const child = spawn(process.execPath, [entry], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', hasOutput ? 'pipe' : 'ignore'],
    serialization: 'advanced',
    detached: true,
    windowsHide: true,
  });
  child.on('error', () => undefined);
  return child;
};

/** @param ended rejects when the task failed; what it wrote until then is not whole */
const readOutput = (child: ChildProcess, ended: Promise<unknown>): Readable => {
  const pipe = child.stdio[outputFd] as Readable;
  const output = new Readable({
    read: () => void pipe.resume(),
    destroy(error, done) {
      void end(child);
      done(error);
    },
  });
  pipe
    .on('data', (chunk: Buffer) => output.push(chunk) || pipe.pause())
    // Only the report says whether that was all.
    .once('end', () => {
      void ended.then(
        () => output.push(null),
        () => undefined,
      );
    })
    .on('error', () => undefined);
  ended.catch((error: Error) => output.destroy(error));
  return output;
};

class Silence extends Error {}

const askWorker = async (
  child: ChildProcess,
  request: TaskRequest,
  { signal, silenceMs, onBytes }: DiskLimits & { readonly silenceMs: number },
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
    if (report.type === 'progress') onBytes?.(report.bytes);
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
