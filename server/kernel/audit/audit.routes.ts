import type { Kysely } from 'kysely';
import { type AuditFilter, auditHttp } from '#contracts/kernel/audit.ts';
import { exportCsv, exportJsonLines } from '#runtime/row-export.ts';
import type { Actor } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import { seesAddresses } from '../access/sees-addresses.ts';
import type { Tables } from '../database/tables.ts';
import { newestFirst } from '../logs/log-export.ts';
import { type LogSlice, readLogPage } from '../logs/log-page.ts';
import { type FindPlayers, readAuditPeople } from './audit-people.ts';
import { auditRowOf, readAudit, type StoredAudit } from './read-audit.ts';
import { type MemberNames, readReferenceNames } from './reference-names.ts';

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const csvColumns = {
  id: ({ id }: StoredAudit) => id,
  at: ({ at }: StoredAudit) => at.toISOString(),
  actorKind: ({ actor_kind }: StoredAudit) => actor_kind,
  actorId: ({ actor_id }: StoredAudit) => actor_id,
  actorName: ({ actor_name }: StoredAudit) => actor_name,
  action: ({ action }: StoredAudit) => action,
  target: ({ target }: StoredAudit) => target,
  address: ({ address }: StoredAudit) => address,
  before: ({ before }: StoredAudit) => json(before),
  after: ({ after }: StoredAudit) => json(after),
  detail: ({ detail }: StoredAudit) => json(detail),
};

interface AuditRoutesOptions {
  readonly db: Kysely<Tables>;
  readonly retentionDays: number;
  readonly memberNames: MemberNames;
  readonly findPlayers: FindPlayers;
}

export const bindAuditRoutes = (
  routes: ApiRoutes,
  { db, retentionDays, memberNames, findPlayers }: AuditRoutesOptions,
): void => {
  const reader = (filter: AuditFilter, actor: Actor) => {
    const isAddressSeen = seesAddresses(actor);
    return (slice: LogSlice) => readAudit(db, filter, { retentionDays, isAddressSeen }, slice);
  };
  routes.on(auditHttp.list, async ({ query }, { actor }) => {
    const { rows, ...cursors } = await readLogPage(query, reader(query, actor));
    const names = await readReferenceNames(db, rows, memberNames);
    return { rows: rows.map(auditRowOf), ...cursors, names };
  });
  routes.on(auditHttp.people, async ({ query }) => ({
    people: [...(await readAuditPeople(db, query, { retentionDays, findPlayers }))],
  }));
  routes.on(auditHttp.exportCsv, ({ query }, { actor }) =>
    exportCsv(newestFirst(reader(query, actor)), csvColumns),
  );
  routes.on(auditHttp.exportJsonLines, ({ query }, { actor }) =>
    exportJsonLines(newestFirst(reader(query, actor)), auditRowOf),
  );
};
