import { sql } from 'kysely';
import type { LedgerEntry, RewardKind } from '#contracts/people/members.ts';
import {
  newestOf,
  type SourceBounds,
  type Subject,
  type TimelineSource,
  toldBy,
  toldById,
} from './timeline-source.ts';

const side = (owner: 'from_member' | 'to_member', memberId: string, bounds: SourceBounds) =>
  newestOf(
    {
      table: sql`ledger`,
      owner: sql.ref(owner),
      owners: [memberId],
      ownerType: 'bigint',
      at: sql`at`,
      id: sql`id`,
      where: sql`${sql.ref(owner)} is not null and kind <> 'purchase'`,
    },
    bounds,
  );

/** Changes of the wallet; a purchase is reported by its order. */
export const points: TimelineSource = {
  rank: 8,
  kind: 'points',
  newest: ({ memberId }: Subject, bounds) =>
    memberId === null
      ? null
      : sql`${side('from_member', memberId, bounds)} union all ${side('to_member', memberId, bounds)}`,
  async tell(db, { memberId }, ids) {
    const { rows } = await sql<{
      readonly id: string;
      readonly kind: LedgerEntry['kind'];
      readonly change: string;
      readonly other_member: string | null;
      readonly order_id: string | null;
      readonly reward_kind: RewardKind | null;
      readonly reward_name: string | null;
      readonly note: string | null;
      readonly actor: string;
      readonly actor_name: string | null;
    }>`
      select id, kind, case when from_member = ${memberId}::bigint then -amount else amount end as change,
             case when from_member = ${memberId}::bigint then to_member else from_member end as other_member,
             order_id, reward_kind, reward_name, note, actor, actor_name
      from ledger left join ledger_notes on entry_id = id where id = any (${ids}::bigint[])`.execute(db);
    return toldById(rows, (row) => ({
      type: 'points',
      ledgerKind: row.kind,
      change: Number(row.change),
      otherMemberId: row.other_member,
      orderId: row.order_id,
      reward:
        row.reward_kind === null || row.reward_name === null
          ? null
          : { kind: row.reward_kind, name: row.reward_name },
      note: row.note === '' ? null : row.note,
      by: toldBy(row),
    }));
  },
};
