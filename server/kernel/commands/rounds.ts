import type { Log } from '#runtime/log.ts';
import { waitAtMost } from '#runtime/within.ts';
import { isDatabaseUnavailable } from '../database/database-fault.ts';

/** Rounds of work, one after another: every few seconds, and when something may be due. */
export interface Rounds extends AsyncDisposable {
  /** Looks for work from now on. Needs the schema; safe to call twice. */
  begin(): void;
  /** Something may be due. */
  wake(): void;
  /** One round, until nothing is under way. */
  round(): Promise<void>;
  /** Since the work last made progress; null: it was never begun. */
  silentMs(): number | null;
}

const everyMs = 5000;
const stopDeadlineMs = 3000;

export const createRounds = ({
  work,
  idle,
  stopping,
  clock,
  tell,
}: {
  /** @param progress shows that a long round is alive */
  readonly work: (progress: () => void) => Promise<void>;
  /** Resolves when nothing that rounds started is under way any more. */
  readonly idle: () => Promise<void>;
  readonly stopping: AbortController;
  /** Unix time in milliseconds. */
  readonly clock: () => number;
  readonly tell: (error: unknown) => void;
}): Rounds => {
  let timer: NodeJS.Timeout | null = null;
  let last = Promise.resolve();
  let isWoken = false;
  let aliveMs: number | null = null;
  const progress = () => {
    aliveMs = clock();
  };
  const look = async (): Promise<void> => {
    await work(progress);
    progress();
  };
  const wake = () => {
    if (isWoken || timer === null) return;
    isWoken = true;
    last = last
      .catch(() => undefined)
      .then(() => {
        isWoken = false;
        return look();
      })
      .catch(tell);
  };
  return {
    begin() {
      aliveMs ??= clock();
      timer ??= setInterval(wake, everyMs).unref();
      wake();
    },
    wake,
    round() {
      last = last.catch(() => undefined).then(look);
      return last.then(idle);
    },
    // A clock that is set back counts on from there at the next round.
    silentMs: () => (aliveMs === null ? null : Math.abs(clock() - aliveMs)),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearInterval(timer ?? undefined);
      // The next process recovers what is still in flight.
      await waitAtMost(stopDeadlineMs, Promise.allSettled([last, idle()]));
    },
  };
};

/** Logs errors of work that is retried, unless the process is about to end. @param what for example `bans` */
export const logUntilStop = (
  stopping: AbortSignal,
  { log, what, failure }: { readonly log: Log; readonly what: string; readonly failure: string },
): ((error: unknown) => void) => {
  return (error) => {
    if (stopping.aborted) return;
    if (isDatabaseUnavailable(error)) log.debug({ err: error }, `${what} are waiting for the database`);
    else log.error({ err: error }, `${failure}; will retry`);
  };
};
