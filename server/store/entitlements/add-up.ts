import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { GameId } from '#contracts/servers/games.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { recordEvent } from '../../kernel/events/record-event.ts';
import { foldGrants } from './fold-grants.ts';
import { provenBy } from './proven-end.ts';

type Trx = Kysely<Tables>;

/** The rows that make up one entitlement: those of a member and of all who were merged into it. */
export interface Group {
  readonly ids: readonly string[];
  /** The current member, after merges. */
  readonly memberId: string;
  readonly game: GameId;
  readonly key: string;
  /** All of its rows were over when it was locked. */
  readonly wasOver: boolean;
}

/** Locks what belongs to the entitlement now; null: it does not exist. Everything else about it is changed under this lock. */
export const lockGroup = async (trx: Trx, entitlementId: string): Promise<Group | null> => {
  const { rows } = await sql<{
    readonly id: string;
    readonly memberId: string;
    readonly game: GameId;
    readonly key: string;
    readonly endedAt: Date | null;
  }>`
    select one.id, coalesce(person.merged_into, person.id) as "memberId", one.game, one.key, one.ended_at as "endedAt"
      from entitlements as asked
      join members as asked_person on asked_person.id = asked.member_id
      join members as person on person.id = coalesce(asked_person.merged_into, asked_person.id)
        or person.merged_into = coalesce(asked_person.merged_into, asked_person.id)
      join entitlements as one on one.member_id = person.id and one.game = asked.game and one.key = asked.key
     where asked.id = ${entitlementId}
     order by one.id for no key update of one`.execute(trx);
  const [first] = rows;
  if (!first) return null;
  const { memberId, game, key } = first;
  return {
    ids: rows.map(({ id }) => id),
    memberId,
    game,
    key,
    wasOver: rows.every(({ endedAt }) => endedAt !== null),
  };
};

/**
 * Adds up the grants of a locked group, and updates its places: what nothing holds any more is to be taken back, what
 * holds again and was not taken yet stays. Grants that were part of an end are over permanently, so that a clock that
 * is set back takes nothing back twice.
 * @returns whether it lasts
 */
export const addUp = async (
  trx: Trx,
  group: Group,
  {
    now,
    endsNow = false,
  }: {
    readonly now: Date;
    /** A person ends it, whatever its grants add up to. */
    readonly endsNow?: boolean;
  },
): Promise<boolean> => {
  const ids = sql`any (${group.ids}::bigint[])`;
  // First: changes from here on leave news that stays.
  await sql`delete from entitlement_news where entitlement_id = ${ids}`.execute(trx);
  await placeGrants(trx, group, now);
  const open = await readOpenGrants(trx, group);
  const end = endsNow ? now : foldGrants(open);
  const lasts = !endsNow && end !== null && end > (await provenAt(trx, now, ids));
  if (lasts) {
    // What was over in a merged member's own row stays over: it is reported once, even when the merge is undone.
    await sql`
      update entitlements as one set ends_at = ${end}, ended_at = null
       where id = ${ids} and (ends_at, ended_at) is distinct from (${end}::timestamptz, null::timestamptz)
         and (ended_at is null or exists (
           select from entitlement_grants as given
            where given.entitlement_id = one.id and given.revoked_at is null and given.ended_at is null))`.execute(
      trx,
    );
    await sql`
      update entitlement_places set state = 'held', changed_at = ${now}, detail = null
       where entitlement_id = ${ids} and state = 'taking' and not is_sent`.execute(trx);
    return true;
  }
  await sql`
    update entitlement_grants set ended_at = ${now}
     where entitlement_id = ${ids} and ended_at is null and revoked_at is null`.execute(trx);
  await sql`
    update entitlement_places
       set state = 'taking', changed_at = ${now}, tries = 0, next_try_at = ${now}, certainty = null, detail = null
     where entitlement_id = ${ids} and (state = 'held' or state = 'giving' and not is_sent)`.execute(trx);
  await sql`
    update entitlements set ends_at = coalesce(${end}::timestamptz, ${now}), ended_at = ${now}
     where id = ${ids} and ended_at is null`.execute(trx);
  if (!group.wasOver)
    await recordEvent(trx, 'entitlement.ended', {
      memberId: group.memberId,
      game: group.game,
      key: group.key,
      why: endsNow ? 'decided' : end === null ? 'refunded' : 'time',
    });
  return false;
};

const provenAt = async (trx: Trx, now: Date, ids: RawBuilder<unknown>): Promise<Date> => {
  const { rows } = await sql<{ readonly at: Date }>`select ${provenBy(now, ids)} as at`.execute(trx);
  return rows[0]?.at ?? now;
};

/** Records where new grants were given. What may be taken back after it was given again has to be given once more. */
const placeGrants = async (trx: Trx, group: Group, now: Date): Promise<void> => {
  const ids = sql`any (${group.ids}::bigint[])`;
  const { rows } = await sql<{
    readonly deliveryId: string;
    readonly entitlementId: string;
    readonly serverId: string | null;
    readonly playerId: string | null;
    readonly beganAt: Date | null;
  }>`
    with placed as (
      update entitlement_grants set is_placed = true
       where entitlement_id = ${ids} and not is_placed returning delivery_id, entitlement_id, given_at)
    select placed.delivery_id as "deliveryId", placed.entitlement_id as "entitlementId",
           deliveries.server_id as "serverId", deliveries.player_id as "playerId", attempt.began_at as "beganAt"
      from placed join deliveries on deliveries.id = placed.delivery_id
      left join delivery_attempts as attempt
        on attempt.delivery_id = deliveries.id and attempt.number = deliveries.attempts
     where deliveries.line ->> 'kind' = 'command'
     order by placed.given_at, placed.delivery_id`.execute(trx);
  for (const { deliveryId, entitlementId, serverId, playerId, beganAt } of rows) {
    if (serverId === null) continue;
    const { numAffectedRows } = await sql`
      update entitlement_places as place set
        delivery_id = ${deliveryId}, changed_at = ${now}, tries = 0, next_try_at = ${now}, detail = null,
        certainty = null, reply = null,
        state = case
          when place.is_sent or place.state in ('held', 'giving') then place.state
          when place.state = 'taking' or ${beganAt}::timestamptz > place.changed_at then 'held'
          else 'giving' end
      where entitlement_id = ${ids} and server_id = ${serverId} and player_id is not distinct from ${playerId}::bigint`.execute(
      trx,
    );
    if (numAffectedRows === 0n)
      await trx
        .insertInto('entitlement_places')
        .values({
          entitlement_id: entitlementId,
          server_id: serverId,
          player_id: playerId,
          delivery_id: deliveryId,
          state: 'held',
          changed_at: now,
          next_try_at: now,
        })
        .execute();
  }
};

const readOpenGrants = async (trx: Trx, group: Group) => {
  const rows = await trx
    .selectFrom('entitlement_grants')
    .select(['delivery_id', 'given_at', 'seconds', 'extends'])
    .where('entitlement_id', 'in', group.ids)
    .where('revoked_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute();
  return rows.map((row) => ({
    deliveryId: row.delivery_id,
    givenAt: row.given_at,
    seconds: Number(row.seconds),
    extends: row.extends,
  }));
};
