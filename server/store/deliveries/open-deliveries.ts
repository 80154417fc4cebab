import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../kernel/database/tables.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { type HeldTargets, heldTargets } from './held-targets.ts';
import { isForGame } from './role-deliveries.ts';

/** Open deliveries of one member, including members merged into it. */
export interface OpenDeliveries {
  /** In the order of purchase. */
  readonly rows: readonly DeliveryRow[];
  /** Nothing is missing down to this many rows; after that there may be more to read. */
  readonly holdsDownTo: number;
  /** The platform ids of the member's players. */
  readonly platformIds: ReadonlyMap<string, string | null>;
  readonly held: HeldTargets | null;
}

/** How many are read together for one member, of those that wait for the same thing on the same servers. */
const mostAlike = 500;
const isAll = -1;

export const nothingOpen: OpenDeliveries = {
  rows: [],
  holdsDownTo: isAll,
  platformIds: new Map(),
  held: null,
};

/** Those that cannot go, however many, do not hide any that can. */
const alike = sql`game, cluster_ids, server_ids, state, waits_for, line ->> 'kind', line ->> 'needsPlayer',
  asking_player_id, asking_server_id`;

/** @returns for each member, in the order of `memberIds` */
export const readOpen = async (
  db: Kysely<Tables>,
  memberIds: readonly string[],
): Promise<readonly OpenDeliveries[]> => {
  // An array instead of a join: the planner then reads only these members' rows, however many are open in all.
  const { rows } = await sql<
    DeliveryRow & {
      readonly reader_id: string;
      readonly held: HeldTargets | null;
      readonly place: string;
    }
  >`
    select wanted.id as reader_id, ${heldTargets} as held, open.*
    from unnest(${memberIds}::bigint[]) as wanted (id) cross join lateral (
      select * from (
        select *, row_number() over (partition by ${alike} order by number) as place from deliveries
        where state in ('pending', 'waiting', 'sending') and ${isForGame}
          and member_id = any (array(select id from members where id = wanted.id or merged_into = wanted.id))) as ranked
      where place <= ${mostAlike}) as open`.execute(db);
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
      holdsDownTo: open.some(({ place }) => Number(place) === mostAlike) ? open.length - mostAlike : isAll,
      platformIds: new Map(own.map(({ id, platform_id }) => [id, platform_id])),
      held: open[0]?.held ?? null,
    };
  });
};
