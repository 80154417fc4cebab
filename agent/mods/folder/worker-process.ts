import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import type { Socket } from 'node:net';
import { isSea } from 'node:sea';
import { isStopped } from '#runtime/live-process.ts';
import { environmentOf, type GameAccount } from '../../power/holder/game-account.ts';
import type { HeldFile } from '../mod-files.ts';
import { ModsError } from '../mods-error.ts';
import { errorOf, FolderWorkerError } from './worker-errors.ts';
import { forgetWorker, recordWorker } from './worker-records.ts';
import {
  bytesChannel,
  createLineParts,
  type WorkerRequest,
  workActionName,
  workerAnswer,
} from './worker-wire.ts';

/** The program of this process, even if another version has replaced it on disk: both use the same wire format. */
export const ownWorkerProgram = (): readonly string[] =>
  isSea() ? ['/proc/self/exe'] : [process.execPath, process.argv[1] ?? ''];

/** One process with the rights of an account. It does one thing at a time. */
export interface WorkerProcess {
  readonly account: GameAccount;
  /** It accepts no more requests. */
  readonly isGone: boolean;
  /** @throws what the work throws, the reason of `signal`, or {FolderWorkerError} */
  ask(request: WorkerRequest, signal?: AbortSignal): Promise<unknown>;
  /** Copies a file that only this process may read. */
  put(source: HeldFile, to: string, signal: AbortSignal): Promise<void>;
  /** While it waits for the next request, it keeps no process alive. */
  rest(): void;
  end(): Promise<void>;
}

/** In characters; a list of 500 files with all their metadata stays below. */
const longestAnswer = 64 * 1024 * 1024;
const mostComplaints = 2000;
const endMs = 3000;
const stoppedLookMs = 2000;

export const startWorker = async (
  account: GameAccount,
  program: readonly string[],
  stateFolder: string,
): Promise<WorkerProcess> => {
  const [executable = process.execPath, ...args] = program;
  const child = spawn(executable, [...args, workActionName], {
    cwd: '/',
    env: environmentOf(account),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const bytes = child.stdio[bytesChannel] as Socket;
  let waiting: PromiseWithResolvers<string> | null = null;
  let complaints = '';
  let isGone = false;
  const { promise: gone, resolve: tellGone } = Promise.withResolvers<FolderWorkerError>();
  const onEnd = (why: string) => {
    isGone = true;
    tellGone(
      new FolderWorkerError(
        `The work in the server's folder as ${account.name} ended early (${complaints.trim() || why}).`,
      ),
    );
  };
  child.on('error', (error) => onEnd(error.message));
  child.on('exit', (code, signal) => onEnd(`${signal ?? code}`));
  // The end of the process reports what fails there.
  child.stdin.on('error', () => undefined);
  bytes.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaints = (complaints + chunk).slice(0, mostComplaints);
  });
  const kill = () => {
    isGone = true;
    child.kill('SIGKILL');
  };
  const lines = createLineParts((line) => {
    // It must not write unasked.
    if (waiting === null) kill();
    waiting?.resolve(line);
    waiting = null;
  }, longestAnswer);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (!lines(text)) kill();
  });
  // Each is a socket, which Node's types do not say.
  const streams = [child.stdin, child.stdout, child.stderr, bytes] as unknown as Socket[];
  const holdOpen = (isHeld: boolean) => {
    for (const one of [child, ...streams]) isHeld ? one.ref() : one.unref();
  };
  const say = (value: object) => child.stdin.write(`${JSON.stringify(value)}\n`);

  const noBytes = async (): Promise<Error | null> => null;
  /** @param send sends more than the request; resolves with a fault in what it sends */
  const ask = async (request: WorkerRequest, signal?: AbortSignal, send = noBytes): Promise<unknown> => {
    signal?.throwIfAborted();
    if (isGone) throw await gone;
    holdOpen(true);
    const answered = Promise.withResolvers<string>();
    waiting = answered;
    signal?.addEventListener('abort', kill);
    // Its account may stop it for good: everything that waits for it, such as the start of the game, would wait too.
    const looking = setInterval(() => {
      if (child.pid !== undefined && isStopped(child.pid)) kill();
    }, stoppedLookMs);
    const isEnded = gone.then((error) => {
      throw error;
    });
    try {
      say(request);
      const sent = send().then((fault) => {
        // It would wait for the rest.
        if (fault !== null) kill();
        return fault;
      });
      const line = await Promise.race([answered.promise, isEnded]).catch(async (error: unknown) => {
        throw (await sent) ?? error;
      });
      await sent;
      const answer = workerAnswer.parse(JSON.parse(line));
      if ('error' in answer) throw errorOf(answer.error, account);
      return answer.value;
    } catch (error) {
      // Killed half-way: it must be gone before another one works there.
      if (signal?.aborted) await gone;
      signal?.throwIfAborted();
      throw error;
    } finally {
      waiting = null;
      clearInterval(looking);
      signal?.removeEventListener('abort', kill);
    }
  };

  const sendFile = async ({ path, bytes: count }: HeldFile): Promise<Error | null> => {
    let sent = 0;
    try {
      if (count > 0)
        for await (const chunk of createReadStream(path, { end: count - 1, highWaterMark: 1024 * 1024 })) {
          sent += (chunk as Buffer).length;
          const isWritten = await new Promise<boolean>((resolve) => {
            bytes.write(chunk, (error) => resolve(!error));
          });
          // The exit of the process carries the reason.
          if (!isWritten) return null;
        }
    } catch (error) {
      return error as Error;
    }
    return sent === count ? null : new ModsError(`${path} is not what was downloaded any more. Try again.`);
  };

  const end = async () => {
    holdOpen(true);
    child.stdin.end();
    // Its account may have stopped it.
    const late = setTimeout(kill, endMs);
    await gone;
    clearTimeout(late);
    if (child.pid !== undefined) await forgetWorker(stateFolder, child.pid);
  };
  try {
    if (child.pid === undefined) throw await gone;
    await recordWorker(stateFolder, child.pid);
    const { uid, gid, groups } = account;
    say({ uid, gid, groups });
  } catch (error) {
    kill();
    throw error;
  }
  return {
    account,
    get isGone() {
      return isGone;
    },
    ask: (request, signal) => ask(request, signal),
    async put(source, to, signal) {
      const { path, bytes: count, sha512 } = source;
      await ask({ put: { to, bytes: count, sha512, from: path } }, signal, () => sendFile(source));
    },
    rest: () => holdOpen(false),
    end,
  };
};
