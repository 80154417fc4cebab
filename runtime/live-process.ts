import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether the process runs. A zombie, which has ended but was not yet reaped by its parent, does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
};

const isZombie = (pid: number): boolean => isInState(pid, 'Z');

/** Whether a signal has stopped it (SIGSTOP), so that it does nothing until another one. Known only on Linux. */
export const isStopped = (pid: number): boolean => isInState(pid, 'T');

/** A process that is gone counts as in any state. */
const isInState = (pid: number, letter: 'T' | 'Z'): boolean => {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The state follows the program's name, which may itself hold brackets and spaces.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith(letter);
  } catch {
    return true;
  }
};

/** Sends a signal; false when there is no such process, or we may not signal it. */
export const signalProcess = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

const pollMs = 50;

/** Whether all of them end within this time. */
export const endWithin = async (pids: readonly number[], ms: number): Promise<boolean> => {
  const until = performance.now() + ms;
  while (pids.some(isAlive)) {
    if (performance.now() > until) return false;
    await delay(pollMs);
  }
  return true;
};
