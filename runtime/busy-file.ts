import { setTimeout as delay } from 'node:timers/promises';

/** A scanner may hold each new file for many seconds (isaacs/node-graceful-fs#104); a lost database or move costs more. */
const scannerMs = 20_000;
/** For what is cheap to lose. */
export const briefMs = 1300;
const firstPauseMs = 5;
const longestPauseMs = 500;

/** Removes what a scanner may hold as patiently: after each failure `rm` waits for one delay longer. */
export const patientRemoval = { recursive: true, force: true, maxRetries: 19, retryDelay: 100 } as const;

/** On Windows, a file that another program (a reader, a virus scanner) has open refuses access for a while. */
export const isBusy = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'EBUSY' || (process.platform === 'win32' && ['EPERM', 'EACCES'].includes(code));
};

/** The pauses between the tries, in milliseconds: longer and longer, and no longer altogether than the patience. */
export function* pausesWithin(patienceMs: number): Generator<number> {
  let pauseMs = firstPauseMs;
  for (let leftMs = patienceMs; leftMs > 0; leftMs -= pauseMs) {
    pauseMs = Math.min(pauseMs * 2, longestPauseMs, leftMs);
    yield pauseMs;
  }
}

/** Retries while the file is busy. What may change in the meantime, such as a lock, the action checks at each try. */
export const whenNotBusy = async <T>(action: () => Promise<T>, patienceMs = scannerMs): Promise<T> => {
  for (const pauseMs of pausesWithin(patienceMs)) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await delay(pauseMs);
  }
  return action();
};
