import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { type HeldTargets, heldTargets } from './held-targets.ts';
import { isForGame } from './role-deliveries.ts';

/** Open deliveries of one member, including members merged into it. */
export interface OpenDeliveries {
  /** In the order of purchase. */
  readonly rows: readonly DeliveryRow[];
  /** False: there are more, which are read once these have ended. */
  readonly isAll: boolean;
  /** The platform ids of the member's players. */
  readonly platformIds: ReadonlyMap<string, string | null>;
  readonly held: HeldTargets | null;
}

/** Deliveries read at once for one member. */
const mostOpen = 500;

export const nothingOpen: OpenDeliveries = { rows: [], isAll: true, platformIds: new Map(), held: null };

/** @returns for each member, in the order of `memberIds` */
export const readOpen = async (
  db: Kysely<Tables>,
  memberIds: readonly string[],
): Promise<readonly OpenDeliveries[]> => {
  // An array instead of a join: the planner then reads only these members' rows, however many are open in all.
  const { rows } = await sql<DeliveryRow & { readonly reader_id: string; readonly held: HeldTargets | null }>`
    select wanted.id as reader_id, ${heldTargets} as held, open.*
    from unnest(${memberIds}::bigint[]) as wanted (id) cross join lateral (
      select * from deliveries
      where state in ('pending', 'waiting', 'sending') and ${isForGame}
        and member_id = any (array(select id from members where id = wanted.id or merged_into = wanted.id))
      order by number limit ${mostOpen}) as open`.execute(db);
  if (rows.length === 0) return memberIds.map(() => nothingOpen);
  const byMember = Map.groupBy(rows, ({ reader_id }) => reader_id);
  const players = await db
    .selectFrom('players')
    .select(['id', 'platform_id', 'member_id'])
    .where('member_id', '=', sql<string>`any (${[...byMember.keys()]}::bigint[])`)
    .execute();
  const playersOf = Map.groupBy(players, ({ member_id }) => member_id);
  return memberIds.map((memberId) => {
    const open = byMember.get(memberId) ?? [];
    const own = playersOf.get(memberId) ?? [];
    return {
      rows: open.toSorted((one, other) => Number(BigInt(one.number) - BigInt(other.number))),
      isAll: open.length < mostOpen,
      platformIds: new Map(own.map(({ id, platform_id }) => [id, platform_id])),
      held: open[0]?.held ?? null,
    };
  });
};
