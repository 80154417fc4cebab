import type { Transaction } from 'kysely';
import type { PortalTables } from '../database/tables.ts';
import type { PurchaseEvent } from './purchase-event.ts';

/**
 * Stores the money that an event reports, in the transaction of the event. Other events about the same payment, earlier
 * or later, add nothing: a payment counts once, at the time of the event that arrived first.
 */
export const keepPayment = async (
  trx: Transaction<PortalTables>,
  { gateway, payment, occurredAt }: PurchaseEvent,
  eventId: string,
): Promise<void> => {
  if (!payment) return;
  const { direction, reference, source, money, isTotal = false } = payment;
  await trx
    .insertInto('payments')
    .values({
      gateway,
      direction,
      reference,
      source,
      event_id: eventId,
      minor: money ? String(money.minor) : null,
      currency: money?.currency ?? null,
      is_total: isTotal,
      at: occurredAt,
    })
    .onConflict((conflict) => conflict.columns(['gateway', 'direction', 'reference']).doNothing())
    .execute();
};
