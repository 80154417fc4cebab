import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import { type LogName, logNames } from '#contracts/kernel/logs.ts';
import type { Log } from '#runtime/log.ts';
import { runPeriodically } from '#runtime/run-periodically.ts';
import { deleteExpired } from '../kernel/logs/log-retention.ts';
import { logTables } from '../kernel/logs/log-usage.ts';
import { type QueueName, queues } from '../kernel/queues/queues.ts';
import type { WorkerDeclaration } from '../kernel/queues/workers.ts';

const queue = 'maintenance' satisfies QueueName;
const daySeconds = 86_400;
const askIntervalMs = 3_600_000;
/** Less than the queue's own limit, after which the job counts as lost; the rest is deleted the next day. */
const deadlineMs = 0.8 * queues[queue].expireInSeconds * 1000;

interface MaintenanceOptions<Tables> {
  readonly db: Kysely<Tables>;
  readonly retentionDays: Readonly<Record<LogName, number>>;
  /** What other features have to clean up. */
  readonly tasks: readonly MaintenanceTask[];
  readonly log: Log;
}

export interface MaintenanceTask {
  /** For the log. */
  readonly name: string;
  /** Deletes expired rows in batches. @returns how many */
  run(signal: AbortSignal): Promise<number>;
}

export const maintenanceWorker = <Tables>({
  db,
  retentionDays,
  tasks,
  log,
}: MaintenanceOptions<Tables>): WorkerDeclaration => ({
  queue,
  batchSize: 1,
  handle: async (_jobs, halt) => {
    const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), halt]);
    for (const name of logNames) {
      const table = logTables[name];
      const deleted = await deleteExpired({ db, table, retentionDays: retentionDays[name], signal });
      if (deleted > 0) log.info({ log: name, deleted }, 'deleted expired rows');
    }
    for (const task of tasks) {
      const deleted = await task.run(signal);
      if (deleted > 0) log.info({ task: task.name, deleted }, 'deleted expired rows');
    }
  },
});

/** Runs every hour; the queue takes one job a day for each retention, so a changed one takes effect immediately. */
export const scheduleMaintenance = (
  boss: PgBoss,
  { audit, events }: MaintenanceOptions<unknown>['retentionDays'],
  log: Log,
): Disposable => {
  const singletonKey = `audit ${audit}, events ${events}`;
  return runPeriodically({
    intervalMs: askIntervalMs,
    startsAtOnce: true,
    work: () => boss.send(queue, {}, { singletonSeconds: daySeconds, singletonKey }),
    failure: 'could not schedule maintenance; will retry in an hour',
    log,
  });
};
