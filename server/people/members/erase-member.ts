import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { holdMembers } from './held-members.ts';
import { lockPlayersOf } from './merging.ts';

/**
 * Removes what identifies a member, in the caller's transaction. Ledger entries, orders and deliveries stay, with only the
 * member's number. The console's history and the audit log record what staff did and stay until they expire; entries about
 * what people did for themselves lose the names of players and Discord users.
 * @returns the deleted players
 */
export const eraseMember = async (
  trx: Kysely<Tables>,
  memberId: string,
  version: number,
): Promise<readonly string[] | Refusal> => {
  await lockPlayersOf(trx, memberId);
  const held = await holdMembers(trx, [memberId], 'change');
  if (isRefusal(held)) return held;
  if (held.get(memberId)?.version !== version) return refuse('CONFLICT');
  const ids = await everyIdOf(trx, memberId);
  const open = await countOpenDeliveries(trx, ids);
  if (open > 0)
    return refuse(
      'DELIVERY_STATE',
      `${open === 1 ? 'A delivery is' : `${open} deliveries are`} open or at the desk: cancel or decide them first.`,
    );

  const taken = await countHeld(trx, ids);
  if (taken > 0)
    return refuse(
      'DELIVERY_STATE',
      `${taken === 1 ? 'Something that was given for a time is' : `${taken} things that were given for a time are`} not taken back yet: end it or decide it first.`,
    );
  if (await isBeingTakenBack(trx, ids))
    return refuse(
      'DELIVERY_STATE',
      'What a refunded order gave is not taken back in the game yet: wait for its server, or archive it first.',
    );

  if (await isBanned(trx, memberId))
    return refuse(
      'DELIVERY_STATE',
      'The member is banned, or a ban is not lifted on every server yet: lift it first, and wait until the servers have it.',
    );

  await forgetBans(trx, memberId);
  const players = await trx
    .deleteFrom('players')
    .where('member_id', '=', memberId)
    .returning(['id', 'platform_id'])
    .execute();
  const playerIds = players.map(({ id }) => id);
  await sql`
    delete from event_logs where kind in ('player.joined', 'player.left', 'chat.message')
      and payload ->> 'playerId' = any (${playerIds}::text[])`.execute(trx);
  await forgetDeliveryTexts(trx, ids);
  await sql`
    delete from agent_commands as sent
     using entitlement_places as place join entitlements as lasting on lasting.id = place.entitlement_id
     where lasting.member_id = any (${ids}::bigint[]) and sent.id like 'lasting.' || place.id || '.%'`.execute(
    trx,
  );
  await sql`
    delete from entitlement_places where entitlement_id in (
      select id from entitlements where member_id = any (${ids}::bigint[]))`.execute(trx);
  await forgetShopReceivers(
    trx,
    ids,
    players.flatMap(({ platform_id }) => platform_id ?? []),
  );
  const accounts = await forgetDiscord(trx, ids);
  await forgetActor(trx, ids, [
    ...playerIds.map((id) => `player:${id}`),
    ...accounts.map((id) => `discord:${id}`),
  ]);
  await sql`
    delete from ledger_notes where entry_id in (
      select id from ledger where from_member = any (${ids}::bigint[])
      union all select id from ledger where to_member = any (${ids}::bigint[])
    )`.execute(trx);
  await trx.deleteFrom('member_link_codes').where('member_id', 'in', ids).execute();
  await sql`
    update member_merges set discord_id = null
    where (kept_id = any (${ids}::bigint[]) or merged_id = any (${ids}::bigint[])) and discord_id is not null`.execute(
    trx,
  );
  await trx
    .updateTable('members')
    .set((row) => ({ discord_id: null, erased_at: sql<Date>`now()`, version: row('version', '+', 1) }))
    .where('id', 'in', ids)
    .execute();
  return playerIds;
};

/** A ban could not be lifted without the player's name. */
const isBanned = async (trx: Kysely<Tables>, memberId: string): Promise<boolean> => {
  const { rows } = await sql`
    select from players as player where player.member_id = ${memberId} and (
      exists (select from bans where player_id = player.id and ended_at is null)
      or exists (
        select from ban_places as place join game_servers as server on server.id = place.server_id
        where place.player_id = player.id and (place.is_sent or not place.is_settled) and server.archived_at is null)
    ) limit 1`.execute(trx);
  return rows.length > 0;
};

/** That there was a ban, when and by whom concerns the staff and stays. */
const forgetBans = async (trx: Kysely<Tables>, memberId: string): Promise<void> => {
  await sql`
    delete from agent_commands as sent using ban_places as place join players as player on player.id = place.player_id
    where player.member_id = ${memberId} and sent.id like 'ban.%' and split_part(sent.id, '.', 2) = place.id::text`.execute(
    trx,
  );
  await sql`
    update bans set player_name = '', platform_id = null, reason = ''
    where player_id in (select id from players where member_id = ${memberId})`.execute(trx);
};

/** A person on the Discord server stays there, and becomes a new member with the bot's next list. */
const forgetDiscord = async (
  trx: Kysely<Tables>,
  memberIds: readonly string[],
): Promise<readonly string[]> => {
  const { rows } = await sql<{ id: string }>`
    select discord_id as id from members where id = any (${memberIds}::bigint[]) and discord_id is not null`.execute(
    trx,
  );
  const accounts = rows.map(({ id }) => id);
  await sql`delete from discord_guild_members where discord_id = any (${accounts}::text[])`.execute(trx);
  await sql`
    delete from event_logs where kind in ('discord.member-joined', 'discord.member-left')
      and payload ->> 'discordId' = any (${accounts}::text[])`.execute(trx);
  return accounts;
};

/** What the person did for themselves keeps an id and no name. What they did as staff, through Discord, stays unchanged. */
const forgetActor = async (
  trx: Kysely<Tables>,
  memberIds: readonly string[],
  actors: readonly string[],
): Promise<void> => {
  const theirs = sql`actor = any (${actors}::text[]) and actor_name is not null`;
  const ids = sql`any (${memberIds}::bigint[])`;
  await sql`select set_config('castellan.erasure', 'on', true)`.execute(trx);
  await sql`
    update audit_logs set actor_name = null
    where ${theirs} and (action like 'members.%' or action like 'orders.%' or action like 'rewards.%'
      or action = 'players.set-survivor-number' and actor like 'player:%')`.execute(trx);
  await sql`
    update ledger set actor_name = null
    where ${theirs} and (from_member = ${ids} or to_member = ${ids})`.execute(trx);
  await sql`select set_config('castellan.erasure', 'off', true)`.execute(trx);
  await sql`update orders set actor_name = null where ${theirs} and member_id = ${ids}`.execute(trx);
  await sql`
    update member_merges set actor_name = null
    where ${theirs} and (kept_id = ${ids} or merged_id = ${ids})`.execute(trx);
};

/** The ids of the member and of the members merged into it. */
const everyIdOf = async (trx: Kysely<Tables>, memberId: string): Promise<readonly string[]> => {
  const rows = await trx.selectFrom('members').select('id').where('merged_into', '=', memberId).execute();
  return [memberId, ...rows.map(({ id }) => id)];
};

const countOpenDeliveries = async (trx: Kysely<Tables>, memberIds: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from deliveries as delivery
    where member_id = any (${memberIds}::bigint[]) and (
      state in ('pending', 'waiting', 'sending', 'unknown') or desk_reason is not null
      or exists (select from delivery_attempts where delivery_id = delivery.id and ended_at is null)
      or exists (
        select from delivery_attempts as attempt join agent_commands as sent on sent.id = attempt.command_id
        where attempt.delivery_id = delivery.id and sent.done_at is null and sent.expires_at > now())
    )`.execute(trx);
  return rows[0]?.count ?? 0;
};

/** What a game still holds for them could not be removed without their name. */
const countHeld = async (trx: Kysely<Tables>, memberIds: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from entitlement_places where state in ('held', 'taking', 'giving', 'unknown') and entitlement_id in (
        select id from entitlements where member_id = any (${memberIds}::bigint[]))
      union all
      select from entitlement_grants where not is_placed and entitlement_id in (
        select id from entitlements where member_id = any (${memberIds}::bigint[]))) as open`.execute(trx);
  return rows[0]?.count ?? 0;
};

/** The same applies to what a refund removes. */
const isBeingTakenBack = async (trx: Kysely<Tables>, memberIds: readonly string[]): Promise<boolean> => {
  const { rows } = await sql`
    select from counter_commands where state in ('waiting', 'sent') and delivery_id in (
      select id from deliveries where member_id = any (${memberIds}::bigint[])) limit 1`.execute(trx);
  return rows.length > 0;
};

/**
 * Commands, replies and details name the player. A command without an agent's answer is cleared too: it has expired, so an
 * agent does not run it again, and a later answer finds no row.
 */
const forgetDeliveryTexts = async (trx: Kysely<Tables>, memberIds: readonly string[]): Promise<void> => {
  const theirs = sql`member_id = any (${memberIds}::bigint[])`;
  await sql`
    delete from agent_commands where (done_at is not null or expires_at <= now()) and id in (
      select command_id from delivery_attempts where delivery_id in (select id from deliveries where ${theirs})
      union all
      select command_id from counter_commands where delivery_id in (select id from deliveries where ${theirs}))`.execute(
    trx,
  );
  await sql`update deliveries set player_id = null, asking_player_id = null, detail = null where ${theirs}`.execute(
    trx,
  );
  await sql`
    update delivery_attempts set player_id = null, command = '', reply = null, detail = null, evidence = '{}'
    where delivery_id in (select id from deliveries where ${theirs})`.execute(trx);
};

/** Receivers as outside shops named them; orders that were never given are found only by the id of their account. */
const forgetShopReceivers = async (
  trx: Kysely<Tables>,
  memberIds: readonly string[],
  platformIds: readonly string[],
): Promise<void> => {
  const ids = sql`any (${memberIds}::bigint[])`;
  // Shops write it with or without the platform, and with or without hyphens.
  const bare = (id: RawBuilder<unknown>) =>
    sql`replace(regexp_replace(lower(${id}), '^[a-z]+[:_-]', ''), '-', '')`;
  await sql`
    update shop_events set facts = facts - 'receiver'
    where facts #>> '{receiver,kind}' in ('id', 'text') and ${bare(sql`facts #>> '{receiver,text}'`)} in (
      select ${bare(sql`id`)} from unnest(${platformIds}::text[]) as id)`.execute(trx);
  await sql`
    update shop_events set facts = facts - 'receiver'
    where shop_order_id in (
      select wanted.id from shop_orders as wanted left join orders as bought on bought.id = wanted.order_id
       where wanted.receiver_id = ${ids} or bought.receiver_id = ${ids})`.execute(trx);
};
