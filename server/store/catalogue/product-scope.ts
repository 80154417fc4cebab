import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { ProductDraft } from '#contracts/store/store.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** The first server or cluster of a product that is not in use or is of another game; null if all fit. */
export const findScopeFault = async (
  db: Kysely<Tables>,
  { game, clusterIds, serverIds }: Pick<ProductDraft, 'game' | 'clusterIds' | 'serverIds'>,
): Promise<string | null> => {
  if (clusterIds.length + serverIds.length === 0) return null;
  const fitting = await db
    .selectFrom('game_servers')
    .select(['id', 'cluster_id'])
    .where('game', '=', game)
    .where('archived_at', 'is', null)
    .where((where) =>
      where.or([
        ...(serverIds.length > 0 ? [where('id', 'in', serverIds)] : []),
        ...(clusterIds.length > 0 ? [where('cluster_id', 'in', clusterIds)] : []),
      ]),
    )
    .execute();
  const servers = new Set(fitting.map(({ id }) => id));
  const clusters = new Set(fitting.map(({ cluster_id }) => cluster_id));
  const server = serverIds.findIndex((id) => !servers.has(id));
  if (server !== -1) return reasons['server-unfit'](server + 1);
  const cluster = clusterIds.findIndex((id) => !clusters.has(id));
  return cluster === -1 ? null : reasons['cluster-unfit'](cluster + 1);
};
