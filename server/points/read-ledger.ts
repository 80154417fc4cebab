import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { LedgerEntry, RewardKind } from '#contracts/members.ts';
import type { Tables } from '../database/tables.ts';
import { type Page, type PageQuery, readOlderPage } from '../logs/older-page.ts';
import type { LedgerKind } from './points.tables.ts';

interface StoredEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: LedgerKind;
  readonly change: string;
  readonly other_member: string | null;
  readonly order_id: string | null;
  readonly delivery_id: string | null;
  readonly actor_name: string | null;
  readonly reward_kind: RewardKind | null;
  readonly reward_name: string | null;
  readonly note: string | null;
}

/** A page of one wallet's entries, newest first. */
export const readLedgerPage = async (
  db: Kysely<Tables>,
  memberId: string,
  query: PageQuery,
): Promise<Page<LedgerEntry>> => {
  const page = await readOlderPage(
    query,
    ({ beyond, limit }) => readEntries(db, memberId, beyond?.id ?? null, limit),
    ({ at, id }) => ({ at, id }),
  );
  return { ...page, rows: page.rows.map(toLedgerEntry) };
};

/** Reads each side through its own index, so the cost does not grow with the ledger. */
const readEntries = async (
  db: Kysely<Tables>,
  memberId: string,
  beyondId: string | null,
  limit: number,
): Promise<readonly StoredEntry[]> => {
  const side = (own: 'from_member' | 'to_member', other: string, change: RawBuilder<unknown>) => sql`(
    select id, at, kind, ${change} as change, ${sql.ref(other)} as other_member, order_id, delivery_id, actor_name,
           reward_kind, reward_name
    from ledger where ${sql.ref(own)} = ${memberId}
      and ${beyondId === null ? sql`true` : sql`id < ${beyondId}`}
    order by id desc limit ${limit}
  )`;
  const { rows } = await sql<StoredEntry>`
    select entry.*, note from (
      ${side('from_member', 'to_member', sql`-amount`)} union all ${side('to_member', 'from_member', sql`amount`)}
    ) as entry left join ledger_notes on entry_id = entry.id
    order by entry.id desc limit ${limit}`.execute(db);
  return rows;
};

const toLedgerEntry = (row: StoredEntry): LedgerEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  kind: row.kind,
  change: Number(row.change),
  otherMemberId: row.other_member,
  orderId: row.order_id,
  deliveryId: row.delivery_id,
  reward:
    row.reward_kind === null || row.reward_name === null
      ? null
      : { kind: row.reward_kind, name: row.reward_name },
  actorName: row.actor_name,
  note: row.note,
});
