import * as z from 'zod';
import type { NamedReceiver, OutsideLine, ShopFacts } from '../../kernel/database/stored-values.ts';
import type { ShopEvent } from './shop-event.ts';
import { readStripeAmount } from './stripe-amount.ts';

/** Shapes: https://docs.stripe.com/api/checkout/sessions/object, /charges/object and /disputes/object. */
const reference = z.string().min(1).max(200);
/** An id, or the object itself if it was expanded. */
const ref = z.union([reference, z.object({ id: reference }).transform(({ id }) => id)]).nullish();
const webhook = z.looseObject({
  id: reference,
  type: z.string().min(1).max(128),
  /** False: in test mode or a sandbox, where no money is paid (https://docs.stripe.com/api/events/object). */
  livemode: z.boolean().nullish(),
  /** Missing in thin events, of which none is read (https://docs.stripe.com/event-destinations). */
  data: z.object({ object: z.unknown() }).optional(),
});
const session = z.object({
  id: reference,
  mode: z.string().nullish(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: ref,
  payment_link: ref,
  invoice: ref,
  client_reference_id: z.string().max(200).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  // Display only, so that their form refuses no payment.
  amount_total: z.number().nullish().catch(null),
  currency: z.string().max(10).nullish().catch(null),
});
const metadata = z.record(z.string(), z.string()).nullish().catch(null);
/**
 * Metadata is the subscription's: under `parent` since 2025-03-31, before that beside it, and in lines before 2023-06-29
 * (https://docs.stripe.com/changelog/basil). Until then the payment was named as well.
 */
const invoice = z.object({
  id: reference,
  billing_reason: z.string().nullish(),
  parent: z.object({ subscription_details: z.object({ metadata }).nullish() }).nullish(),
  subscription_details: z.object({ metadata }).nullish(),
  lines: z
    .object({ data: z.array(z.object({ metadata })) })
    .nullish()
    .catch(null),
  payment_intent: ref,
  charge: ref,
  amount_paid: z.number().nullish().catch(null),
  currency: z.string().max(10).nullish().catch(null),
});
const invoicePayment = z.object({
  invoice: ref,
  payment: z.object({ payment_intent: ref, charge: ref }).nullish(),
});
const charge = z.object({
  id: reference,
  refunded: z.boolean(),
  amount_refunded: z.number(),
  payment_intent: ref,
  invoice: ref,
});
const dispute = z.object({
  id: reference,
  status: z.string(),
  charge: ref,
  payment_intent: ref,
  payment_method_details: z
    .object({ card: z.object({ case_type: z.string().nullish() }).nullish() })
    .nullish()
    .catch(null),
});

/** Refs of payments, by which refunds and disputes are found. */
export const isPaymentRef = (ref: string): boolean => /^stripe:(?:pi|ch|py)_/.test(ref);

type Read = { readonly refs: readonly (string | null | undefined)[]; readonly facts: ShopFacts };
const nothing: ShopFacts = { kind: 'nothing' };

/**
 * No event contains line items. What was bought is in the session's metadata, which the owner of the shop sets
 * (`castellan_product`, `castellan_quantity`; more with `_2`, `_3` …), or follows from the payment link.
 */
const linesOf = ({
  metadata,
  payment_link,
}: Pick<z.output<typeof session>, 'metadata' | 'payment_link'>): readonly OutsideLine[] => {
  const entries = Object.entries(metadata ?? {}).flatMap(([name, product]): OutsideLine[] => {
    const [, suffix] = /^castellan_product((?:_\d{1,2})?)$/.exec(name) ?? [];
    if (suffix === undefined) return [];
    const quantity = metadata?.[`castellan_quantity${suffix}`] ?? '1';
    return [{ product: product.trim(), quantity: /^-?\d{1,9}$/.test(quantity) ? Number(quantity) : 0 }];
  });
  if (entries.length > 0) return entries;
  return payment_link ? [{ product: payment_link, quantity: 1 }] : [];
};

/** Buyers can edit `client_reference_id`: it determines the receiver, and nothing else. */
const receiverOf = ({
  metadata,
  client_reference_id,
}: Pick<z.output<typeof session>, 'metadata' | 'client_reference_id'>): NamedReceiver | null => {
  const text = (metadata?.castellan_player ?? client_reference_id ?? '').trim().slice(0, 200);
  return text === '' ? null : { kind: 'text', text, game: null };
};

const readSession = (object: unknown): Read => {
  const checkout = session.parse(object);
  const { id, payment_intent, invoice, payment_status, mode } = checkout;
  const refs = [id, payment_intent, invoice];
  // Unpaid: the money comes later, reported by `async_payment_succeeded`.
  if (payment_status === 'unpaid' || mode === 'setup') return { refs, facts: nothing };
  return {
    refs,
    facts: {
      kind: 'paid',
      orderId: id,
      lines: linesOf(checkout),
      receiver: receiverOf(checkout),
      amount: readStripeAmount(checkout.amount_total, checkout.currency),
      // Charges and disputes name a payment intent, which is on the subscription's invoice and not in its session.
      hidesRefunds: mode === 'subscription',
    },
  };
};

/** What a subscription pays after its first time; what the session sold is sold again. */
const renewals: ReadonlySet<string> = new Set(['subscription_cycle', 'subscription']);

const readInvoice = (object: unknown): Read => {
  const { id, billing_reason, payment_intent, charge: paidBy, ...of } = invoice.parse(object);
  const refs = [id, payment_intent, paidBy];
  // The first one is the session's; others, such as for a change of the plan, sell nothing that is known here.
  if (!renewals.has(billing_reason ?? '')) return { refs, facts: nothing };
  const told =
    [of.parent?.subscription_details, of.subscription_details, ...(of.lines?.data ?? [])]
      .map((one) => one?.metadata)
      .find((one) => one && Object.keys(one).length > 0) ?? null;
  return {
    refs,
    facts: {
      kind: 'paid',
      orderId: id,
      lines: linesOf({ metadata: told, payment_link: null }),
      receiver: receiverOf({ metadata: told, client_reference_id: null }),
      amount: readStripeAmount(of.amount_paid, of.currency),
      hidesRefunds: true,
    },
  };
};

/** Names the payment of an invoice, which later API versions leave out there. */
const readInvoicePayment = (object: unknown): Read => {
  const { invoice: of, payment } = invoicePayment.parse(object);
  return { refs: [of, payment?.payment_intent, payment?.charge], facts: nothing };
};

/** `amount_refunded` is the sum of all refunds so far. */
const readCharge = (object: unknown): Read => {
  const { id, refunded, amount_refunded, payment_intent, invoice } = charge.parse(object);
  return {
    refs: [id, payment_intent, invoice],
    facts: refunded ? { kind: 'refunded' } : { kind: 'part-refunded', refunded: amount_refunded },
  };
};

/**
 * The buyer has the money again: `lost`, in older API versions also `charge_refunded`. A `prevented` dispute (since 2025-08-27) was
 * resolved by a refund, unless it was blocked (https://docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute).
 */
const lostDisputes: ReadonlySet<string> = new Set(['lost', 'charge_refunded', 'prevented']);

const readDispute = (object: unknown): Read => {
  const { id, status, charge: of, payment_intent, payment_method_details: paidBy } = dispute.parse(object);
  const refs = [of, payment_intent];
  const isBlocked = status === 'prevented' && paidBy?.card?.case_type === 'block';
  // The bank is only asking; the shop still has the money.
  if (status.startsWith('warning_')) return { refs, facts: nothing };
  if (status === 'won' || isBlocked) return { refs, facts: { kind: 'dispute-won', disputeId: id } };
  const kind = lostDisputes.has(status) ? 'dispute-lost' : 'disputed';
  return { refs, facts: { kind, disputeId: id } };
};

const readers: Readonly<Record<string, (object: unknown) => Read>> = {
  'checkout.session.completed': readSession,
  'checkout.session.async_payment_succeeded': readSession,
  'invoice.paid': readInvoice,
  'invoice.payment_succeeded': readInvoice,
  'invoice_payment.paid': readInvoicePayment,
  'charge.refunded': readCharge,
  'charge.dispute.created': readDispute,
  // An inquiry that becomes a chargeback keeps its id and has no second `created`: these two report it.
  'charge.dispute.updated': readDispute,
  'charge.dispute.funds_withdrawn': readDispute,
  'charge.dispute.funds_reinstated': readDispute,
  'charge.dispute.closed': readDispute,
};

/** @throws {z.ZodError} when it differs from the documentation */
export const readStripeEvent = (body: unknown): ShopEvent => {
  const { id: eventId, type, livemode, data } = webhook.parse(body);
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  const { refs, facts } = read?.(data?.object) ?? { refs: [], facts: nothing };
  return {
    eventId,
    type,
    refs: refs.filter((one) => typeof one === 'string').map((one) => `stripe:${one}`),
    facts: livemode === false && facts.kind === 'paid' ? { ...facts, isTest: true } : facts,
  };
};
