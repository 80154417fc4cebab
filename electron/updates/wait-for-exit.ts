import { setTimeout as delay } from 'node:timers/promises';

export interface AwaitedProcess {
  readonly name: string;
  readonly pid: number;
}

const betweenLooksMs = 200;

/**
 * Waits until each of them is gone. Another process that has since got the ID of one counts as it: then nothing is installed,
 * which does no harm.
 * @returns those that are still there at the deadline
 */
export const waitForExit = async (
  processes: readonly AwaitedProcess[],
  deadlineMs: number,
): Promise<readonly AwaitedProcess[]> => {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const left = processes.filter(({ pid }) => isThere(pid));
    if (left.length === 0 || performance.now() > until) return left;
    await delay(betweenLooksMs);
  }
};

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account is there, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
