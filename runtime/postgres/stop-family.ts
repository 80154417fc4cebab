import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { endWithin, isAlive, signalProcess } from '../live-process.ts';
import { systemEnv } from '../system-env.ts';
import { type Family, familyAmong, familyOf, postgresProcesses, readLock } from './family.ts';

const run = promisify(execFile);

/** What it takes to stop a cluster, also for another process. */
export interface StopTarget {
  readonly dataFolder: string;
  /** Only used on Windows, which has no signals. */
  readonly pgCtl: string;
}

/** How long each kind of shutdown may take before the next, harder one. */
export interface StopTimes {
  /** Ends sessions and writes everything out. */
  readonly fastMs: number;
  /** Ends at once; the next start recovers. A postmaster itself kills the children that do not follow within 5 s. */
  readonly immediateMs: number;
}

/** Together with the kill that follows they stay below the 25 s of a Windows Service where that lists its processes quickly. */
export const orderlyStop: StopTimes = { fastMs: 12_000, immediateMs: 6000 };
/** Of one that does not answer any more, or for a person who does not want to wait. */
export const hurriedStop: StopTimes = { fastMs: 5000, immediateMs: 6000 };

const killMs = 3000;
const oneRoundMs = 500;
const signalMs = 3000;

/**
 * Stops a postmaster with its children: a fast shutdown, then an immediate one, then a kill of each process. Children
 * whose postmaster is dead already are killed: they hold memory and ports that the next one needs.
 * @param only where another supervisor may have started a postmaster meanwhile, the one that is meant
 * @returns what had to be killed
 * @throws when a process cannot be ended
 */
export const stopFamily = async (
  target: StopTarget,
  times: StopTimes,
  only?: number,
): Promise<readonly number[]> => {
  const postmaster = await livingPostmaster(target);
  if (postmaster !== null && (only === undefined || postmaster === only)) {
    for (const [mode, ms] of [
      ['fast', times.fastMs],
      ['immediate', times.immediateMs],
    ] as const) {
      const until = performance.now() + ms;
      await wake(target.dataFolder);
      await tell(target, postmaster, mode);
      if (await endWithin([postmaster], until - performance.now())) break;
    }
  }
  return killFamily(() => familyOf(target.dataFolder), only);
};

/** On Windows a list of processes takes a while, so it is asked for only where the lock file's number is in use. */
export const livingPostmaster = async ({ dataFolder, pgCtl }: StopTarget): Promise<number | null> => {
  if (process.platform !== 'win32') return (await familyOf(dataFolder)).postmaster;
  const lock = await readLock(dataFolder);
  if (lock === null || !isAlive(lock.pid)) return null;
  const processes = await postgresProcesses().catch(() => null);
  if (processes) return familyAmong(processes, lock).postmaster;
  // It asks only whether a Postgres has that number, which is all that can be known here.
  return (await succeeds(pgCtl, ['status', '-D', dataFolder])) ? lock.pid : null;
};

/** A halted process (SIGSTOP) would never hear that it should stop. */
const wake = async (dataFolder: string) => {
  if (process.platform === 'win32') return;
  const { postmaster, children } = await familyOf(dataFolder);
  for (const pid of children) signalProcess(pid, 'SIGCONT');
  if (postmaster !== null) signalProcess(postmaster, 'SIGCONT');
};

const signals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

const tell = async ({ pgCtl }: StopTarget, postmaster: number, mode: keyof typeof signals) => {
  const signal = signals[mode];
  if (process.platform === 'win32')
    await succeeds(pgCtl, ['kill', signal.slice('SIG'.length), String(postmaster)]);
  else signalProcess(postmaster, signal);
};

/** A frozen postmaster leaves pg_ctl without an answer. */
const succeeds = (pgCtl: string, args: readonly string[]): Promise<boolean> =>
  run(pgCtl, [...args], { env: systemEnv(), windowsHide: true, timeout: signalMs }).then(
    () => true,
    () => false,
  );

/**
 * Kills what a listing finds until one finds nothing.
 * @throws when a process that was killed is still there after 3 s
 */
export const killFamily = async (list: () => Promise<Family>, only?: number): Promise<readonly number[]> => {
  const killed = new Set<number>();
  let until: number | null = null;
  for (;;) {
    const { postmaster, children } = await list();
    // Started meanwhile by another supervisor, which has ended what was left before.
    if (only !== undefined && postmaster !== null && postmaster !== only) return [...killed];
    // The postmaster first: it would make new ones.
    const left = postmaster === null ? children : [postmaster, ...children];
    if (left.length === 0) return [...killed];
    // From the first kill on: a listing on Windows may itself take longer.
    until ??= performance.now() + killMs;
    for (const pid of left) {
      signalProcess(pid, 'SIGKILL');
      killed.add(pid);
    }
    if (!(await endWithin(left, oneRoundMs)) && performance.now() > until)
      throw new Error(`Postgres did not stop: process ${left.join(', ')} cannot be ended`);
  }
};
