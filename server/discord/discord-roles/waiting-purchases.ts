import { type Kysely, sql } from 'kysely';
import type { RoleObstacle } from '#contracts/discord/discord-roles.ts';
import type { ReasonCode } from '#contracts/kernel/reasons.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { RolesNow } from './known-roles.ts';

/** Per round; the next one continues after them. */
const mostTold = 1000;

export interface WaitingPurchases {
  /** Open deliveries of roles; null: each only waits for its turn. */
  readonly waiting: readonly { readonly id: string; readonly why: ReasonCode | null }[];
  /** The number of the last one; 0: all were read. */
  readonly after: string;
}

/** @param after the previous round's `after`, 0 at first */
export const readWaitingPurchases = async (
  db: Kysely<Tables>,
  now: RolesNow,
  after: string,
): Promise<WaitingPurchases> => {
  const { rows } = await sql<{
    readonly id: string;
    readonly number: string;
    readonly roleId: string;
    readonly hasAccount: boolean;
    readonly isThere: boolean;
    readonly isPending: boolean | null;
    readonly obstacle: RoleObstacle | null;
  }>`
    select deliveries.id, deliveries.number, deliveries.line ->> 'roleId' as "roleId", person.discord_id is not null as "hasAccount",
           present.discord_id is not null as "isThere", present.is_pending as "isPending", owed.obstacle
      from deliveries join members as own on own.id = deliveries.member_id
      join members as person on person.id = coalesce(own.merged_into, own.id)
      left join discord_guild_members as present
        on present.discord_id = person.discord_id and present.left_at is null
      left join discord_role_changes as owed
        on owed.discord_id = person.discord_id and owed.role_id = deliveries.line ->> 'roleId'
     where deliveries.line ->> 'kind' = 'role' and state in ('pending', 'waiting')
       and deliveries.number > ${after}::bigint
     order by deliveries.number limit ${mostTold}`.execute(db);
  const waiting = rows.map(({ id, roleId, ...facts }) => ({
    id,
    why: whyWaiting({ ...facts, ofRole: now.obstacleOf(roleId) }),
  }));
  return { waiting, after: rows.length < mostTold ? '0' : (rows.at(-1)?.number ?? '0') };
};

const whyWaiting = (facts: {
  readonly hasAccount: boolean;
  readonly isThere: boolean;
  readonly isPending: boolean | null;
  readonly obstacle: RoleObstacle | null;
  readonly ofRole: RoleObstacle | null;
}): ReasonCode | null => {
  // What the receiver can do something about comes first.
  if (!facts.hasAccount) return 'role-no-account';
  if (facts.ofRole !== null) return facts.ofRole;
  if (!facts.isThere) return 'role-not-on-server';
  return facts.isPending === true ? 'role-rules-first' : facts.obstacle;
};
