import { sql, type Transaction } from 'kysely';
import { newId } from '../database/new-id.ts';
import type { PortalTables } from '../database/tables.ts';

type Trx = Transaction<PortalTables>;

/** The requested tenant (null: it does not exist), otherwise the one with this e-mail address, which is created if needed. */
export const ensureTenant = async (
  trx: Trx,
  wantedId: string | undefined,
  email: string,
  now: Date,
): Promise<string | null> => {
  if (wantedId !== undefined) {
    const known = await trx.selectFrom('tenants').select('id').where('id', '=', wantedId).executeTakeFirst();
    return known?.id ?? null;
  }
  // An update that changes nothing, so that the row is returned whether it is new or not.
  const tenant = await trx
    .insertInto('tenants')
    .values({ id: newId(), email, created_at: now })
    .onConflict((conflict) =>
      conflict.expression(sql`lower(email)`).doUpdateSet((set) => ({ email: set.ref('tenants.email') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return tenant.id;
};

/** The tenant that the purchase belongs to; for a new purchase, the given one. */
export const ensurePurchase = async (
  trx: Trx,
  id: string,
  tenantId: string,
  buyerEmail: string,
  now: Date,
): Promise<string> => {
  const purchase = await trx
    .insertInto('purchases')
    .values({
      id,
      tenant_id: tenantId,
      buyer_email: buyerEmail,
      state: 'paid',
      purchased_at: now,
      refunded_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((set) => ({ tenant_id: set.ref('purchases.tenant_id') })),
    )
    .returning('tenant_id')
    .executeTakeFirstOrThrow();
  return purchase.tenant_id;
};
