import { type Kysely, sql } from 'kysely';
import type { StatusTarget } from '#contracts/discord/discord-status.ts';
import type { Tables } from '../../kernel/database/tables.ts';

/** The names of targets in use, by kind and id; read from the database, which knows them even right after a start. */
export const namesOfTargets = async (
  db: Kysely<Tables>,
  targets: readonly StatusTarget[],
): Promise<(target: StatusTarget) => string | undefined> => {
  const ids = [...new Set(targets.map(({ id }) => id))];
  const { rows } = await sql<{ kind: string; id: string; name: string }>`
    select 'server' as kind, id, name from game_servers
     where id = any (${ids}::text[]) and archived_at is null
    union all
    select 'cluster', id, name from clusters where id = any (${ids}::text[]) and archived_at is null`.execute(
    db,
  );
  const nameOf = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  return ({ kind, id }) => nameOf.get(`${kind} ${id}`);
};
