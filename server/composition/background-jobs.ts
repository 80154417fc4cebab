import type { LogName } from '#contracts/kernel/logs.ts';
import type { Log } from '#runtime/log.ts';
import type { Leases } from '../kernel/commands/leases.ts';
import type { JobSender } from '../kernel/queues/job-sender.ts';
import {
  createQueueControl,
  type QueueControl,
  type QueueControlOptions,
} from '../kernel/queues/queue-control.ts';
import { startQueueEngine, stopQueueEngine } from '../kernel/queues/queue-engine.ts';
import type { QueuePauses } from '../kernel/queues/queue-pauses.ts';
import { createWorkers, type WorkerDeclaration, type Workers } from '../kernel/queues/workers.ts';
import { reencryptionWorker } from '../kernel/secrets/reencryption.ts';
import {
  type MaintenanceTask,
  maintenanceWorker,
  scheduleMaintenance,
} from '../operations/maintenance/maintenance.ts';
import type { Storage } from './storage.ts';
import type { Store } from './store.ts';

/** The queues, and their workers. */
interface BackgroundJobs extends AsyncDisposable {
  readonly workers: Workers;
  readonly queueControl: QueueControl;
  /** Called once the schema is in place: jobs can be sent, and workers take them. */
  start(): Promise<void>;
}

export const createBackgroundJobs = (options: {
  readonly leases: Leases;
  readonly storage: Pick<Storage, 'database' | 'notifications' | 'secrets' | 'sealedColumns'>;
  readonly jobs: JobSender;
  readonly pauses: QueuePauses;
  readonly retentionDays: Readonly<Record<LogName, number>>;
  /** What features have to clean up. */
  readonly maintenance: readonly MaintenanceTask[];
  readonly deliveries: Store['deliveries'];
  readonly mods: QueueControlOptions['mods'];
  /** What a test may use instead of the real ones. */
  readonly workers?: readonly WorkerDeclaration[] | undefined;
  readonly log: Log;
}): BackgroundJobs => {
  const { leases, storage, jobs, pauses, retentionDays, deliveries, log } = options;
  const { notifications, secrets, sealedColumns: columns } = storage;
  const { pool, db } = storage.database;
  const running = new AsyncDisposableStack();

  const workers = createWorkers(
    options.workers ?? [
      maintenanceWorker({
        db,
        retentionDays,
        tasks: [...options.maintenance, ...deliveries.maintenance],
        log,
      }),
      deliveries.worker,
      reencryptionWorker({ db, columns, secrets, log }),
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
