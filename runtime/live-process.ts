import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether the process runs. One that has ended, and that its parent has not asked about yet, does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return !isZombie(pid);
};

const isZombie = (pid: number): boolean => isInState(pid, 'Z');

/** Whether a signal has stopped it (SIGSTOP), so that it does nothing until another one. Told on Linux alone. */
export const isStopped = (pid: number): boolean => isInState(pid, 'T');

/** One that is gone is in any state. */
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

/** Sends a signal; false when there is no such process, or it is not ours to end. */
export const signalProcess = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

const pollMs = 50;

/** Whether all of them have ended within this time. */
export const endWithin = async (pids: readonly number[], ms: number): Promise<boolean> => {
  const until = performance.now() + ms;
  while (pids.some(isAlive)) {
    if (performance.now() > until) return false;
    await delay(pollMs);
  }
  return true;
};
