import type { Kysely } from 'kysely';
import { reasons } from '#contracts/kernel/reasons.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import { retryDeadlocks } from '../../kernel/database/retry-deadlocks.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { lockEvents } from './take-event.ts';

/** Removes a shop with its secrets and events. One that has orders stays: they document what was paid, given and taken back. */
export const removeShop = (
  db: Kysely<Tables>,
  id: string,
  by: AuditContext,
): Promise<Record<string, never> | Refusal> =>
  retryDeadlocks(db, async (trx) => {
    // An event that is just arriving may be the first purchase.
    await lockEvents(trx, id);
    const shop = await trx
      .selectFrom('shops')
      .select(['kind', 'name', 'game'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!shop) return refuse('NOT_FOUND');
    const order = await trx
      .selectFrom('shop_orders')
      .select('id')
      .where('shop_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (order) return refuse('CONFLICT', reasons['shop-has-orders']);
    for (const table of ['shop_events', 'shop_products', 'shop_secrets'] as const)
      await trx.deleteFrom(table).where('shop_id', '=', id).execute();
    await trx.deleteFrom('shops').where('id', '=', id).execute();
    await recordAudit(trx, { ...by, action: 'shops.remove', target: `shop:${id}`, before: shop });
    return {};
  });
