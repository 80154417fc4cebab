import { within } from '#runtime/within.ts';

/** Longer than any healthy answer, shorter than a probe waits. */
const deadlineMs = 2000;

/** The database's answer. @throws if it takes longer than a probe waits */
export const withTimeout = <T>(answer: Promise<T>): Promise<T> =>
  within(deadlineMs, answer, () => {
    throw new Error('the database did not answer in time');
  });
