import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { memberId } from '../people/members.ts';
import { gameId } from '../servers/games.ts';

/**
 * - `generic`: a shop that sends what this file describes, such as the community's own website
 * - `tebex`: Tebex, by https://docs.tebex.io/developers/webhooks
 * - `stripe`: Stripe, by https://docs.stripe.com/webhooks and https://docs.stripe.com/checkout/fulfillment
 */
export const shopKinds = ['generic', 'tebex', 'stripe'] as const;
export type ShopKind = (typeof shopKinds)[number];

/**
 * The header with each shop's signature. `generic` and `stripe`: `t=<seconds since 1970>,v1=<hex>[,v1=<hex>]`, each v1
 * the HMAC-SHA256 of `<t>.<body>`, at most five minutes from our clock. `tebex`: the hex HMAC-SHA256 of the hex SHA-256
 * of the body.
 */
export const shopSignatureHeaders: Readonly<Record<ShopKind, string>> = {
  generic: 'Castellan-Signature',
  tebex: 'X-Signature',
  stripe: 'Stripe-Signature',
};

/** The types of events that are switched on at a shop; it may send others, which have no effect. */
export const shopEventTypes: Readonly<Record<Exclude<ShopKind, 'generic'>, readonly string[]>> = {
  tebex: [
    'payment.completed',
    'payment.refunded',
    'payment.dispute.opened',
    'payment.dispute.won',
    'payment.dispute.lost',
    'payment.dispute.closed',
  ],
  stripe: [
    'checkout.session.completed',
    'checkout.session.async_payment_succeeded',
    'invoice.paid',
    'invoice_payment.paid',
    'charge.refunded',
    'charge.dispute.created',
    'charge.dispute.updated',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ],
};

/** Far more than any event of a shop. */
const webhookBytes = 256 * 1024;

const reference = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 visible ASCII characters');
const shortText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must have no control characters');

const mostShopLines = 100;

/** What was bought. Products have the shop's names; the panel maps them to products of the store. */
const lines = z
  .array(z.strictObject({ product: reference, quantity: z.int() }))
  .min(1)
  .max(mostShopLines);

/** For display only: nothing depends on it. */
export const shopAmount = z.strictObject({
  value: z.string().regex(/^\d{1,12}(?:\.\d{1,4})?$/, 'must be a decimal number'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of ISO 4217'),
});
export type ShopAmount = z.infer<typeof shopAmount>;

/** Who receives it: a platform id is certain, a name is not, and a member is named by the number that the panel shows. */
const receiver = z.union([
  z.strictObject({ game: gameId, platformId: shortText }),
  z.strictObject({ game: gameId, name: shortText }),
  z.strictObject({ member: memberId }),
]);

const eventFields = {
  /** The event's id: the same event, sent again, has the same id. */
  id: reference,
  orderId: reference,
} as const;
/** Distinguishes disputes if an order can be disputed more than once. */
const disputeId = reference.optional();

/** What the community's own shop sends; one event per request, in any order, any number of times. */
export const genericShopEvent = z.discriminatedUnion('type', [
  z.strictObject({
    ...eventFields,
    type: z.literal('paid'),
    lines,
    /** If it is absent, a person chooses the receiver. */
    receiver: receiver.optional(),
    /** Display only: one in another form is read where that is possible, and left out otherwise. */
    amount: shopAmount.optional(),
  }),
  /** Without lines: the whole order. With lines: everything that has been refunded of the order so far. */
  z.strictObject({ ...eventFields, type: z.literal('refunded'), lines: lines.optional() }),
  z.strictObject({ ...eventFields, type: z.literal('disputed'), disputeId }),
  z.strictObject({ ...eventFields, type: z.literal('dispute-won'), disputeId }),
  z.strictObject({ ...eventFields, type: z.literal('dispute-lost'), disputeId }),
  /** Proves that events arrive and are signed as they should be; it has no other effect. */
  z.strictObject({ id: reference, type: z.literal('test') }),
]);
export type GenericShopEvent = z.infer<typeof genericShopEvent>;

export const shopWebhooksHttp = {
  take: endpoint({
    method: 'POST',
    path: '/api/store/webhooks/:shop',
    summary:
      'Receive an event from an external shop; its signature proves the sender. Each shop sends its own body; the one described here is that of a generic shop',
    access: 'public',
    rawBody: true,
    bodyBytes: webhookBytes,
    params: z.object({ shop: z.string().max(64) }),
    body: genericShopEvent,
    /** The id of the event, whatever its result. */
    response: z.object({ id: z.string() }),
    problems: [
      'WEBHOOK_SIGNATURE_INVALID',
      'IDEMPOTENCY_MISMATCH',
      'RATE_LIMITED',
      'SECRET_UNREADABLE',
      'DATABASE_UNAVAILABLE',
    ],
  }),
} as const;
