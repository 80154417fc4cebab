import * as z from 'zod';
import { endpoint } from '../kernel/http.ts';
import { moneySchema } from '../store/currency.ts';
import { mailAddress } from './mail-address.ts';
import { buyerNameSchema } from './vendor.ts';

export const gateways = ['generic', 'stripe'] as const;
export type Gateway = (typeof gateways)[number];

/**
 * The result of an event.
 * - `processed`: done, or already the case
 * - `waiting`: it names an order that is not known yet; it takes effect with the purchase
 * - `unprocessed`: the vendor has to do something first, for example add the plan
 * - `ignored`: it requires nothing here
 */
export const webhookOutcomes = ['processed', 'waiting', 'unprocessed', 'ignored'] as const;
export type WebhookOutcome = (typeof webhookOutcomes)[number];

/** The header of the generic gateway; Stripe's is `Stripe-Signature`, in the same form. */
export const signatureHeaders: Readonly<Record<Gateway, string>> = {
  generic: 'Castellan-Signature',
  stripe: 'Stripe-Signature',
};

/** Far more than any event of a gateway. */
const webhookBytes = 256 * 1024;

const reference = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be 1 to 128 visible ASCII characters');
const moment = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' });

export const planIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, . _ -');

const eventFields = {
  /** The event's id: the same event, sent again, has the same id. */
  id: reference,
  occurredAt: moment,
  /** For a subscription, the same in all its periods. */
  orderId: reference,
} as const;

/** What was paid; without a readable amount, the event counts in no sum of sales. */
const paidAmount = moneySchema.optional().catch(undefined);
/** What was refunded. An unreadable amount is refused: as an absent one, it would mean all that was paid. */
const returnedAmount = moneySchema.optional();

/**
 * What the vendor's own shop sends; one event per request. A buyer who paid is due a license, even if a field that is
 * not essential is wrong: such a field counts as absent.
 */
export const genericWebhookEvent = z.discriminatedUnion('type', [
  z.strictObject({
    ...eventFields,
    type: z.literal('purchase'),
    email: mailAddress(),
    /** The buyer's name; the vendor finds the license by it. */
    name: buyerNameSchema.optional().catch(undefined),
    plan: planIdSchema,
    /** The buyer's language in the shop, such as `pt-BR`: mails use it. An unsupported one counts as absent. */
    language: z.string().max(35).optional().catch(undefined),
    /** For a subscription: until when it is paid. */
    periodEnd: moment.optional(),
    amount: paidAmount,
  }),
  z.strictObject({
    ...eventFields,
    type: z.literal('subscription.renewed'),
    periodEnd: moment,
    amount: paidAmount,
  }),
  z.strictObject({ ...eventFields, type: z.literal('subscription.ended'), periodEnd: moment }),
  /** Without an amount: all that was paid for the order. */
  z.strictObject({ ...eventFields, type: z.literal('refund'), amount: returnedAmount }),
  z.strictObject({ ...eventFields, type: z.literal('chargeback'), amount: returnedAmount }),
]);
export type GenericWebhookEvent = z.infer<typeof genericWebhookEvent>;

/** The fields that all types of Stripe's events share. */
export const stripeWebhookEvent = z.looseObject({
  id: reference,
  type: z.string().min(1).max(128),
  /** Seconds since epoch. */
  created: z.int().min(0).max(253_402_300_799),
  data: z.looseObject({ object: z.looseObject({}) }),
});

const webhookAnswer = z.object({
  /** `duplicate`: this event was received before; nothing was done. */
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
    summary: 'Receive an event from a shop; the Castellan-Signature header proves its sender',
    body: genericWebhookEvent,
  }),
  stripe: endpoint({
    ...shared,
    path: '/api/purchases/webhook/stripe',
    summary: 'Receive an event from Stripe; the Stripe-Signature header proves its sender',
    body: stripeWebhookEvent,
  }),
} as const;
