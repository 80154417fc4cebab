import type { Log } from './log.ts';

/** One run at a time: while one is under way, no other begins, so that late results are not newer ones. Never keeps the process alive. */
export const runPeriodically = (options: {
  readonly intervalMs: number;
  /** Also runs once now. */
  readonly startsAtOnce?: boolean;
  /** Every process runs it, so it must tolerate that another one has already done it. */
  readonly work: () => Promise<unknown>;
  /** The log message when the work fails; the next run tries again. */
  readonly failure: string;
  readonly log: Log;
}): Disposable => {
  const { intervalMs, startsAtOnce = false, work, failure, log } = options;
  let isRunning = false;
  const run = () => {
    if (isRunning) return;
    isRunning = true;
    work()
      .catch((error: unknown) => log.warn({ err: error }, failure))
      .finally(() => {
        isRunning = false;
      });
  };
  const timer = setInterval(run, intervalMs).unref();
  if (startsAtOnce) run();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
