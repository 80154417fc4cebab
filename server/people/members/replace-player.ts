import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal } from '../../kernel/http/refusal.ts';
import { holdMembers } from './held-members.ts';
import { mergeMembers } from './merging.ts';

/** The actor of automatic merges. */
const bySystem = { actor: 'castellan', actorName: null };

/**
 * A player known only by name turned out to be an identified one, and its row is about to be deleted: moves what it holds.
 * Its member is merged into the other's, unless it has other players or both have a Discord account. The caller has locked
 * both player rows.
 */
export const replacePlayer = async (
  trx: Kysely<Tables>,
  { replacedId, byId }: { readonly replacedId: string; readonly byId: string },
): Promise<void> => {
  await sql`
    update survivor_numbers as moved set player_id = ${byId}
    where player_id = ${replacedId} and not exists (
      select from survivor_numbers as known where known.player_id = ${byId} and known.server_id = moved.server_id
    )`.execute(trx);
  await sql`
    update discord_whitelist_entries as moved set player_id = ${byId}
    where player_id = ${replacedId} and not exists (
      select from discord_whitelist_entries as known where known.player_id = ${byId} and known.server_id = moved.server_id
    )`.execute(trx);
  await sql`
    update entitlement_places as moved set player_id = ${byId}
    where player_id = ${replacedId} and not exists (
      select from entitlement_places as known where known.player_id = ${byId}
         and known.server_id = moved.server_id and known.entitlement_id = moved.entitlement_id
    )`.execute(trx);
  await sql`update bans set player_id = ${byId} where player_id = ${replacedId}`.execute(trx);
  await sql`
    update ban_places as moved set player_id = ${byId}, next_try_at = now()
    where player_id = ${replacedId} and not exists (
      select from ban_places as known where known.player_id = ${byId} and known.server_id = moved.server_id
    )`.execute(trx);
  const mergedId = await memberOf(trx, replacedId);
  const keptId = await memberOf(trx, byId);
  // Lock first: a concurrent merge could change which players the member has.
  const held = await holdMembers(trx, [mergedId, keptId], 'change');
  if (isRefusal(held)) throw new Error(`the member of a player is not there: ${held.refused}`);
  await sql`
    update deliveries set player_id = ${byId}
    where player_id = ${replacedId} and (state in ('pending', 'waiting', 'sending', 'unknown') or desk_reason is not null)
      and member_id in (select id from members where id = ${mergedId} or merged_into = ${mergedId})`.execute(
    trx,
  );
  await sql`
    update deliveries set asking_player_id = ${byId}
    where asking_player_id = ${replacedId}
      and member_id in (select id from members where id = ${mergedId} or merged_into = ${mergedId})`.execute(
    trx,
  );
  if (mergedId === keptId) return;
  const other = await trx
    .selectFrom('players')
    .select('id')
    .where('member_id', '=', mergedId)
    .where('id', '!=', replacedId)
    .limit(1)
    .executeTakeFirst();
  if (other) return;
  // Refused if both have a Discord account: then both stay.
  await mergeMembers(trx, { keptId, mergedId }, bySystem);
};

const memberOf = async (trx: Kysely<Tables>, playerId: string): Promise<string> => {
  const row = await trx
    .selectFrom('players')
    .select('member_id')
    .where('id', '=', playerId)
    .executeTakeFirstOrThrow();
  return row.member_id;
};
