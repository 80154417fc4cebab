import * as z from 'zod';
import { filterText } from './filter-text.ts';
import { endpoint } from './http.ts';
import { exportTypes } from './logs.ts';
import { bidirectionalPageOf, bidirectionalPageQuery } from './paging.ts';

/** One action of somebody: who, from where, what, on what, and what it changed. */
export const auditRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.object({
      /** `admin`, `api-key`, `desktop`, `bot`, `discord`, `player`, `shop`, `local`; `operator` for SQL by the command line. */
      kind: z.string(),
      /** Empty where a kind has only one. */
      id: z.string(),
      /** As it was at the time; null when it was not kept. */
      name: z.string().nullable(),
    }),
    /** Such as `admins.create`. */
    action: z.string(),
    /** Such as `admin:<id>`. */
    target: z.string().nullable(),
    /** Null also for those who may not see admins and their sessions. */
    address: z.string().nullable(),
    /** What changed, sensitive values masked; null where nothing stood before or stands after. */
    before: z.unknown(),
    after: z.unknown(),
    /** What else belongs to the action, such as the statement of `sql.run`. */
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof auditRow>;

const word = filterText(200);

/** What is given must all hold. */
export const auditFilter = z.object({
  /** A kind of actor, or one of its kind: `bot`, `admin:<id>`. */
  actor: word.optional(),
  action: word.optional(),
  target: word.optional(),
  /** Not before. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Before. */
  to: z.iso.datetime({ offset: true }).optional(),
  /** Stands somewhere in the row, whatever its case. */
  text: word.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

const reading = {
  method: 'GET',
  access: 'audit.read',
  problems: ['UNAUTHENTICATED', 'FORBIDDEN', 'DATABASE_UNAVAILABLE'],
} as const;

export const auditHttp = {
  list: endpoint({
    ...reading,
    path: '/api/audit',
    summary: 'Read the audit log, newest first',
    query: auditFilter.extend(bidirectionalPageQuery.shape),
    response: bidirectionalPageOf(auditRow),
  }),
  exportCsv: endpoint({
    ...reading,
    path: '/api/audit/export.csv',
    summary: 'Export the audit log as CSV, newest first',
    query: auditFilter,
    response: z.string(),
    contentType: exportTypes.csv,
    download: 'castellan-audit.csv',
  }),
  exportJsonLines: endpoint({
    ...reading,
    path: '/api/audit/export.jsonl',
    summary: 'Export the audit log, one JSON document a line, newest first',
    query: auditFilter,
    response: z.string(),
    contentType: exportTypes.jsonLines,
    download: 'castellan-audit.jsonl',
  }),
} as const;
