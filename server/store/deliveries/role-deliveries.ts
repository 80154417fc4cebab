import { type Kysely, sql, type Transaction } from 'kysely';
import { type ReasonCode, reasons } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { lockDelivery } from './delivery-rows.ts';

/**
 * Roles are given on the Discord server, not by a game's console, and giving one twice equals giving it once. So a
 * delivery of a role is never `sending`: it waits until Discord has confirmed that its receiver has the role. Taking it
 * back is as safe, so it may be cancelled at any time.
 */
export const isForGame = sql<boolean>`deliveries.line ->> 'kind' <> 'role'`;

export const createRoleDeliveries = (db: Kysely<Tables>, changed: () => void) => ({
  /** Announces that deliveries have changed, once the transaction has committed. */
  changed,
  /** Why open deliveries wait; null: only for their turn. Repeating a reason changes nothing. */
  async tellWaiting(
    waiting: readonly { readonly id: string; readonly why: ReasonCode | null }[],
  ): Promise<void> {
    if (waiting.length === 0) return;
    const result = await sql`
      update deliveries set state = case when told.detail is null then 'pending' else 'waiting' end,
             waits_for = case when told.detail is not null then 'discord' end, detail = told.detail
      from unnest(${waiting.map(({ id }) => id)}::uuid[],
                  ${waiting.map(({ why }) => why && reasons[why])}::text[]) as told (id, detail)
      where deliveries.id = told.id and state in ('pending', 'waiting')
        and (waits_for, deliveries.detail) is distinct from (case when told.detail is not null then 'discord' end, told.detail)`.execute(
      db,
    );
    if (Number(result.numAffectedRows) > 0) changed();
  },
  /** Discord has confirmed that the member has the role: its open deliveries are done. */
  async settle(
    trx: Transaction<Tables>,
    { discordId, roleId }: { readonly discordId: string; readonly roleId: string },
  ): Promise<void> {
    const { rows } = await sql<{ readonly id: string }>`
      select deliveries.id from members
        join members as own on own.id = members.id or own.merged_into = members.id
        join deliveries on deliveries.member_id = own.id
       where members.discord_id = ${discordId} and deliveries.line ->> 'kind' = 'role'
         and deliveries.line ->> 'roleId' = ${roleId} and state in ('pending', 'waiting')
       order by deliveries.order_id, deliveries.id`.execute(trx);
    for (const { id } of rows) {
      const now = await lockDelivery(trx, id);
      if (now?.state !== 'pending' && now?.state !== 'waiting') continue;
      await trx
        .updateTable('deliveries')
        .set({
          state: 'delivered',
          certainty: 'proven',
          waits_for: null,
          detail: null,
          started_at: sql<Date>`coalesce(started_at, now())`,
          ended_at: sql<Date>`now()`,
        })
        .where('id', '=', id)
        .execute();
    }
    await sql`
      insert into discord_bought_roles (discord_id, role_id)
      select ${discordId}, ${roleId} where exists (
        select from members
          join members as own on own.id = members.id or own.merged_into = members.id
          join deliveries on deliveries.member_id = own.id
         where members.discord_id = ${discordId} and deliveries.line ->> 'kind' = 'role'
           and deliveries.line ->> 'roleId' = ${roleId} and state = 'delivered' and refunded_at is null)
      on conflict do nothing`.execute(trx);
  },
});

/**
 * After a restore, a role may have been given that the database does not know. It is given again, which changes
 * nothing, or taken back when its delivery is cancelled.
 */
export const renewRestoredRoles = async (db: Kysely<Tables>): Promise<void> => {
  await sql`
    with renewed as (
      update deliveries set epoch = (select epoch from store_state)
       where line ->> 'kind' = 'role' and state in ('pending', 'waiting')
         and epoch < (select epoch from store_state)
      returning member_id, line ->> 'roleId' as role_id)
    insert into discord_bought_roles (discord_id, role_id)
    select distinct members.discord_id, renewed.role_id
      from renewed join members on members.id = castellan_member_today(renewed.member_id)
     where members.discord_id is not null
    on conflict do nothing`.execute(db);
};
