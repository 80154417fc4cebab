import * as z from 'zod';
import { filterText } from './filter-text.ts';
import { endpoint } from './http.ts';
import { exportTypes } from './logs.ts';
import { bidirectionalPageOf, bidirectionalPageQuery } from './paging.ts';

export const actorKinds = [
  'admin',
  'api-key',
  'desktop',
  'bot',
  'discord',
  'player',
  'shop',
  'local',
] as const;
export type ActorKind = (typeof actorKinds)[number];

/** One action: who did it, from where, what, on what, and what it changed. */
const auditRow = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: z.object({
      /** One of `actorKinds`; `operator` for SQL from the command line. */
      kind: z.string(),
      /** Empty if a kind has only one member. */
      id: z.string(),
      /** The name at the time; null if it was not kept. */
      name: z.string().nullable(),
    }),
    /** For example `admins.create`. */
    action: z.string(),
    /** For example `admin:<id>`. */
    target: z.string().nullable(),
    /** Also null for callers who may not see admins and their sessions. */
    address: z.string().nullable(),
    /** What changed, with sensitive values masked; null if there was nothing before or is nothing after. */
    before: z.unknown(),
    after: z.unknown(),
    /** Other details of the action, such as the statement of `sql.run`. */
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AuditRow' });
export type AuditRow = z.infer<typeof auditRow>;

const word = filterText(200);

/** All given conditions must hold. */
const auditFilter = z.object({
  /** A kind of actor, or one actor: `bot`, `admin:<id>`. */
  actor: word.optional(),
  action: word.optional(),
  target: word.optional(),
  /** A game server: what was done to it or on it. */
  serverId: filterText(100).optional(),
  /** Inclusive. */
  from: z.iso.datetime({ offset: true }).optional(),
  /** Exclusive. */
  to: z.iso.datetime({ offset: true }).optional(),
  /** Occurs anywhere in the row, ignoring case. */
  text: word.optional(),
});
export type AuditFilter = z.output<typeof auditFilter>;

/** Someone who appears as the actor of a row in the audit log. */
const auditPerson = z
  .object({
    /** In the filter's form: `admin:<id>`, or `bot` for a kind with only one actor. */
    actor: z.string(),
    kind: z.string(),
    /** The current name, or the one at the last action; null if no name is kept. */
    name: z.string().nullable(),
    /** An admin or an API key that no longer exists. */
    isRemoved: z.boolean(),
    lastAt: z.iso.datetime(),
  })
  .meta({ id: 'AuditPerson' });
export type AuditPerson = z.infer<typeof auditPerson>;

const reading = {
  method: 'GET',
  access: 'audit.read',
} as const;

export const auditHttp = {
  list: endpoint({
    ...reading,
    path: '/api/audit',
    summary: 'List audit log entries, newest first',
    query: auditFilter.extend(bidirectionalPageQuery.shape),
    response: bidirectionalPageOf(auditRow).extend({
      /** Names of what the rows refer to, by `kind:id`: the current name, or the last one if it no longer exists. */
      names: z.record(z.string(), z.string()),
    }),
  }),
  people: endpoint({
    ...reading,
    path: '/api/audit/people',
    summary: 'List the actors in the audit log, to choose one of them; players only when searched by text',
    query: z.object({
      /** Part of the name. */
      text: word.optional(),
      /** Only this one. */
      actor: word.optional(),
    }),
    response: z.object({ people: z.array(auditPerson) }),
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
    summary: 'Export the audit log as JSON Lines, newest first',
    query: auditFilter,
    response: z.string(),
    contentType: exportTypes.jsonLines,
    download: 'castellan-audit.jsonl',
  }),
} as const;
