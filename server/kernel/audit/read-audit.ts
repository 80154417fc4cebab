import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AuditFilter, AuditRow } from '#contracts/kernel/audit.ts';
import type { Tables } from '../database/tables.ts';
import { boundsOf, type LogBounds } from '../logs/log-bounds.ts';
import type { LogSlice } from '../logs/log-page.ts';

export interface StoredAudit {
  readonly id: string;
  readonly at: Date;
  readonly actor_kind: string;
  readonly actor_id: string;
  readonly actor_name: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly address: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly detail: Record<string, unknown>;
}

export const auditRowOf = (row: StoredAudit): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  target: row.target,
  address: row.address,
  before: row.before,
  after: row.after,
  detail: row.detail,
});

/** A piece of the audit log; expired rows are not shown, whether they are deleted already or not. */
export const readAudit = async (
  db: Kysely<{ audit_logs: Tables['audit_logs'] }>,
  filter: AuditFilter,
  { retentionDays, isAddressSeen }: { readonly retentionDays: number; readonly isAddressSeen: boolean },
  slice: LogSlice,
): Promise<readonly StoredAudit[]> => {
  // If it is not shown, it cannot be searched for either.
  const address = isAddressSeen ? sql`address` : sql`null::text as address`;
  const searched = isAddressSeen ? sql`concat_ws(' ', address, ${searchedByAll})` : searchedByAll;
  const order = slice.order === 'newest first' ? sql`at desc, id desc` : sql`at, id`;
  const { rows } = await sql<StoredAudit>`
    select id, at, actor_kind, actor_id, actor_name, action, target, ${address}, before, after, detail
    from audit_logs
    where ${sql.join(conditionsOf(filter, boundsOf(filter, retentionDays, slice), searched), sql` and `)}
    order by ${order} limit ${slice.limit}
  `.execute(db);
  return rows;
};

const searchedByAll = sql.raw(
  `concat_ws(' ', actor, actor_name, action, target, before::text, after::text, detail::text)`,
);

const conditionsOf = (
  { actor, action, target, serverId, text }: AuditFilter,
  { lower, upper }: LogBounds,
  searched: RawBuilder<unknown>,
): RawBuilder<unknown>[] => {
  const conditions = [sql`(at, id) > (${lower.at}, ${lower.id})`, sql`(at, id) < (${upper.at}, ${upper.id})`];
  if (actor !== undefined)
    conditions.push(actor.includes(':') ? sql`actor = ${actor}` : sql`actor_kind = ${actor}`);
  if (action !== undefined) conditions.push(sql`action = ${action}`);
  if (target !== undefined) conditions.push(sql`target = ${target}`);
  if (serverId !== undefined)
    conditions.push(sql`castellan_audit_servers(target, before, after) @> array[${serverId}]::text[]`);
  if (text !== undefined) conditions.push(sql`${searched} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`);
  return conditions;
};
