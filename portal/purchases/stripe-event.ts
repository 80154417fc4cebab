import * as z from 'zod';
import { planIdSchema, type stripeWebhookEvent } from '#contracts/purchases.ts';
import { mailAddressSchema } from '../mail/mail-address.ts';
import type { PurchaseEvent, PurchaseFacts, PurchaseKind } from './purchase-event.ts';

type StripeEvent = z.infer<typeof stripeWebhookEvent>;
type Meaning = Pick<PurchaseEvent, 'kind' | 'references' | 'facts' | 'reason'>;

/** An id, or the object itself where somebody had it expanded. */
const idSchema = z
  .union([z.string().min(1).max(255), z.object({ id: z.string().min(1).max(255) }).transform(({ id }) => id)])
  .nullish();
const secondsSchema = z.int().min(0).max(253_402_300_799);

const session = z.object({
  id: z.string().max(255),
  mode: z.enum(['payment', 'subscription', 'setup']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  customer_email: z.string().nullish(),
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  payment_intent: idSchema,
  subscription: idSchema,
  invoice: idSchema,
});

const invoice = z.object({
  id: z.string().max(255),
  /** Before the API of 2025-03-31; since then it stands under `parent`. */
  subscription: idSchema,
  parent: z.object({ subscription_details: z.object({ subscription: idSchema }).nullish() }).nullish(),
  payment_intent: idSchema,
  charge: idSchema,
  lines: z.object({ data: z.array(z.object({ period: z.object({ end: secondsSchema }).nullish() })) }),
});

const invoicePayment = z.object({
  invoice: idSchema,
  payment: z.object({ payment_intent: idSchema, charge: idSchema }).nullish(),
});

const charge = z.object({
  id: z.string().max(255),
  refunded: z.boolean(),
  payment_intent: idSchema,
  invoice: idSchema,
});

const dispute = z.object({ status: z.string(), charge: idSchema, payment_intent: idSchema });

const subscription = z.object({
  id: z.string().max(255),
  ended_at: secondsSchema.nullish(),
  /** Before the API of 2025-03-31; since then each item has its own. */
  current_period_end: secondsSchema.nullish(),
  items: z.object({ data: z.array(z.object({ current_period_end: secondsSchema.nullish() })) }).nullish(),
});

const nothing = (reason: string, references: readonly (string | null | undefined)[]): Meaning =>
  meaning('nothing', references, {}, reason);

const meaning = (
  kind: PurchaseKind,
  references: readonly (string | null | undefined)[],
  facts: PurchaseFacts = {},
  reason?: string,
): Meaning => ({
  kind,
  references: references.filter((reference) => typeof reference === 'string'),
  facts,
  ...(reason === undefined ? {} : { reason }),
});

const lastOf = (ends: readonly (number | null | undefined)[]): string | undefined => {
  const known = ends.filter((end) => typeof end === 'number');
  return known.length === 0 ? undefined : new Date(Math.max(...known) * 1000).toISOString();
};

const readSession = (object: unknown): Meaning => {
  const { id, mode, payment_status, ...checkout } = session.parse(object);
  const references = [id, checkout.payment_intent, checkout.subscription, checkout.invoice];
  if (mode === 'setup') return nothing('nothing was bought', references);
  if (payment_status === 'unpaid') return nothing('not paid yet', references);
  const email = checkout.customer_details?.email ?? checkout.customer_email;
  return meaning('purchase', references, {
    orderId: checkout.subscription ?? checkout.payment_intent ?? id,
    email: mailAddressSchema.safeParse(email).data,
    plan: planIdSchema.safeParse(checkout.metadata?.plan).data,
    subscription: mode === 'subscription',
  });
};

const readInvoice = (object: unknown): Meaning => {
  const { id, lines, parent, payment_intent, charge: paidBy, ...rest } = invoice.parse(object);
  const of = parent?.subscription_details?.subscription ?? rest.subscription;
  const references = [id, of, payment_intent, paidBy];
  if (!of) return meaning('link', references);
  const periodEnd = lastOf(lines.data.map(({ period }) => period?.end));
  return periodEnd === undefined
    ? nothing('an invoice without a period', references)
    : meaning('renewal', references, { periodEnd });
};

const readInvoicePayment = (object: unknown): Meaning => {
  const { invoice: of, payment } = invoicePayment.parse(object);
  return meaning('link', [of, payment?.payment_intent, payment?.charge]);
};

const readRefund = (object: unknown): Meaning => {
  const { id, refunded, payment_intent, invoice: of } = charge.parse(object);
  const references = [id, payment_intent, of];
  return refunded ? meaning('refund', references) : nothing('only a part was refunded', references);
};

const readDispute = (object: unknown): Meaning => {
  const { status, charge: of, payment_intent } = dispute.parse(object);
  const references = [of, payment_intent];
  // The bank asks first; the money is still with the vendor.
  return status.startsWith('warning_')
    ? nothing('an inquiry, not a chargeback', references)
    : meaning('chargeback', references);
};

const readSubscriptionEnd = (object: unknown): Meaning => {
  const { id, ended_at, current_period_end, items } = subscription.parse(object);
  const ends = [ended_at, current_period_end, ...(items?.data ?? []).map((item) => item.current_period_end)];
  const periodEnd = lastOf(ends);
  return periodEnd === undefined
    ? nothing('a subscription without a period', [id])
    : meaning('end', [id], { periodEnd });
};

const readers: Readonly<Record<string, (object: unknown) => Meaning>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'invoice.paid': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'charge.refunded': readRefund,
  'charge.dispute.created': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'customer.subscription.deleted': readSubscriptionEnd,
};

/** Null: a type that is of no use here. @throws {z.ZodError} on one that has not the shape we know */
export const readStripeEvent = ({ id, type, created, data }: StripeEvent): PurchaseEvent | null => {
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (!read) return null;
  return {
    gateway: 'stripe',
    eventId: id,
    type,
    occurredAt: new Date(created * 1000),
    ...read(data.object),
  };
};
