import { createId } from '@paralleldrive/cuid2';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import type { Cluster, ClusterChange, NewCluster } from '#contracts/servers/clusters.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { refuseTaken } from '../../kernel/database/unique-violation.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** An arbitrary number that nothing else in this database locks. */
const clustersLock = 7_214_302;

/**
 * Refuses one cluster more than the license allows. Clusters come into use one at a time, so the count holds until the
 * transaction ends. Clusters already in use are never taken away, even when the license has shrunk.
 */
const refuseBeyondLicense = async (
  trx: Kysely<Tables>,
  maxClusters: number | null,
): Promise<Refusal | null> => {
  await sql`select pg_advisory_xact_lock(${clustersLock})`.execute(trx);
  if (maxClusters === null) return null;
  const { inUse } = await trx
    .selectFrom('clusters')
    .select(({ fn }) => fn.countAll<string>().as('inUse'))
    .where('archived_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(inUse) < maxClusters) return null;
  return refuse(
    'CLUSTER_LIMIT',
    `The license allows ${maxClusters} in use at once, and ${inUse} are in use.`,
  );
};

export type Clusters = ReturnType<typeof createClusters>;

type Trx = Kysely<Tables>;

export const createClusters = ({
  db,
  maxClusters,
}: {
  readonly db: Kysely<Tables>;
  /** From the current license; null: unlimited. */
  readonly maxClusters: () => number | null;
}) => {
  /** The index keeps names unique, even against concurrent writers. */
  const transact = (work: (trx: Trx) => Promise<Cluster | Refusal>): Promise<Cluster | Refusal> =>
    refuseTaken(db.transaction().execute(work), 'clusters_name', refuse('NAME_TAKEN'));

  const changeRow = (
    id: string,
    by: AuditContext,
    work: (trx: Trx, row: ClusterRow) => Promise<Cluster | Refusal>,
  ) => {
    const refusal = refuseActor(by.actor);
    if (refusal) return Promise.resolve(refusal);
    return transact(async (trx) => {
      const row = await trx
        .selectFrom('clusters')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst();
      return row ? work(trx, row) : refuse('NOT_FOUND');
    });
  };

  const write = async (
    trx: Trx,
    before: ClusterRow,
    columns: Updateable<Tables['clusters']>,
    entry: Entry,
  ) => {
    const row = await trx
      .updateTable('clusters')
      .set({ ...columns, version: before.version + 1 })
      .where('id', '=', before.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toCluster(row);
    await recordAudit(trx, { ...entry, target: `cluster:${row.id}`, before: toCluster(before), after });
    return after;
  };

  return {
    async list({ archived }: { readonly archived: boolean }): Promise<Cluster[]> {
      const rows = await db
        .selectFrom('clusters')
        .selectAll()
        .$if(!archived, (query) => query.where('archived_at', 'is', null))
        .orderBy('name_key')
        .orderBy('id')
        .execute();
      return rows.map(toCluster);
    },

    async create({ name, description }: NewCluster, by: AuditContext): Promise<Cluster | Refusal> {
      const refusal = refuseActor(by.actor);
      if (refusal) return refusal;
      return transact(async (trx) => {
        const beyond = await refuseBeyondLicense(trx, maxClusters());
        if (beyond) return beyond;
        const row = await trx
          .insertInto('clusters')
          .values({ id: createId(), name, name_key: nameKey(name), description })
          .returningAll()
          .executeTakeFirstOrThrow();
        const after = toCluster(row);
        await recordAudit(trx, { ...by, action: 'clusters.create', target: `cluster:${row.id}`, after });
        return after;
      });
    },

    change: (
      id: string,
      { version, name, description }: ClusterChange,
      by: AuditContext,
    ): Promise<Cluster | Refusal> =>
      changeRow(id, by, async (trx, row) => {
        if (row.archived_at) return refuse('SERVER_ARCHIVED', 'The cluster is in the archive.');
        if (row.version !== version) return refuse('CONFLICT');
        const next = { name: name ?? row.name, description: description ?? row.description };
        if (next.name === row.name && next.description === row.description) return toCluster(row);
        const columns = { ...next, name_key: nameKey(next.name) };
        return write(trx, row, columns, { ...by, action: 'clusters.change' });
      }),

    /** An archived one stays unchanged. */
    archive: (id: string, by: AuditContext): Promise<Cluster | Refusal> =>
      changeRow(id, by, async (trx, row) => {
        if (row.archived_at) return toCluster(row);
        const held = await trx
          .selectFrom('game_servers')
          .select('id')
          .where('cluster_id', '=', id)
          .where('archived_at', 'is', null)
          .executeTakeFirst();
        if (held) return refuse('CLUSTER_NOT_EMPTY');
        return write(trx, row, { archived_at: new Date() }, { ...by, action: 'clusters.archive' });
      }),

    /** One in use stays unchanged. */
    restore: (id: string, by: AuditContext): Promise<Cluster | Refusal> =>
      changeRow(id, by, async (trx, row) => {
        if (!row.archived_at) return toCluster(row);
        const beyond = await refuseBeyondLicense(trx, maxClusters());
        return beyond ?? write(trx, row, { archived_at: null }, { ...by, action: 'clusters.restore' });
      }),
  };
};

type ClusterRow = Selectable<Tables['clusters']>;
type Entry = AuditContext & { readonly action: AuditAction };

const refuseActor = (actor: Actor): Refusal | null =>
  may(actor, 'servers.write')
    ? null
    : refuse('FORBIDDEN', 'Clusters are changed by those who hold servers.write for all servers.');

const toCluster = (row: ClusterRow): Cluster => ({
  id: row.id,
  name: row.name,
  description: row.description,
  createdAt: row.created_at.toISOString(),
  archivedAt: row.archived_at?.toISOString() ?? null,
  version: row.version,
});
