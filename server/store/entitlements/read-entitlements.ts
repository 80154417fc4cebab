import { type Kysely, type RawBuilder, sql } from 'kysely';
import { reasonOf, reasons } from '#contracts/kernel/reasons.ts';
import type { GameId } from '#contracts/servers/games.ts';
import type { Entitlement, EntitlementPlace, entitlementGroups } from '#contracts/store/entitlements.ts';
import type { DeliveryLine } from '#contracts/store/store.ts';
import { Problem } from '#runtime/problem.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isEndOverdue, isPlaceOverdue } from './inspect-ends.ts';

interface GroupRow {
  readonly id: string;
  readonly ids: readonly string[];
  readonly memberId: string;
  readonly memberName: string | null;
  readonly game: GameId;
  readonly key: string;
  readonly endsAt: Date | null;
  readonly endedAt: Date | null;
}

interface GrantRow {
  readonly entitlementId: string;
  readonly deliveryId: string;
  readonly orderId: string;
  readonly productName: string;
  readonly kind: DeliveryLine['kind'];
  readonly givenAt: Date;
  readonly seconds: string;
  readonly extends: boolean;
  readonly revokedAt: Date | null;
}

interface PlaceRow extends Omit<EntitlementPlace, 'changedAt' | 'nextTryAt' | 'sentAt' | 'reason'> {
  readonly entitlementId: string;
  readonly changedAt: Date;
  readonly nextTryAt: Date;
  readonly sentAt: Date | null;
}

/** How many grants of one are shown, the newest first. */
const mostGrants = 50;

const memberToday = sql`coalesce(person.merged_into, person.id)`;
/** The rows of merged members are one entitlement, identified by the id of the first. */
const groups = sql`
  select min(lasting.id) as id, array_agg(lasting.id::text order by lasting.id) as ids, ${memberToday} as "memberId", lasting.game,
         lasting.key, max(lasting.ends_at) as "endsAt",
         case when bool_and(lasting.ended_at is not null) then max(lasting.ended_at) end as "endedAt"
    from entitlements as lasting join members as person on person.id = lasting.member_id`;
const memberName = sql`(
  select player.name from players as player where player.member_id = lasting_group."memberId"
   order by player.last_seen_at desc nulls last, player.id limit 1) as "memberName"`;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const createEntitlementReading = (db: Kysely<Tables>, now: () => Date) => {
  const withDetails = async (rows: readonly GroupRow[]): Promise<Entitlement[]> => {
    const ids = rows.flatMap((row) => row.ids);
    if (ids.length === 0) return [];
    const grants = await sql<GrantRow>`
      select * from (
        select given.entitlement_id as "entitlementId", given.delivery_id as "deliveryId", deliveries.order_id as "orderId",
               version.name as "productName", deliveries.line ->> 'kind' as kind, given.given_at as "givenAt", given.seconds,
               given.extends, given.revoked_at as "revokedAt",
               row_number() over (partition by given.entitlement_id order by given.given_at desc) as place
          from entitlement_grants as given join deliveries on deliveries.id = given.delivery_id
          join order_lines as line on line.id = deliveries.order_line_id
          join product_versions as version
            on version.product_id = line.product_id and version.version = line.product_version
         where given.entitlement_id = any (${ids}::bigint[])) as numbered
       where place <= ${mostGrants} order by "givenAt" desc, "deliveryId"`.execute(db);
    const places = await sql<PlaceRow>`
      select place.entitlement_id as "entitlementId", place.id, place.server_id as "serverId", place.player_id as "playerId",
             player.name as "playerName", place.state, place.changed_at as "changedAt", place.tries,
             place.next_try_at as "nextTryAt", place.sent_at as "sentAt", place.command, place.outcome, place.reply,
             place.certainty, place.detail
        from entitlement_places as place left join players as player on player.id = place.player_id
       where place.entitlement_id = any (${ids}::bigint[]) order by place.server_id, place.id`.execute(db);
    return rows.map((row) => {
      const own = grants.rows.filter(({ entitlementId }) => row.ids.includes(entitlementId));
      return {
        id: row.id,
        memberId: row.memberId,
        memberName: row.memberName ?? `#${row.memberId}`,
        game: row.game,
        key: row.key,
        kind: own[0]?.kind ?? 'command',
        endsAt: iso(row.endsAt),
        endedAt: iso(row.endedAt),
        grants: own.map(({ entitlementId: _, kind: _kind, ...grant }) => ({
          deliveryId: grant.deliveryId,
          orderId: grant.orderId,
          productName: grant.productName,
          givenAt: grant.givenAt.toISOString(),
          seconds: Number(grant.seconds),
          extends: grant.extends,
          revokedAt: iso(grant.revokedAt),
        })),
        places: places.rows
          .filter(({ entitlementId }) => row.ids.includes(entitlementId))
          .map(({ entitlementId: _, ...place }) => ({
            ...place,
            changedAt: place.changedAt.toISOString(),
            nextTryAt: place.state === 'taking' || place.state === 'giving' ? iso(place.nextTryAt) : null,
            sentAt: iso(place.sentAt),
            reason: reasonOf(place.detail),
          })),
      };
    });
  };

  return {
    async ofMember(memberId: string): Promise<Entitlement[]> {
      const { rows } = await sql<GroupRow>`
        select lasting_group.*, ${memberName} from (
          ${groups} where person.id = ${memberId} or person.merged_into = ${memberId}
          group by ${memberToday}, lasting.game, lasting.key) as lasting_group
        where "memberId" = ${memberId}
        order by ("endedAt" is not null), coalesce("endedAt", "endsAt") desc nulls first, id`.execute(db);
      return withDetails(rows);
    },
    async list({
      state,
      cursor,
      limit,
    }: {
      readonly state?: (typeof entitlementGroups)[number] | undefined;
      readonly cursor?: string | undefined;
      readonly limit: number;
    }): Promise<{ rows: Entitlement[]; nextCursor: string | null }> {
      if (cursor !== undefined && !/^[1-9]\d{0,17}$/.test(cursor))
        throw new Problem('INVALID_REQUEST', { detail: reasons['cursor-unknown'] });
      const isWanted = {
        active: sql`"endedAt" is null`,
        ended: sql`"endedAt" is not null`,
        unknown: sql`exists (
          select from entitlement_places where state = 'unknown' and entitlement_id::text = any (ids))`,
        overdue: sql`true`,
      };
      // Only these are searched for among all: the other groups fill a page soon.
      const withPlace = (isMeant: RawBuilder<boolean>) => sql`
        select one.game, one.key, coalesce(its.merged_into, its.id) from entitlement_places as place
          join entitlements as one on one.id = place.entitlement_id join members as its on its.id = one.member_id
         where ${isMeant}`;
      const at = now();
      const searched = {
        unknown: withPlace(sql`place.state = 'unknown'`),
        overdue: sql`${withPlace(isPlaceOverdue(at))} union
          select lasting.game, lasting.key, coalesce(its.merged_into, its.id)
            from entitlements as lasting join members as its on its.id = lasting.member_id
           where ${isEndOverdue(at)}`,
      };
      const among =
        state === 'unknown' || state === 'overdue'
          ? sql`(lasting.game, lasting.key, ${memberToday}) in (${searched[state]})`
          : sql`true`;
      const { rows } = await sql<GroupRow>`
        select lasting_group.*, ${memberName} from (
          ${groups} where ${among} group by ${memberToday}, lasting.game, lasting.key) as lasting_group
        where ${state === undefined ? sql`true` : isWanted[state]}
          and ${cursor === undefined ? sql`true` : sql`id < ${cursor}::bigint`}
        order by id desc limit ${limit + 1}`.execute(db);
      const shown = rows.slice(0, limit);
      return {
        rows: await withDetails(shown),
        nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
    async read(id: string): Promise<Entitlement | null> {
      const { rows } = await sql<GroupRow>`
        select lasting_group.*, ${memberName} from (
          ${groups} where (lasting.game, lasting.key, ${memberToday}) in (
            select one.game, one.key, coalesce(its.merged_into, its.id) from entitlements as one
              join members as its on its.id = one.member_id where one.id = ${id})
          group by ${memberToday}, lasting.game, lasting.key) as lasting_group`.execute(db);
      return (await withDetails(rows))[0] ?? null;
    },
  };
};
