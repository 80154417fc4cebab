import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { customerLanguage } from '../licenses/customer-language.ts';
import { recordEvent } from '../licenses/license-events.ts';
import type { LicenseRow } from '../licenses/licenses.tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import { expiryOf, nextExpiry, type OrderState } from './order-state.ts';
import { subscriptionEndedMail } from './purchase-mails.ts';
import type { PlanRow } from './purchases.tables.ts';

export interface FulfilledOrder {
  readonly order: OrderState;
  readonly purchase: NonNullable<OrderState['purchase']>;
  readonly licenses: readonly LicenseRow[];
  readonly plan: PlanRow | null;
}

/** Extends the order's licenses to the time that is paid for; the buyer is told of a subscription's end once. */
export const applyExpiry = async (
  trx: Transaction<PortalTables>,
  outbox: Outbox,
  { order, purchase, licenses, plan }: FulfilledOrder,
  now: Date,
): Promise<void> => {
  // A single purchase got its time when it was fulfilled; plans changed since then are for new buyers.
  if (!purchase.subscription) return;
  const { orderId } = purchase;
  const fulfilment = await trx
    .selectFrom('fulfilments')
    .selectAll()
    .where('purchase_id', '=', orderId)
    .executeTakeFirst();
  const wanted = expiryOf(order, purchase, plan?.duration_days ?? null);
  const hasEnded = order.endsAt !== null;
  const isNewlyEnded = hasEnded && fulfilment?.ended === false;

  for (const license of licenses) {
    if (license.status === 'revoked') continue;
    const applied = license.id === fulfilment?.license_id ? fulfilment.applied_expires_at : undefined;
    const expiresAt = nextExpiry(license.expires_at, applied, wanted);
    const isChanged = expiresAt?.getTime() !== license.expires_at?.getTime();
    if (isChanged)
      await trx.updateTable('licenses').set({ expires_at: expiresAt }).where('id', '=', license.id).execute();
    if (isChanged || isNewlyEnded) {
      const kind = hasEnded ? 'subscription_ended' : 'extended';
      const data = {
        from: { expiresAt: license.expires_at },
        to: { expiresAt },
        reason: 'subscription',
        purchaseId: orderId,
      };
      await recordEvent(trx, { licenseId: license.id, kind, actor: 'gateway', at: now, data });
    }
    if (isNewlyEnded && expiresAt !== null) {
      const to = license.buyer_email;
      const language = await customerLanguage(trx, to);
      await outbox.enqueue(trx, { to, ...subscriptionEndedMail(orderId, expiresAt, language) });
    }
  }
  await trx
    .updateTable('fulfilments')
    .set({ applied_expires_at: wanted, ended: hasEnded })
    .where('purchase_id', '=', orderId)
    .execute();
};
