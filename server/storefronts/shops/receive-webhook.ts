import type { GameId } from '#contracts/servers/games.ts';
import {
  type GenericShopEvent,
  genericShopEvent,
  type ShopKind,
  shopSignatureHeaders,
} from '#contracts/storefronts/shop-webhooks.ts';
import { countedAddress } from '#runtime/http/address-group.ts';
import { parseReportedJson } from '#runtime/http/json-body.ts';
import { Problem } from '#runtime/problem.ts';
import { Secret } from '#runtime/secret.ts';
import { createThrottle } from '#runtime/throttle/throttle.ts';
import { readEvent } from '#runtime/webhooks/read-event.ts';
import type { NamedReceiver, ShopFacts } from '../../kernel/database/stored-values.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { readShopAmount } from './shop-amount.ts';
import type { ShopEvent } from './shop-event.ts';
import { createNoteRefusal } from './shop-refusals.ts';
import { readShopSecrets } from './shop-secrets.ts';
import { readStripeEvent } from './stripe-event.ts';
import { takeEvent } from './take-event.ts';
import { readTebexEvent } from './tebex-event.ts';
import { findShopSignatureFault, isTebexAddress } from './webhook-signature.ts';

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
    case 'test':
      return { kind: 'nothing' };
    default:
      return { kind: event.type, disputeId: event.disputeId ?? 'dispute' };
  }
};

/** Someone has paid: the form of an amount that nothing depends on refuses no event. */
const withReadAmount = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null || !('amount' in body)) return body;
  const { amount, ...rest } = body;
  const read = 'type' in body && body.type === 'paid' ? readShopAmount(amount) : null;
  return read === null ? rest : { ...rest, amount: read };
};

/** @throws {z.ZodError} when it differs from the documentation */
const readGenericEvent = (body: unknown): ShopEvent => {
  const event = genericShopEvent.parse(withReadAmount(body));
  return {
    eventId: event.id,
    type: event.type,
    refs: event.type === 'test' ? [] : [`order:${event.orderId}`],
    facts: factsOf(event),
  };
};

/** Limits wrong signatures per address; signed events are never refused because of them. */
const limits = { address: { capacity: 60, refillMs: 2000 } } as const;

/** Refusing an unknown shop takes as long as a wrong signature. */
const unusedSecret = new Secret('no shop has this secret');

/** The path of the first field that differs from the documentation. */
const firstField = ({ extensions }: Problem): string | null => {
  const [first] = (extensions?.errors ?? []) as readonly { readonly path?: string }[];
  return first?.path?.slice(0, 200) || null;
};

interface KnownEvent {
  readonly event: ShopEvent;
  /** The request only asks whether the address responds. */
  readonly isValidation: boolean;
}
const plain = (event: ShopEvent): KnownEvent => ({ event, isValidation: false });
const readers: Readonly<Record<ShopKind, (body: unknown, game: GameId) => KnownEvent>> = {
  generic: (body) => plain(readGenericEvent(body)),
  tebex: readTebexEvent,
  stripe: (body) => plain(readStripeEvent(body)),
};

export const createReceiveWebhook = (
  context: Pick<StorefrontContext, 'db' | 'secrets' | 'log' | 'now'>,
  /** Settles an order once its event is stored. */
  settle: (shopOrderId: string) => void,
) => {
  const { db, secrets, log, now } = context;
  const throttle = createThrottle(limits, now);
  const noteRefusal = createNoteRefusal(context);

  const refuseSignature = (address: string): never => {
    const waitMs = throttle.take([{ scope: 'address', subject: countedAddress(address) }]);
    if (waitMs === 0) throw new Problem('WEBHOOK_SIGNATURE_INVALID');
    throw new Problem('RATE_LIMITED', { headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) } });
  };

  const readSigned = (
    { id, kind, game }: { readonly id: string; readonly kind: ShopKind; readonly game: GameId },
    body: Uint8Array,
  ): KnownEvent => {
    try {
      return readEvent((event) => readers[kind](event, game), parseReportedJson(body));
    } catch (error) {
      noteRefusal(id, 'shape', error instanceof Problem ? firstField(error) : null);
      throw error;
    }
  };

  return async (
    shopId: string,
    {
      body,
      address,
      header,
    }: { readonly body: Uint8Array; readonly address: string; header(name: string): string },
  ): Promise<{ id: string }> => {
    const shop = await db
      .selectFrom('shops')
      .select(['id', 'name', 'kind', 'game', 'checks_address'])
      .where('id', '=', shopId)
      .where('is_enabled', '=', true)
      .executeTakeFirst();
    const known = shop ? await readShopSecrets(db, secrets, shop.id) : [unusedSecret];
    const kind = shop?.kind ?? 'generic';
    const signed = { header: header(shopSignatureHeaders[kind]), body };
    const fault = findShopSignatureFault(kind, known, signed, new Date(now()));
    if (!shop) return refuseSignature(address);
    if (fault !== null) {
      noteRefusal(shop.id, fault === 'late' ? 'time' : 'signature');
      return refuseSignature(address);
    }
    if (shop.checks_address && !isTebexAddress(address)) {
      noteRefusal(shop.id, 'address');
      return refuseSignature(address);
    }

    const { event, isValidation } = readSigned(shop, body);
    if (isValidation) return { id: event.eventId };
    const { outcome, shopOrderId } = await takeEvent(db, shop, event);
    if (outcome === 'no-shop') return refuseSignature(address);
    const { eventId: id, type } = event;
    if (outcome === 'conflict') {
      log.warn(
        { shop: shop.id, event: id, type },
        'an external shop sent an event again with different content',
      );
      throw new Problem('IDEMPOTENCY_MISMATCH');
    }
    log.info({ shop: shop.id, event: id, type, outcome }, 'external shop event');
    if (shopOrderId !== null) settle(shopOrderId);
    return { id };
  };
};
