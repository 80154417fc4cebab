import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { LedgerEntry, MemberDetails, RewardKind } from '#contracts/people/members.ts';
import { actorReference } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse, refuseField } from '../../kernel/http/refusal.ts';
import { type Page, type PageQuery, readOlderPage } from '../../kernel/logs/older-page.ts';
import { addLedgerEntry, moveBetweenWallets } from '../ledger-entries.ts';
import type { StoreContext } from '../store-context.ts';
import { isOverdrawn } from './check-violation.ts';

interface StoredEntry {
  readonly id: string;
  readonly at: Date;
  readonly kind: Selectable<Tables['ledger']>['kind'];
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
const readLedgerPage = async (
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

/** Points that people give, take and send. */
export type Points = ReturnType<typeof createPoints>;

export const createPoints = ({
  db,
  members,
}: Pick<StoreContext, 'db'> & {
  readonly members: Pick<StoreContext['members'], 'hold' | 'read'>;
}) => {
  /** Writes an entry between these members' wallets with its note and audit row, in one transaction. */
  const move = async (
    memberIds: readonly [string, ...string[]],
    note: string,
    write: (trx: Kysely<Tables>) => Promise<string>,
  ): Promise<MemberDetails | Refusal> => {
    try {
      const refusal = await retryDeadlocks(db, async (trx) => {
        const refused = await members.hold(trx, memberIds);
        if (refused) return refused;
        const entryId = await write(trx);
        if (note !== '') await trx.insertInto('ledger_notes').values({ entry_id: entryId, note }).execute();
        return null;
      });
      if (refusal) return refusal;
    } catch (error) {
      if (isOverdrawn(error)) return refuse('INSUFFICIENT_POINTS');
      throw error;
    }
    return members.read(memberIds[0]);
  };

  return {
    /** `correction` removes points. */
    grant: (
      memberId: string,
      {
        kind,
        points,
        note,
      }: { readonly kind: 'grant' | 'correction'; readonly points: number; readonly note: string },
      by: AuditContext,
    ): Promise<MemberDetails | Refusal> =>
      move([memberId], note, async (trx) => {
        const sides =
          kind === 'grant'
            ? ({ from_account: 'issued', to_account: 'wallet', to_member: memberId } as const)
            : ({ from_account: 'wallet', from_member: memberId, to_account: 'issued' } as const);
        const entryId = await addLedgerEntry(trx, {
          kind,
          ...sides,
          amount: points,
          actor: actorReference(by.actor),
          actor_name: by.actor.name,
        });
        await recordAudit(trx, {
          ...by,
          action: `points.${kind}`,
          target: `member:${memberId}`,
          after: { points, entryId },
        });
        return entryId;
      }),

    async transfer(
      memberId: string,
      {
        toMemberId,
        points,
        note,
      }: { readonly toMemberId: string; readonly points: number; readonly note: string },
      by: AuditContext,
    ): Promise<MemberDetails | Refusal> {
      if (memberId === toMemberId) return refuseField('body.toMemberId', reasons['points-to-self']);
      return move([memberId, toMemberId], note, async (trx) => {
        const entryId = await moveBetweenWallets(trx, {
          kind: 'transfer',
          fromMember: memberId,
          toMember: toMemberId,
          points,
          by: { actor: actorReference(by.actor), actorName: by.actor.name },
        });
        await recordAudit(trx, {
          ...by,
          action: 'points.transfer',
          target: `member:${memberId}`,
          after: { toMemberId, points, entryId },
        });
        return entryId;
      });
    },

    /** Entries of this wallet only, even after a merge. */
    async ledger(memberId: string, page: PageQuery): Promise<Page<LedgerEntry> | Refusal> {
      const found = await db.selectFrom('members').select('id').where('id', '=', memberId).executeTakeFirst();
      return found ? readLedgerPage(db, memberId, page) : refuse('NOT_FOUND');
    },
  };
};
