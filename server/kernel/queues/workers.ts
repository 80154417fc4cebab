import type { Job, PgBoss } from 'pg-boss';
import type { Log } from '#runtime/log.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { QueueName } from './queues.ts';

export interface WorkerDeclaration {
  readonly queue: QueueName;
  /** Jobs taken at the same time; pg-boss makes one fetch per poll. */
  readonly batchSize: number;
  /** The signal asks a long job to end early and cleanly: workers pause, or the process stops. */
  readonly handle: (jobs: readonly Job[], signal: AbortSignal) => Promise<void>;
}

export interface Workers extends AsyncDisposable {
  /** From now on the queues run. */
  attach(boss: PgBoss): void;
  /** Ends the current jobs and takes no more, until resumed. */
  pause(reason: string): void;
  resume(): void;
  /** Only these queues take no jobs, whatever the others do. */
  holdQueues(queues: ReadonlySet<string>): void;
  /** Whether workers take jobs, except for held queues. */
  readonly running: boolean;
  /** Settles when the last request has been carried out. */
  settled(): Promise<void>;
}

/** pg-boss rejects less than half a second; retried jobs are found only by polling, so this is their latency. */
const pollingIntervalSeconds = 0.5;

/** A job that runs longer during a stop goes back to its queue. */
const stopDeadlineMs = 3000;

/** Workers run while the queues run and nothing holds them back; changes are carried out one after another. */
export const createWorkers = (declarations: readonly WorkerDeclaration[], log: Log): Workers => {
  let boss: PgBoss | null = null;
  let wanted = true;
  let running = false;
  let held: ReadonlySet<string> = new Set();
  const working = new Set<QueueName>();
  let change: Promise<void> = Promise.resolve();
  let halt = new AbortController();

  const reconcile = () => {
    change = change.then(carryOut).catch((error: unknown) => {
      log.error({ err: error }, 'could not start or stop workers');
    });
  };

  const carryOut = async () => {
    const want = wanted && boss !== null;
    if (!boss) return;
    for (const { queue, batchSize, handle } of declarations) {
      const isWanted = want && !held.has(queue);
      if (isWanted === working.has(queue)) continue;
      if (isWanted) {
        const polling = { pollingIntervalSeconds, notifyPollingIntervalSeconds: pollingIntervalSeconds };
        await boss.work(queue, { batchSize, burstWhenBatchFull: batchSize > 1, ...polling }, (jobs: Job[]) =>
          handle(jobs, halt.signal),
        );
        working.add(queue);
      } else {
        await boss.offWork(queue, { wait: true });
        working.delete(queue);
      }
    }
    running = want;
  };

  return {
    attach(started) {
      boss = started;
      reconcile();
    },
    pause(reason) {
      if (wanted) log.warn({ reason }, 'pausing workers');
      wanted = false;
      halt.abort();
      reconcile();
    },
    resume() {
      if (!wanted) {
        log.info('resuming workers');
        halt = new AbortController();
      }
      wanted = true;
      reconcile();
    },
    holdQueues(queues) {
      held = queues;
      reconcile();
    },
    get running() {
      return running;
    },
    settled: () => change,
    async [Symbol.asyncDispose]() {
      wanted = false;
      halt.abort();
      reconcile();
      await waitAtMost(stopDeadlineMs, change);
    },
  };
};
