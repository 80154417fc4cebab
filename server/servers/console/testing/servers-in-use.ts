import type { Kysely } from 'kysely';
import type { Tables } from '../../../kernel/database/tables.ts';

/** Creates game servers with these ids, in one cluster, without a link to any of them. */
export const insertServers = async (db: Kysely<Tables>, ids: readonly string[]): Promise<void> => {
  await db
    .insertInto('clusters')
    .values({ id: 'cluster', name: 'cluster', name_key: 'cluster', description: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .insertInto('game_servers')
    .values(
      ids.map((id) => ({
        id,
        cluster_id: 'cluster',
        name: id,
        name_key: id,
        game: 'minecraft' as const,
        host: null,
        port: 25_575,
        password: null,
      })),
    )
    .execute();
};
