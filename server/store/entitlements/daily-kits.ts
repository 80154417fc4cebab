import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { addDeliveries, type NewDelivery } from '../deliveries/new-deliveries.ts';
import type { StoreContext } from '../store-context.ts';
import { addUp, type Group, lockGroup } from './add-up.ts';
import { provenBy } from './proven-end.ts';

const mostAtOnce = 200;

/** As Postgres writes a date. */
export const dayIn = (timeZone: string, at: Date): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(at)
    .map(({ type, value }) => [type, value] as const);
  const { year, month, day } = Object.fromEntries(parts);
  return `${year}-${month}-${day}`;
};

type KitContext = Pick<StoreContext, 'db' | 'settings' | 'jobs' | 'now'>;

const giveOne = (
  context: KitContext,
  entitlementId: string,
  orderId: string,
  zone: string,
): Promise<string | null> =>
  retryDeadlocks(context.db, async (trx) => {
    const at = new Date(context.now());
    const day = dayIn(zone, at);
    // A refund of the order is finished before its kits are read.
    await sql`select from orders where id = ${orderId} for share`.execute(trx);
    const group = await lockGroup(trx, entitlementId);
    if (!group || !(await addUp(trx, group, { now: at })) || (await hasDay(trx, group, day))) return null;
    const grant = await readNewestKit(trx, group);
    if (!grant) return null;
    const isFirst = dayIn(zone, grant.givenAt) >= day;
    const kit = isFirst || (await isWaiting(trx, group)) ? [] : await readKit(trx, group, grant);
    const isRestored = await wasRestoredOn(trx, day, zone);
    const rows = kit.map((row, place) => ({ ...row, id: kitIdOf(row, day, place), isRestored }));
    const added = rows.length === 0 ? [] : await addDeliveries(context, trx, rows);
    await trx
      .insertInto('entitlement_days')
      .values(group.ids.map((id) => ({ entitlement_id: id, day, delivery_ids: [...added] })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return added.length > 0 ? group.memberId : null;
  });

/** Gives today's kits that were not given yet. @returns the members who have new deliveries */
export const giveKits = async (context: KitContext): Promise<readonly string[]> => {
  const { db, settings, now } = context;
  const zone = (await settings.values('general')).timeZone;
  const at = new Date(now());
  const { rows } = await sql<{ readonly id: string; readonly orderId: string }>`
    select distinct on (lasting.id) lasting.id, line.order_id as "orderId"
      from entitlement_grants as given join entitlements as lasting on lasting.id = given.entitlement_id
      join order_lines as line on line.id = given.order_line_id
      join members as person on person.id = castellan_member_today(lasting.member_id) and person.erased_at is null
     where given.is_daily and given.revoked_at is null and given.ended_at is null
       and lasting.ended_at is null and lasting.ends_at > ${provenBy(at, sql`lasting.id`)}
       and not exists (select from entitlement_days as had
         where had.entitlement_id = lasting.id and had.day = ${dayIn(zone, at)}::date)
     order by lasting.id, given.given_at desc limit ${mostAtOnce}`.execute(db);
  const memberIds = new Set<string>();
  for (const { id, orderId } of rows) {
    const memberId = await giveOne(context, id, orderId, zone);
    if (memberId !== null) memberIds.add(memberId);
  }
  return [...memberIds];
};

/** A copy from before that day does not know the kits that were given on it. */
const wasRestoredOn = async (trx: Kysely<Tables>, day: string, zone: string): Promise<boolean> => {
  const { epoch_since: since } = await trx
    .selectFrom('store_state')
    .select('epoch_since')
    .executeTakeFirstOrThrow();
  return since !== null && day <= dayIn(zone, since);
};

/** The same for the same day, so that a game that keeps a record tells after a restore whether it gave the kit. */
const kitIdOf = (
  { orderId, orderLineId, line }: Pick<NewDelivery, 'orderId' | 'orderLineId' | 'line'>,
  day: string,
  place: number,
): string => {
  const digest = createHash('sha256')
    .update(JSON.stringify(['kit', orderId, orderLineId, line.position, day, place]))
    .digest('hex');
  // A UUID of version 8: RFC 9562, 5.8.
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
};

interface NewestKit {
  readonly orderLineId: string;
  readonly position: number;
  readonly givenAt: Date;
  readonly endsAt: Date | null;
}

const hasDay = async (trx: Kysely<Tables>, { ids }: Group, day: string): Promise<boolean> => {
  const { rows } = await sql`
    select from entitlement_days where entitlement_id = any (${ids}::bigint[]) and day = ${day}::date limit 1`.execute(
    trx,
  );
  return rows.length > 0;
};

const readNewestKit = async (trx: Kysely<Tables>, { ids }: Group): Promise<NewestKit | null> => {
  const { rows } = await sql<NewestKit>`
    select given.order_line_id as "orderLineId", given.position, given.given_at as "givenAt", lasting.ends_at as "endsAt"
      from entitlement_grants as given join entitlements as lasting on lasting.id = given.entitlement_id
     where entitlement_id = any (${ids}::bigint[]) and is_daily and revoked_at is null and given.ended_at is null
     order by given.given_at desc, given.delivery_id limit 1`.execute(trx);
  return rows[0] ?? null;
};

/** A kit of an earlier day has not been fetched: kits do not pile up. One that a restore sent to the desk delays no other. */
const isWaiting = async (trx: Kysely<Tables>, { ids }: Group): Promise<boolean> => {
  const { rows } = await sql`
    select from entitlement_grants as given
      join deliveries on deliveries.order_line_id = given.order_line_id
        and (deliveries.line ->> 'position')::integer = given.position
     where given.entitlement_id = any (${ids}::bigint[]) and given.is_daily
       and deliveries.state in ('pending', 'waiting', 'sending', 'unknown')
       and deliveries.desk_reason is distinct from 'restored' limit 1`.execute(trx);
  return rows.length > 0;
};

/** What was bought, once more, for free. It can be fetched until the end. */
const readKit = async (
  trx: Kysely<Tables>,
  { ids }: Group,
  { orderLineId, position, endsAt }: NewestKit,
): Promise<readonly NewDelivery[]> => {
  const { rows } = await sql<Omit<NewDelivery, 'points' | 'expiresAt'> & { readonly line: DeliveryLine }>`
    select order_id as "orderId", order_line_id as "orderLineId", member_id as "memberId", game,
           cluster_ids as "clusterIds", server_ids as "serverIds", line,
           case when asking_player_id is not null then
             jsonb_build_object('playerId', asking_player_id::text, 'serverId', asking_server_id) end as "askedBy"
      from deliveries
     where order_line_id = ${orderLineId} and (line ->> 'position')::integer = ${position} and refunded_at is null
       and id not in (select unnest(delivery_ids) from entitlement_days where entitlement_id = any (${ids}::bigint[]))
     order by number`.execute(trx);
  return rows.map((row) => ({ ...row, points: 0, expiresAt: endsAt }));
};
