import type { AuditLogsTable } from '../audit/audit.tables.ts';
import type { QueueFailuresTable } from '../queues/queues.tables.ts';

export interface Tables {
  audit_logs: AuditLogsTable;
  queue_failures: QueueFailuresTable;
}
