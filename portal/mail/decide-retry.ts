type RetryDecision = { readonly retryInMs: number } | { readonly giveUp: string };

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** About three days in total: a weekend without an administrator of the mail server. */
const delaysMs: readonly number[] = [
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  ...Array<number>(18).fill(4 * hourMs),
];

export const maxAttempts = delaysMs.length + 1;

/** @param attempts the number of attempts, including this one */
export const decideRetry = (
  attempts: number,
  { permanent, fault }: { readonly permanent: boolean; readonly fault: string },
): RetryDecision => {
  if (permanent) return { giveUp: fault };
  const delayMs = delaysMs[attempts - 1];
  return delayMs === undefined ? { giveUp: fault } : { retryInMs: delayMs };
};
