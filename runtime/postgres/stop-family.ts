import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { endWithin, isAlive, signalProcess } from '../live-process.ts';
import { systemEnv } from '../system-env.ts';
import { type Family, familyAmong, familyOf, postgresProcesses, readLock } from './family.ts';

const run = promisify(execFile);

/** What is needed to stop a cluster, also from another process. */
export interface StopTarget {
  readonly dataFolder: string;
  /** Only used on Windows, which has no signals. */
  readonly pgCtl: string;
}

/** How long each kind of shutdown may take before the next, harder one. */
export interface StopTimes {
  /** Ends sessions and writes everything out. */
  readonly fastMs: number;
  /** Ends immediately; the next start recovers. A postmaster itself kills the children that do not exit within 5 s. */
  readonly immediateMs: number;
}

/** With the kill that follows they stay below the 25 s of a Windows Service, provided that it lists its processes quickly. */
export const orderlyStop: StopTimes = { fastMs: 12_000, immediateMs: 6000 };
/** For a cluster that no longer responds, or a person who does not want to wait. */
export const hurriedStop: StopTimes = { fastMs: 5000, immediateMs: 6000 };

const killMs = 3000;
const oneRoundMs = 500;
const signalMs = 3000;

/**
 * Stops a postmaster and its children: a fast shutdown, then an immediate one, then a kill of each process. Children of a dead
 * postmaster are killed: they hold memory and ports that the next one needs.
 * @param only the postmaster to stop, where another supervisor may have started one in between
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

/** On Windows a list of processes takes a while, so it is requested only when the lock file's pid is in use. */
export const livingPostmaster = async ({ dataFolder, pgCtl }: StopTarget): Promise<number | null> => {
  if (process.platform !== 'win32') return (await familyOf(dataFolder)).postmaster;
  const lock = await readLock(dataFolder);
  if (lock === null || !isAlive(lock.pid)) return null;
  const processes = await postgresProcesses().catch(() => null);
  if (processes) return familyAmong(processes, lock).postmaster;
  // It only checks whether a Postgres has that pid, which is all that can be known here.
  return (await succeeds(pgCtl, ['status', '-D', dataFolder])) ? lock.pid : null;
};

/** A halted process (SIGSTOP) would never receive the order to stop. */
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

/** With a frozen postmaster, pg_ctl never returns. */
const succeeds = (pgCtl: string, args: readonly string[]): Promise<boolean> =>
  run(pgCtl, [...args], { env: systemEnv(), windowsHide: true, timeout: signalMs }).then(
    () => true,
    () => false,
  );

/**
 * Kills what a listing finds until it finds nothing.
 * @throws when a killed process still exists after 3 s
 */
export const killFamily = async (list: () => Promise<Family>, only?: number): Promise<readonly number[]> => {
  const killed = new Set<number>();
  let until: number | null = null;
  for (;;) {
    const { postmaster, children } = await list();
    // Another supervisor has started this one in between, and ended what was left before.
    if (only !== undefined && postmaster !== null && postmaster !== only) return [...killed];
    // The postmaster first: it would start new children.
    const left = postmaster === null ? children : [postmaster, ...children];
    if (left.length === 0) return [...killed];
    // Counted from the first kill: a listing on Windows may itself take longer.
    until ??= performance.now() + killMs;
    for (const pid of left) {
      signalProcess(pid, 'SIGKILL');
      killed.add(pid);
    }
    if (!(await endWithin(left, oneRoundMs)) && performance.now() > until)
      throw new Error(`Postgres did not stop: process ${left.join(', ')} cannot be ended`);
  }
};
