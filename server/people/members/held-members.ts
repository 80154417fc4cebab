import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

type Trx = Kysely<Tables>;

export interface HeldMember {
  readonly id: string;
  readonly discord_id: string | null;
  readonly version: number;
}

/**
 * Locks members until the transaction ends: `share` against merging and erasing, `change` against everyone else who locks
 * them. Locks are taken in the order players, members, orders, deliveries, products, wallets.
 */
export const holdMembers = async (
  trx: Trx,
  ids: readonly string[],
  mode: 'share' | 'change',
): Promise<ReadonlyMap<string, HeldMember> | Refusal> => {
  const query = trx.selectFrom('members').selectAll().where('id', 'in', ids).orderBy('id');
  const rows = await (mode === 'share' ? query.forShare() : query.forNoKeyUpdate()).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  if (ids.some((id) => !found.has(id))) return refuse('NOT_FOUND');
  const gone = rows.find(({ merged_into, erased_at }) => merged_into !== null || erased_at !== null);
  if (!gone) return found;
  return refuse(
    'MEMBER_GONE',
    gone.merged_into === null
      ? reasons['member-was-erased'](gone.id)
      : reasons['member-was-merged'](gone.id, gone.merged_into),
  );
};

/** The member after all merges, locked against merging and erasing until the transaction ends; null if it does not exist. */
export const memberToday = async (
  trx: Trx,
  id: string,
): Promise<{ readonly id: string; readonly isErased: boolean } | null> => {
  const row = await trx
    .selectFrom('members')
    .select(['id', 'merged_into', 'erased_at'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  if (!row) return null;
  return row.merged_into === null
    ? { id: row.id, isErased: row.erased_at !== null }
    : memberToday(trx, row.merged_into);
};
