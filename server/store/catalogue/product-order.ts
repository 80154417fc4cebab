import { type Kysely, sql } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';

/** All products in use of a category, in their new order. */
export interface ProductOrder {
  readonly category: string;
  readonly ids: readonly string[];
}

/** A list that misses a product of the category, or holds another one, is outdated and refused. */
export const orderProducts = (
  db: Kysely<Tables>,
  { category, ids }: ProductOrder,
  by: AuditContext,
): Promise<Refusal | null> =>
  retryDeadlocks(db, async (trx) => {
    const lock = sql`
      select from products where id = any (${ids}::text[]) order by id for update`;
    await lock.execute(trx);
    const { rows } = await sql<{ id: string }>`
      select products.id from products
      join product_versions as sold on sold.product_id = products.id and sold.version = products.version
      where products.archived_at is null and sold.category = ${category}
      order by position, name_key, products.id`.execute(trx);
    const before = rows.map(({ id }) => id);
    const wanted = new Set(ids);
    if (wanted.size !== ids.length || before.length !== ids.length || !before.every((id) => wanted.has(id)))
      return refuse('CONFLICT', reasons['category-changed']);
    await sql`
      update products set position = wanted.place - 1
      from unnest(${ids}::text[]) with ordinality as wanted (id, place)
      where products.id = wanted.id`.execute(trx);
    await recordAudit(trx, {
      ...by,
      action: 'products.order',
      target: 'store',
      before: { category, ids: before },
      after: { category, ids },
    });
    return null;
  });
