import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';

/** The index of the first id that belongs to no game server, archived or not; null when all exist. */
export const firstUnknownServer = async (
  db: Kysely<Tables>,
  serverIds: readonly string[],
): Promise<number | null> => {
  if (serverIds.length === 0) return null;
  const rows = await db
    .selectFrom('game_servers')
    .select('id')
    .where('id', 'in', [...new Set(serverIds)])
    .execute();
  const known = new Set(rows.map(({ id }) => id));
  const index = serverIds.findIndex((id) => !known.has(id));
  return index < 0 ? null : index;
};
