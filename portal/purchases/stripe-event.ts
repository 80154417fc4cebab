import * as z from 'zod';
import { spokenLanguage } from '#contracts/kernel/language.ts';
import { planIdSchema, type stripeWebhookEvent } from '#contracts/portal/purchases.ts';
import { type Money, minorDigitsOf, moneySchema } from '#contracts/store/currency.ts';
import type { PurchaseFacts, PurchaseKind } from '../database/stored-values.ts';
import { mailAddressSchema } from '../mail/mail-address.ts';
import type { PurchaseEvent } from './purchase-event.ts';

/** Currencies for which Stripe uses another unit than ISO 4217 (docs.stripe.com/currencies, "Special cases"). */
const stripeDigits: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Null if the event has no readable amount: an older API, or none at all. */
const stripeMoney = (
  amount: number | null | undefined,
  lowerCaseCurrency: string | null | undefined,
): Money | null => {
  if (typeof amount !== 'number' || typeof lowerCaseCurrency !== 'string') return null;
  const currency = lowerCaseCurrency.toUpperCase();
  const digits = minorDigitsOf(currency);
  const minor = Math.round(amount * 10 ** (digits - (stripeDigits[currency] ?? digits)));
  return moneySchema.safeParse({ minor, currency }).data ?? null;
};

type StripeEvent = z.infer<typeof stripeWebhookEvent>;
type Meaning = Pick<PurchaseEvent, 'kind' | 'references' | 'facts' | 'reason' | 'payment'>;

/** An id, or the object itself if the vendor has it expanded. */
const idSchema = z
  .union([z.string().min(1).max(255), z.object({ id: z.string().min(1).max(255) }).transform(({ id }) => id)])
  .nullish();
const secondsSchema = z.int().min(0).max(253_402_300_799);
/** Sales are summed from it; an event without a readable one is still useful. */
const amountSchema = z.int().min(0).nullish().catch(null);
const currencySchema = z
  .string()
  .regex(/^[a-z]{3}$/i)
  .nullish()
  .catch(null);

const session = z.object({
  id: z.string().max(255),
  mode: z.enum(['payment', 'subscription', 'setup']),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  customer_email: z.string().nullish(),
  customer_details: z.object({ email: z.string().nullish() }).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  /** For example `pt-BR`, or `auto` for the browser's language. */
  locale: z.string().nullish(),
  payment_intent: idSchema,
  subscription: idSchema,
  invoice: idSchema,
  amount_total: amountSchema,
  currency: currencySchema,
});

const invoice = z.object({
  id: z.string().max(255),
  /** In API versions before 2025-03-31; later ones have it under `parent`. */
  subscription: idSchema,
  parent: z.object({ subscription_details: z.object({ subscription: idSchema }).nullish() }).nullish(),
  payment_intent: idSchema,
  charge: idSchema,
  lines: z.object({ data: z.array(z.object({ period: z.object({ end: secondsSchema }).nullish() })) }),
  amount_paid: amountSchema,
  currency: currencySchema,
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
  amount_refunded: amountSchema,
  currency: currencySchema,
});

const dispute = z.object({
  id: z.string().max(255).nullish(),
  status: z.string(),
  charge: idSchema,
  payment_intent: idSchema,
  amount: amountSchema,
  currency: currencySchema,
  payment_method_details: z
    .object({ card: z.object({ case_type: z.string().nullish() }).nullish() })
    .nullish()
    .catch(null),
});

const subscription = z.object({
  id: z.string().max(255),
  ended_at: secondsSchema.nullish(),
  /** In API versions before 2025-03-31; later ones have it in each item. */
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
  const facts = {
    orderId: checkout.subscription ?? checkout.payment_intent ?? id,
    email: mailAddressSchema.safeParse(email).data,
    plan: planIdSchema.safeParse(checkout.metadata?.plan).data,
    language: spokenLanguage([checkout.locale ?? '']) ?? undefined,
    subscription: mode === 'subscription',
  };
  // For a subscription, the first period's invoice reports the same money.
  if (mode === 'subscription') return meaning('purchase', references, facts);
  const money = stripeMoney(checkout.amount_total, checkout.currency);
  return {
    ...meaning('purchase', references, facts),
    payment: money ? { direction: 'paid', reference: id, source: id, money } : undefined,
  };
};

const readInvoice = (object: unknown): Meaning => {
  const { id, lines, parent, payment_intent, charge: paidBy, ...rest } = invoice.parse(object);
  const of = parent?.subscription_details?.subscription ?? rest.subscription;
  const references = [id, of, payment_intent, paidBy];
  if (!of) return meaning('link', references);
  const periodEnd = lastOf(lines.data.map(({ period }) => period?.end));
  if (periodEnd === undefined) return nothing('an invoice without a period', references);
  const money = stripeMoney(rest.amount_paid, rest.currency);
  return {
    ...meaning('renewal', references, { periodEnd }),
    payment: money ? { direction: 'paid', reference: id, source: id, money } : undefined,
  };
};

const readInvoicePayment = (object: unknown): Meaning => {
  const { invoice: of, payment } = invoicePayment.parse(object);
  return meaning('link', [of, payment?.payment_intent, payment?.charge]);
};

const readRefund = (object: unknown): Meaning => {
  const { id, refunded, payment_intent, invoice: of, amount_refunded, currency } = charge.parse(object);
  const references = [id, payment_intent, of];
  const money = stripeMoney(amount_refunded, currency);
  // The charge accumulates: each partial refund reports the sum of all so far.
  const reference = `${id} ${amount_refunded}`;
  return {
    ...(refunded ? meaning('refund', references) : nothing('only a part was refunded', references)),
    payment: money ? { direction: 'returned', reference, source: id, money, isTotal: true } : undefined,
  };
};

const readDispute = (object: unknown): Meaning => {
  const read = dispute.parse(object);
  const { id, status, charge: of, payment_intent, amount, currency } = read;
  const references = [of, payment_intent];
  // The bank only inquires; the money is still with the vendor.
  if (status.startsWith('warning_')) return nothing('an inquiry, not a chargeback', references);
  // Also a refund may prevent a dispute: https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute.
  if (status === 'prevented' && read.payment_method_details?.card?.case_type === 'block')
    return nothing('a dispute that was blocked', references);
  const money = stripeMoney(amount, currency);
  return {
    ...meaning('chargeback', references),
    payment: money && id ? { direction: 'returned', reference: id, source: id, money } : undefined,
  };
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

/** Null: a type that is not used here. @throws {z.ZodError} for an unknown shape */
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
