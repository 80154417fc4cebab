import { setTimeout as delay } from 'node:timers/promises';

const triesMs = [5, 10, 20, 40, 80, 160, 320, 640];

/** On Windows, a file that another program (a reader, a virus scanner) has open refuses access for a moment. */
export const isBusy = (error: unknown): boolean => {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code === 'EBUSY' || (process.platform === 'win32' && ['EPERM', 'EACCES'].includes(code));
};

/** Retries for about a second and a quarter while the file is busy. */
export const whenNotBusy = async <T>(action: () => Promise<T>): Promise<T> => {
  for (const pauseMs of triesMs) {
    try {
      return await action();
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await delay(pauseMs);
  }
  return action();
};
