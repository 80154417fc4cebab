import type { Kysely } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { ModJobRow } from '../changes/job-rows.ts';

/** The keys of mods that came along because another one requires them, and that no one has asked for since. */
export const readDependencies = async (
  db: Kysely<Tables>,
  serverId: string,
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('mod_dependencies')
    .select('key')
    .where('server_id', '=', serverId)
    .execute();
  return new Set(rows.map(({ key }) => key));
};

/** Call it after a job that changed the set. What an undone change restores keeps its earlier status. */
export const noteDependencies = async (
  trx: Kysely<Tables>,
  { server_id, kind, lines }: Pick<ModJobRow, 'server_id' | 'kind' | 'lines'>,
): Promise<void> => {
  if (kind === 'undo') return;
  const brought = lines.filter(({ change }) => change === 'add' || change === 'adopt');
  const came = brought.filter(({ neededBy }) => neededBy !== null);
  const chosen = brought.filter(({ neededBy }) => neededBy === null);
  if (came.length > 0)
    await trx
      .insertInto('mod_dependencies')
      .values(came.map(({ key }) => ({ server_id, key })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  if (chosen.length > 0)
    await trx
      .deleteFrom('mod_dependencies')
      .where('server_id', '=', server_id)
      .where(
        'key',
        'in',
        chosen.map(({ key }) => key),
      )
      .execute();
};
