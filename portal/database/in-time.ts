/** Longer than any healthy answer, shorter than the patience of whoever probes us. */
const deadlineMs = 2000;

/** What a question to the database comes to. @throws when it takes longer than a probe waits */
export const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('the database did not answer in time')), deadlineMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
