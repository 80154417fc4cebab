/** Longer than any healthy answer, shorter than a probe waits. */
const deadlineMs = 2000;

/** The database's answer. @throws if it takes longer than a probe waits */
export const withTimeout = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the database did not answer in time')), deadlineMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
