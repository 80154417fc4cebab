import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import { customerLanguage } from '../licenses/customer-language.ts';
import { recordEvent } from '../licenses/license-events.ts';
import { decideRevocation } from '../licenses/license-status.ts';
import type { LicenseRow } from '../licenses/licenses.tables.ts';
import type { Outbox } from '../mail/outbox.ts';
import type { OrderState } from './order-state.ts';
import { licenseRevokedMail } from './purchase-mails.ts';

export interface RefundedOrder {
  readonly orderId: string;
  readonly refunded: NonNullable<OrderState['refunded']>;
  /** All licenses of the order, including those that the vendor issued by hand. */
  readonly licenses: readonly LicenseRow[];
}

/** Revokes every license of the order, marks the purchase, and tells the buyers. */
export const revokeRefunded = async (
  trx: Transaction<PortalTables>,
  outbox: Outbox,
  { orderId, refunded, licenses }: RefundedOrder,
  now: Date,
): Promise<void> => {
  const told = new Set<string>();
  for (const license of licenses) {
    const decision = decideRevocation(license.status);
    if (!decision.allowed) continue;
    const { status } = decision;
    await trx
      .updateTable('licenses')
      .set({ status, status_reason: null })
      .where('id', '=', license.id)
      .execute();
    const data = {
      from: { status: license.status },
      to: { status },
      reason: refunded.as,
      purchaseId: orderId,
    };
    await recordEvent(trx, { licenseId: license.id, kind: 'revoked', actor: 'gateway', at: now, data });
    told.add(license.buyer_email);
  }
  await trx
    .updateTable('purchases')
    .set({ state: 'refunded', refunded_at: refunded.at })
    .where('id', '=', orderId)
    .where('state', '=', 'paid')
    .execute();
  for (const to of told)
    await outbox.enqueue(trx, { to, ...licenseRevokedMail(orderId, await customerLanguage(trx, to)) });
};
