import { type GenericShopEvent, genericShopEvent } from '#contracts/shop-webhooks.ts';
import type { NamedReceiver, ShopEvent, ShopFacts } from './shop-event.ts';

const receiverOf = (event: Extract<GenericShopEvent, { type: 'paid' }>): NamedReceiver | null => {
  const { receiver } = event;
  if (!receiver) return null;
  if ('member' in receiver) return { kind: 'member', text: receiver.member, game: null };
  if ('name' in receiver) return { kind: 'name', text: receiver.name, game: receiver.game };
  return { kind: 'id', text: receiver.platformId, game: receiver.game };
};

const factsOf = (event: GenericShopEvent): ShopFacts => {
  switch (event.type) {
    case 'paid':
      return {
        kind: 'paid',
        orderId: event.orderId,
        lines: event.lines,
        receiver: receiverOf(event),
        amount: event.amount ?? null,
      };
    case 'refunded':
      return event.lines ? { kind: 'part-refunded', lines: event.lines } : { kind: 'refunded' };
    default:
      return { kind: event.type, disputeId: event.disputeId ?? 'dispute' };
  }
};

/** @throws {z.ZodError} when it differs from the documentation */
export const readGenericEvent = (body: unknown): ShopEvent => {
  const event = genericShopEvent.parse(body);
  return { eventId: event.id, type: event.type, refs: [`order:${event.orderId}`], facts: factsOf(event) };
};
