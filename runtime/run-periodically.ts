import type { Log } from './log.ts';

export interface PeriodicWork {
  readonly intervalMs: number;
  /** Once now, too. */
  readonly startsAtOnce?: boolean;
  /** Each process does it, so it must not mind that another has done it already. */
  readonly work: () => Promise<unknown>;
  /** What the log says when the work fails; the next turn tries again. */
  readonly failure: string;
  readonly log: Log;
}

/** Never keeps the process alive. */
export const runPeriodically = (options: PeriodicWork): Disposable => {
  const { intervalMs, startsAtOnce = false, work, failure, log } = options;
  const run = () => {
    work().catch((error: unknown) => log.warn({ err: error }, failure));
  };
  const timer = setInterval(run, intervalMs).unref();
  if (startsAtOnce) run();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
