import { spokenLanguage } from '#contracts/kernel/language.ts';
import type { GenericWebhookEvent } from '#contracts/portal/purchases.ts';
import type { PurchaseKind } from '../database/stored-values.ts';
import type { PurchaseEvent, PurchasePayment } from './purchase-event.ts';

const kinds: Readonly<Record<GenericWebhookEvent['type'], PurchaseKind>> = {
  purchase: 'purchase',
  'subscription.renewed': 'renewal',
  'subscription.ended': 'end',
  refund: 'refund',
  chargeback: 'chargeback',
};

/**
 * Identifies a payment by the order and the period, so that it counts once even if the shop sends it again under
 * another event id, or as both the purchase and a renewal.
 */
const paymentOf = (event: GenericWebhookEvent): PurchasePayment | undefined => {
  const { orderId: source } = event;
  switch (event.type) {
    case 'purchase':
    case 'subscription.renewed': {
      const { periodEnd } = event;
      const reference = periodEnd === undefined ? source : `${source} ${new Date(periodEnd).toISOString()}`;
      return event.amount && { direction: 'paid', reference, source, money: event.amount };
    }
    case 'refund':
    case 'chargeback':
      return {
        direction: 'returned',
        reference: event.amount ? event.id : source,
        source,
        money: event.amount ?? null,
      };
    case 'subscription.ended':
      return undefined;
  }
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
      ...(event.type === 'purchase'
        ? {
            email: event.email,
            name: event.name,
            plan: event.plan,
            language: spokenLanguage([event.language ?? '']) ?? undefined,
          }
        : {}),
    },
    payment: paymentOf(event),
    occurredAt: new Date(event.occurredAt),
  };
};
