import * as z from 'zod';
import { endpoint } from './http.ts';

export const logNames = ['audit', 'events'] as const;
export type LogName = (typeof logNames)[number];

const logUsage = z.object({
  name: z.enum(logNames),
  /** On disk, including indexes. */
  bytes: z.int().nonnegative(),
  /** As the database estimates them. */
  rowsEstimate: z.int().nonnegative(),
  /** The oldest row still kept; null if there is none. */
  oldestAt: z.iso.datetime().nullable(),
  /** AUDIT_LOG_RETENTION_DAYS or EVENT_LOG_RETENTION_DAYS. */
  retentionDays: z.int().positive(),
});

const logsUsage = z.object({ logs: z.array(logUsage) }).meta({ id: 'LogsUsage' });
export type LogsUsage = z.infer<typeof logsUsage>;

export const logsHttp = {
  usage: endpoint({
    method: 'GET',
    path: '/api/logs/usage',
    summary: 'Return the disk space used by the audit log and the event log',
    access: 'logs.read',
    response: logsUsage,
  }),
} as const;

/** The content types in which a log is exported. */
export const exportTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonLines: 'application/x-ndjson; charset=utf-8',
} as const;
