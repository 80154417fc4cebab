import { type Kysely, type Selectable, sql } from 'kysely';
import type { Discount, DiscountDraft } from '#contracts/store/discounts.ts';
import { nameKey } from '../../kernel/access/name-key.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { DiscountTerms, DiscountUses } from './best-discount.ts';

export type DiscountRow = Selectable<Tables['discounts']>;

/** However it is typed, it is the same code. */
export const codeKey = (code: string): string => nameKey(code);

export const selectDiscounts = (db: Kysely<Tables>) =>
  db.selectFrom('discounts').selectAll().where('removed_at', 'is', null);

const offOf = ({ percent, points_off }: DiscountRow): Discount['off'] =>
  percent === null ? { kind: 'points', points: Number(points_off) } : { kind: 'percent', percent };

export const termsOf = (row: DiscountRow): DiscountTerms => ({
  id: row.id,
  name: row.name,
  off: offOf(row),
  productIds: row.product_ids,
  categories: row.categories,
  roleIds: row.role_ids,
  hasCode: row.code !== null,
  mostUses: row.most_uses,
  mostPerMember: row.most_per_member,
  validFrom: row.valid_from,
  validUntil: row.valid_until,
  isEnabled: row.is_enabled,
});

const dateOf = (time: string | null): Date | null => (time === null ? null : new Date(time));

export const columnsOf = (draft: DiscountDraft) => ({
  name: draft.name,
  percent: draft.off.kind === 'percent' ? draft.off.percent : null,
  points_off: draft.off.kind === 'points' ? draft.off.points : null,
  product_ids: draft.productIds,
  categories: draft.categories,
  role_ids: draft.roleIds,
  code: draft.code,
  code_key: draft.code === null ? null : codeKey(draft.code),
  most_uses: draft.mostUses,
  most_per_member: draft.mostPerMember,
  valid_from: dateOf(draft.validFrom),
  valid_until: dateOf(draft.validUntil),
  is_enabled: draft.isEnabled,
});

export const toDiscount = (row: DiscountRow, uses: number): Discount => ({
  id: row.id,
  version: row.version,
  name: row.name,
  off: offOf(row),
  productIds: row.product_ids,
  categories: row.categories,
  roleIds: row.role_ids,
  code: row.code,
  hasCode: row.code !== null,
  mostUses: row.most_uses,
  mostPerMember: row.most_per_member,
  validFrom: row.valid_from?.toISOString() ?? null,
  validUntil: row.valid_until?.toISOString() ?? null,
  isEnabled: row.is_enabled,
  createdAt: row.created_at.toISOString(),
  uses,
});

/**
 * A use counts unless everything in the order was undone, so a refund gives the use back, and a charge after a late
 * result takes it again.
 */
const isUse = sql`exists (select from order_lines where order_id = orders.id and undone_at is null)`;

/** Orders that have these discounts. */
export const readUses = async (
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ discount_id: string; uses: string }>`
    select discount_id, count(*) as uses from orders
     where discount_id = any (${ids}::text[]) and ${isUse} group by discount_id`.execute(db);
  return new Map(rows.map(({ discount_id, uses }) => [discount_id, Number(uses)]));
};

/**
 * The same, as far as a limit needs it: only up to the limit, and not at all without one.
 * @param payerId counts with all members merged into it
 */
export const countUses = async (
  db: Kysely<Tables>,
  discounts: readonly DiscountTerms[],
  payerId: string,
): Promise<ReadonlyMap<string, DiscountUses>> => {
  if (discounts.length === 0) return new Map();
  const { rows } = await sql<{ id: string; of_all: string; of_payer: string }>`
    select id,
           (select count(*) from (
             select from orders where discount_id = counted.id and ${isUse} limit coalesce(most_uses, 0)) as used) as of_all,
           (select count(*) from (
             select from orders where discount_id = counted.id and ${isUse} and member_id = any (array(
                 select id from members where id = ${payerId} or merged_into = ${payerId}))
               limit coalesce(most_per_member, 0)) as used) as of_payer
      from unnest(
        ${discounts.map(({ id }) => id)}::text[],
        ${discounts.map(({ mostUses }) => mostUses)}::integer[],
        ${discounts.map(({ mostPerMember }) => mostPerMember)}::integer[]
      ) as counted (id, most_uses, most_per_member)`.execute(db);
  return new Map(
    rows.map(({ id, of_all, of_payer }) => [id, { all: Number(of_all), ofPayer: Number(of_payer) }]),
  );
};
