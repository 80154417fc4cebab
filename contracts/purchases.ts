import * as z from 'zod';
import { endpoint } from './http.ts';

export const gateways = ['generic', 'stripe'] as const;
export type Gateway = (typeof gateways)[number];

/**
 * What became of an event.
 * - `processed`: done, or what it asks for was so already
 * - `waiting`: it names an order that we do not know yet; it takes effect with the purchase
 * - `unprocessed`: the vendor has to do something first, such as to add the plan
 * - `ignored`: it asks for nothing here
 */
export const webhookOutcomes = ['processed', 'waiting', 'unprocessed', 'ignored'] as const;
export type WebhookOutcome = (typeof webhookOutcomes)[number];

/** The header of the generic gateway; Stripe's own is `Stripe-Signature`, of the same form. */
export const signatureHeaders: Readonly<Record<Gateway, string>> = {
  generic: 'Castellan-Signature',
  stripe: 'Stripe-Signature',
};

/** Any event of a gateway is far smaller. */
const webhookBytes = 256 * 1024;

const reference = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters');
const moment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' });

export const planIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, . _ -');

const eventFields = {
  /** Of the event: the same one sent again has the same id. */
  id: reference,
  occurredAt: moment,
  /** Of a subscription, the same for all its periods. */
  orderId: reference,
} as const;

/** What a shop of one's own sends; one event a request. */
export const genericWebhookEvent = z.discriminatedUnion('type', [
  z.strictObject({
    ...eventFields,
    type: z.literal('purchase'),
    email: z.email('must be an e-mail address').max(254),
    plan: planIdSchema,
    /** Of a subscription: until when it is paid. */
    periodEnd: moment.optional(),
  }),
  z.strictObject({ ...eventFields, type: z.literal('subscription.renewed'), periodEnd: moment }),
  z.strictObject({ ...eventFields, type: z.literal('subscription.ended'), periodEnd: moment }),
  z.strictObject({ ...eventFields, type: z.literal('refund') }),
  z.strictObject({ ...eventFields, type: z.literal('chargeback') }),
]);
export type GenericWebhookEvent = z.infer<typeof genericWebhookEvent>;

/** The part of Stripe's event that all types share. */
export const stripeWebhookEvent = z.looseObject({
  id: reference,
  type: z.string().min(1).max(128),
  /** Seconds since epoch. */
  created: z.int().min(0).max(253_402_300_799),
  data: z.looseObject({ object: z.looseObject({}) }),
});

export const webhookAnswer = z.object({
  /** `duplicate`: this event was taken before; nothing was done. */
  status: z.enum([...webhookOutcomes, 'duplicate']),
});
export type WebhookAnswer = z.infer<typeof webhookAnswer>;

const shared = {
  method: 'POST',
  access: 'public',
  rawBody: true,
  bodyBytes: webhookBytes,
  response: webhookAnswer,
  problems: ['WEBHOOK_SIGNATURE_INVALID', 'DATABASE_UNAVAILABLE'],
} as const;

export const purchasesHttp = {
  generic: endpoint({
    ...shared,
    path: '/api/purchases/webhook/generic',
    summary: 'Takes an event of a shop; the header Castellan-Signature proves its sender',
    body: genericWebhookEvent,
  }),
  stripe: endpoint({
    ...shared,
    path: '/api/purchases/webhook/stripe',
    summary: 'Takes an event of Stripe; the header Stripe-Signature proves its sender',
    body: stripeWebhookEvent,
  }),
} as const;
