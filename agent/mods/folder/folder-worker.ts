import { createReadStream } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { AgentConfig } from '../../configuration/config.ts';
import type { GameAccount } from '../../power/holder/game-account.ts';
import type { HeldFile } from '../mod-files.ts';
import { copyVerified } from './copy-verified.ts';
import { folderAccount } from './folder-account.ts';
import { folderWorks, type WorkInput, type WorkName, type WorkOutput } from './folder-works.ts';
import { FolderWorkerError } from './worker-errors.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';
import { endEarlierWorkers } from './worker-records.ts';

/** A file that work in the folder can read until it is disposed. */
interface ReachableFile extends AsyncDisposable {
  readonly path: string;
}

/**
 * Does the work of a change of mods in a server's folder. If another account owns the folder and the agent is root, a process
 * with that account's rights does it; such a process can be led to nothing that the account could not reach itself.
 */
export interface FolderWorker extends AsyncDisposable {
  /** The account whose rights apply there; null: the agent's own. */
  account(): Promise<GameAccount | null>;
  /**
   * An abort ends the work wherever it is.
   * @param folder whose account's rights count; the server's by default
   */
  run<Name extends WorkName>(
    name: Name,
    input: WorkInput<Name>,
    signal?: AbortSignal,
    folder?: string,
  ): Promise<WorkOutput<Name>>;
  /** Copies a file of the agent's cache to a new one. @throws {ModsError} when it no longer matches its verified content */
  put(source: HeldFile, to: string, signal: AbortSignal): Promise<void>;
  /** The file at a path that work can read: a copy, if the account cannot read the original. */
  reach(source: HeldFile, to: string, signal: AbortSignal): Promise<ReachableFile>;
}

const never = new AbortController().signal;

/** In this process, with its own rights. */
export const ownWorker: FolderWorker = {
  account: async () => null,
  async run<Name extends WorkName>(name: Name, input: WorkInput<Name>, signal = never) {
    signal.throwIfAborted();
    const { run } = folderWorks[name] as unknown as {
      readonly run: (input: WorkInput<Name>, signal: AbortSignal) => Promise<WorkOutput<Name>>;
    };
    return run(input, signal);
  },
  put: ({ path, sha512 }, to, signal) =>
    copyVerified(createReadStream(path, { highWaterMark: 1024 * 1024 }), { to, from: path, sha512 }, signal),
  reach: async ({ path }) => ({ path, [Symbol.asyncDispose]: async () => undefined }),
  [Symbol.asyncDispose]: async () => undefined,
};

/** A change waits for people and for downloads: a process that is idle for this long ends. */
const idleMs = 10_000;

/** @param program the command that starts this program again */
export const openFolderWorker = (
  { server, stateFolder }: Pick<AgentConfig, 'server' | 'stateFolder'>,
  program: readonly string[],
): FolderWorker => {
  const idle = new Map<WorkerProcess, NodeJS.Timeout>();
  const busy = new Set<WorkerProcess>();
  let earlier: Promise<void> | null = null;
  let isClosed = false;
  /** The next agent may already be at work there. */
  const demandOpen = () => {
    if (isClosed) throw new FolderWorkerError('The agent ends.');
  };
  const accountIn = async (folder: string | undefined) => {
    if (process.geteuid?.() !== 0) return null;
    earlier ??= endEarlierWorkers(stateFolder).catch((error: unknown) => {
      earlier = null;
      throw error;
    });
    await earlier;
    return folder === undefined ? null : folderAccount({ folder, start: server?.start ?? { by: 'none' } });
  };
  const account = () => accountIn(server?.folder);
  const accountWhileOpen = async (folder = server?.folder) => {
    demandOpen();
    const as = await accountIn(folder);
    demandOpen();
    return as;
  };
  const take = async (as: GameAccount): Promise<WorkerProcess> => {
    for (const [one, timer] of idle) {
      clearTimeout(timer);
      idle.delete(one);
      if (isDeepStrictEqual(one.account, as) && !one.isGone) return one;
      await one.end();
    }
    return startWorker(as, program, stateFolder);
  };
  const giveBack = async (one: WorkerProcess) => {
    if (one.isGone) return one.end();
    one.rest();
    const timer = setTimeout(() => {
      idle.delete(one);
      void one.end();
    }, idleMs).unref();
    idle.set(one, timer);
  };
  const withWorker = async <Result>(as: GameAccount, work: (worker: WorkerProcess) => Promise<Result>) => {
    const one = await take(as);
    busy.add(one);
    try {
      return await work(one);
    } finally {
      busy.delete(one);
      await giveBack(one);
    }
  };

  const put: FolderWorker['put'] = async (source, to, signal) => {
    const as = await accountWhileOpen();
    return as ? withWorker(as, (one) => one.put(source, to, signal)) : ownWorker.put(source, to, signal);
  };
  const run = async <Name extends WorkName>(
    name: Name,
    input: WorkInput<Name>,
    signal?: AbortSignal,
    folder?: string,
  ): Promise<WorkOutput<Name>> => {
    const as = await accountWhileOpen(folder);
    if (as === null) return ownWorker.run(name, input, signal);
    const value = await withWorker(as, (one) => one.ask({ work: name, input }, signal));
    return folderWorks[name].output.parse(value) as WorkOutput<Name>;
  };
  return {
    account,
    run,
    put,
    async reach(source, to, signal) {
      if ((await account()) === null) return ownWorker.reach(source, to, signal);
      await put(source, to, signal);
      return { path: to, [Symbol.asyncDispose]: () => run('removeFile', { path: to }) };
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...idle.keys(), ...busy].map((one) => one.end()));
      idle.clear();
    },
  };
};
