import type pg from 'pg';
import type { Kernel } from '../../kernel/kernel.ts';
import { retentionDaysOf } from '../../kernel/logs/log-retention.ts';
import {
  createQueueControl,
  type QueueControl,
  type QueueControlOptions,
} from '../../kernel/queues/queue-control.ts';
import { startQueueEngine, stopQueueEngine } from '../../kernel/queues/queue-engine.ts';
import { createWorkers, type WorkerDeclaration, type Workers } from '../../kernel/queues/workers.ts';
import { reencryptionWorker } from '../../kernel/secrets/reencryption.ts';
import type { DescribedColumn } from '../../kernel/secrets/sealed-column.ts';
import { type MaintenanceTask, maintenanceWorker, scheduleMaintenance } from '../maintenance.ts';

/** The queues, and their workers. */
interface BackgroundJobs extends AsyncDisposable {
  readonly workers: Workers;
  readonly queueControl: QueueControl;
  /** Called once the schema is in place: jobs can be sent, and workers take them. */
  start(): Promise<void>;
}

export const createBackgroundJobs = (
  options: Kernel & {
    readonly pool: pg.Pool;
    readonly sealedColumns: readonly DescribedColumn[];
    /** What all domains have to clean up. */
    readonly maintenance: readonly MaintenanceTask[];
    readonly deliveries: {
      readonly worker: WorkerDeclaration;
      readonly desk: QueueControlOptions['deliveries'];
    };
    readonly mods: QueueControlOptions['mods'];
    /** What a test may use instead of the real ones. */
    readonly workers?: readonly WorkerDeclaration[] | undefined;
  },
): BackgroundJobs => {
  const { db, pool, notifications, leases, secrets, jobs, pauses, sealedColumns, deliveries, log } = options;
  const retentionDays = retentionDaysOf(options.config);
  const running = new AsyncDisposableStack();

  const workers = createWorkers(
    options.workers ?? [
      maintenanceWorker({ db, retentionDays, tasks: options.maintenance, log }),
      deliveries.worker,
      reencryptionWorker({ db, columns: sealedColumns, secrets, log }),
    ],
    log,
  );
  return {
    workers,
    queueControl: createQueueControl({ db, deliveries: deliveries.desk, mods: options.mods, pauses }),
    async start() {
      const boss = await startQueueEngine({ pool, notifications, leases, log });
      running.defer(() => stopQueueEngine(boss));
      running.use(workers);
      running.use(scheduleMaintenance(boss, retentionDays, log));
      workers.attach(boss);
      jobs.attach(boss);
      await pauses.refresh();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};
