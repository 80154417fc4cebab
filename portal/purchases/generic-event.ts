import type { GenericWebhookEvent } from '#contracts/purchases.ts';
import type { PurchaseEvent, PurchaseKind } from './purchase-event.ts';

const kinds: Readonly<Record<GenericWebhookEvent['type'], PurchaseKind>> = {
  purchase: 'purchase',
  'subscription.renewed': 'renewal',
  'subscription.ended': 'end',
  refund: 'refund',
  chargeback: 'chargeback',
};

export const readGenericEvent = (event: GenericWebhookEvent): PurchaseEvent => {
  const { id, type, orderId } = event;
  const periodEnd = 'periodEnd' in event ? event.periodEnd : undefined;
  return {
    gateway: 'generic',
    eventId: id,
    type,
    kind: kinds[type],
    references: [orderId],
    facts: {
      orderId,
      ...(periodEnd === undefined ? {} : { periodEnd }),
      ...(event.type === 'purchase' ? { email: event.email, plan: event.plan } : {}),
    },
    occurredAt: new Date(event.occurredAt),
  };
};
