import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { moveBetweenWallets } from '../../store/ledger-entries.ts';
import { type HeldMember, holdMembers } from './held-members.ts';

type Trx = Kysely<Tables>;
type HeldMembers = ReadonlyMap<string, HeldMember>;

/** The actor, as stored in rows. */
export interface ChangedBy {
  readonly actor: string;
  readonly actorName: string | null;
}

export interface MemberPair {
  readonly keptId: string;
  readonly mergedId: string;
  /** The Discord account shown for the kept member; absent: none was. */
  readonly keptDiscordId?: string | undefined;
}

interface Merged {
  readonly playerIds: readonly string[];
  readonly points: number;
}

const move = async (trx: Trx, fromMember: string, toMember: string, points: bigint, by: ChangedBy) => {
  if (points > 0n)
    await moveBetweenWallets(trx, { kind: 'merge', fromMember, toMember, points: String(points), by });
};

/** In the caller's transaction, which writes the audit row and retries deadlocks. */
export const mergeMembers = async (trx: Trx, pair: MemberPair, by: ChangedBy): Promise<Merged | Refusal> => {
  const { keptId, mergedId } = pair;
  await lockPlayersOf(trx, mergedId);
  const held = await holdMembers(trx, [keptId, mergedId], 'change');
  if (isRefusal(held)) return held;
  const refused = refuseMerge(held, pair);
  if (refused) return refused;
  const [keptDiscordId, discordId] = discordIdsOf(held, { keptId, mergedId });

  const players = await trx
    .updateTable('players')
    .set({ member_id: keptId })
    .where('member_id', '=', mergedId)
    .returning('id')
    .execute();
  const balances = await lockBalances(trx, [keptId, mergedId]);
  const points = balances.get(mergedId) ?? 0n;
  await move(trx, mergedId, keptId, points, by);
  const former = await trx
    .updateTable('members')
    .set({ merged_into: keptId })
    .where('merged_into', '=', mergedId)
    .returning('id')
    .execute();
  await change(trx, mergedId, { merged_into: keptId, discord_id: null });
  await change(trx, keptId, { discord_id: keptDiscordId ?? discordId });
  await trx.deleteFrom('member_link_codes').where('member_id', '=', mergedId).execute();
  const playerIds = players.map(({ id }) => id);
  await trx
    .insertInto('member_merges')
    .values({
      kept_id: keptId,
      merged_id: mergedId,
      player_ids: playerIds,
      member_ids: former.map(({ id }) => id),
      discord_id: discordId,
      points: String(points),
      entries_before: sql`(select coalesce(max(id), 0) from ledger)`,
      actor: by.actor,
      actor_name: by.actorName,
    })
    .execute();
  return { playerIds, points: Number(points) };
};

/** As for `mergeMembers`. */
export const undoMerge = async (
  trx: Trx,
  { keptId, mergeId }: { readonly keptId: string; readonly mergeId: string },
  by: ChangedBy,
): Promise<(Merged & { readonly mergedId: string }) | Refusal> => {
  const found = await trx
    .selectFrom('member_merges')
    .selectAll()
    .where('id', '=', mergeId)
    .where('kept_id', '=', keptId)
    .executeTakeFirst();
  if (!found) return refuse('NOT_FOUND');
  const { merged_id: mergedId, player_ids: playerIds, member_ids: formerIds } = found;
  await lockPlayers(trx, playerIds);
  // The merged member is reached only through the kept one, so locking that one is enough.
  const held = await holdMembers(trx, [keptId], 'change');
  if (isRefusal(held)) return held;
  const { isOpen, playerMembers } = await readState(trx, mergeId, playerIds);
  if (!isOpen) return refuse('MERGE_REFUSED', 'This merge was undone already.');
  if (playerIds.length > 0 && playerMembers.length === 0)
    return refuse('MERGE_REFUSED', 'The players of this merge are not there any more.');
  if (playerMembers.some((memberId) => memberId !== keptId))
    return refuse('MERGE_REFUSED', 'Its players belong to another member by now.');

  await change(trx, mergedId, { merged_into: null });
  await sql`
    update members set merged_into = ${mergedId}
    where id = any (${formerIds}::bigint[]) and merged_into = ${keptId}`.execute(trx);
  if (found.discord_id !== null && held.get(keptId)?.discord_id === found.discord_id) {
    await change(trx, keptId, { discord_id: null });
    await change(trx, mergedId, { discord_id: found.discord_id });
  } else await change(trx, keptId, {});
  // A code issued while the two were merged would merge them again.
  await trx.deleteFrom('member_link_codes').where('member_id', '=', keptId).execute();
  await sql`update players set member_id = ${mergedId} where id = any (${playerIds}::bigint[])`.execute(trx);
  const balances = await lockBalances(trx, [keptId, mergedId]);
  const left = balances.get(keptId) ?? 0n;
  const since = await refundedSince(trx, [mergedId, ...formerIds], found.entries_before);
  const owed = BigInt(found.points) + since;
  const points = owed < 0n ? 0n : owed < left ? owed : left;
  await move(trx, keptId, mergedId, points, by);
  await trx
    .updateTable('member_merges')
    .set({ undone_at: sql<Date>`now()`, points_returned: String(points) })
    .where('id', '=', mergeId)
    .execute();
  return { mergedId, playerIds, points: Number(points) };
};

const discordIdsOf = (held: HeldMembers, { keptId, mergedId }: MemberPair) =>
  [held.get(keptId)?.discord_id ?? null, held.get(mergedId)?.discord_id ?? null] as const;

/** Why these two cannot become one member; null: they can. */
export const refuseMerge = (held: HeldMembers, pair: MemberPair): Refusal | null => {
  if (pair.keptId === pair.mergedId) return refuse('MERGE_REFUSED', 'The two are the same member.');
  if (pair.keptDiscordId !== undefined && held.get(pair.keptId)?.discord_id !== pair.keptDiscordId)
    return refuse('MERGE_REFUSED', 'The Discord account is not the same any more.');
  return discordIdsOf(held, pair).includes(null)
    ? null
    : refuse('MERGE_REFUSED', 'Both members have a Discord account.');
};

const change = async (
  trx: Trx,
  id: string,
  fields: { readonly merged_into?: string | null; readonly discord_id?: string | null },
) => {
  await trx
    .updateTable('members')
    .set((row) => ({ ...fields, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
};

/** All writers lock players in the same order. */
const lockPlayers = (trx: Trx, ids: readonly string[]) =>
  sql`select from players where id = any (${ids}::bigint[]) order by identity for no key update`.execute(trx);
export const lockPlayersOf = (trx: Trx, memberId: string) =>
  sql`select from players where member_id = ${memberId} order by identity for no key update`.execute(trx);

const lockBalances = async (trx: Trx, ids: readonly string[]): Promise<ReadonlyMap<string, bigint>> => {
  const rows = await trx
    .selectFrom('wallets')
    .select(['member_id', 'balance'])
    .where('member_id', 'in', ids)
    .orderBy('member_id')
    .forUpdate()
    .execute();
  return new Map(rows.map(({ member_id, balance }) => [member_id, BigInt(balance)]));
};

/**
 * Refunds of these members' orders since the merge, minus new charges: they went to the kept member but belong to the one
 * who paid.
 */
const refundedSince = async (trx: Trx, ids: readonly string[], entriesBefore: string): Promise<bigint> => {
  const { rows } = await sql<{ points: string }>`
    select coalesce(sum(case kind when 'refund' then amount else -amount end), 0) as points
    from orders join ledger on ledger.order_id = orders.id
    where orders.member_id = any (${ids}::bigint[]) and ledger.id > ${entriesBefore}
      and kind in ('refund', 'charge')`.execute(trx);
  return BigInt(rows[0]?.points ?? 0);
};

const readState = async (trx: Trx, mergeId: string, playerIds: readonly string[]) => {
  const open = await trx
    .selectFrom('member_merges')
    .select('id')
    .where('id', '=', mergeId)
    .where('undone_at', 'is', null)
    .executeTakeFirst();
  const { rows } = await sql<{ member_id: string }>`
    select member_id from players where id = any (${playerIds}::bigint[])`.execute(trx);
  return { isOpen: open !== undefined, playerMembers: rows.map(({ member_id }) => member_id) };
};
