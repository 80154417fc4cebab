import type { Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Log } from '#runtime/log.ts';
import type { AuditLogsTable } from '../audit/audit.tables.ts';
import { pruneAuditLogs } from '../audit/audit-retention.ts';
import type { QueueName } from '../queues/queues.ts';
import type { WorkerDeclaration } from '../queues/workers.ts';

const queue = 'maintenance' satisfies QueueName;
const daySeconds = 86_400;
const askIntervalMs = 3_600_000;

export interface MaintenanceOptions {
  readonly db: Kysely<{ audit_logs: AuditLogsTable }>;
  readonly auditLogRetentionDays: number;
  readonly log: Log;
}

export const maintenanceWorker = ({
  db,
  auditLogRetentionDays,
  log,
}: MaintenanceOptions): WorkerDeclaration => ({
  queue,
  batchSize: 1,
  handle: async () => {
    const deleted = await pruneAuditLogs(db, auditLogRetentionDays);
    if (deleted > 0) log.info({ deleted }, 'old audit rows were deleted');
  },
});

/** Asks every hour; the queue takes one job a day. */
export const scheduleMaintenance = (boss: PgBoss, log: Log): Disposable => {
  const ask = () => {
    boss
      .send(queue, {}, { singletonSeconds: daySeconds })
      .catch((error: unknown) =>
        log.warn({ err: error }, 'maintenance could not be scheduled; tried again in an hour'),
      );
  };
  ask();
  const timer = setInterval(ask, askIntervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
};
