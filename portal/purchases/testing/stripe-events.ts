/** Events as Stripe sends them (API 2025-06-30, plus fields of older versions), with the fields that the portal reads and more. */

export const emailOfBuyer = 'jenny.rosen@example.com';
export const day = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 1000;

let serial = 0;
const event = (type: string, object: object, created = day('2026-03-01')) => {
  serial += 1;
  return {
    id: `evt_1RabcdLkdIwHu7ix${String(serial).padStart(8, '0')}`,
    object: 'event',
    api_version: '2025-06-30.basil',
    created,
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
};

export interface Sale {
  readonly session: string;
  readonly paymentIntent?: string;
  readonly subscription?: string;
  readonly invoice?: string;
  readonly plan?: string;
}

export const checkoutCompleted = (sale: Sale, changes: object = {}) =>
  event('checkout.session.completed', {
    id: sale.session,
    object: 'checkout.session',
    adaptive_pricing: { enabled: true },
    amount_subtotal: 4900,
    amount_total: 4900,
    automatic_tax: { enabled: false, liability: null, status: null },
    client_reference_id: null,
    currency: 'usd',
    customer: 'cus_SabcdefGHIJKL1',
    customer_details: {
      address: { city: null, country: 'DE', line1: null, line2: null, postal_code: '10115', state: null },
      email: emailOfBuyer,
      name: 'Jenny Rosen',
      phone: null,
      tax_exempt: 'none',
      tax_ids: [],
    },
    customer_email: null,
    invoice: sale.invoice ?? null,
    livemode: true,
    metadata: sale.plan === undefined ? {} : { plan: sale.plan },
    mode: sale.subscription ? 'subscription' : 'payment',
    payment_intent: sale.paymentIntent ?? null,
    payment_method_types: ['card'],
    payment_status: 'paid',
    status: 'complete',
    subscription: sale.subscription ?? null,
    ...changes,
  });

export interface Period {
  readonly invoice: string;
  readonly subscription: string;
  readonly end: string;
}

const invoiceLine = (end: string) => ({
  id: 'il_1RabcdLkdIwHu7ix',
  object: 'line_item',
  amount: 900,
  currency: 'usd',
  period: { start: day(end) - 30 * 86_400, end: day(end) },
  pricing: { type: 'price_details', price_details: { price: 'price_1Rabcd', product: 'prod_Sabcd' } },
});

export const invoicePaid = ({ invoice, subscription, end }: Period) =>
  event(
    'invoice.paid',
    {
      id: invoice,
      object: 'invoice',
      amount_paid: 900,
      billing_reason: 'subscription_cycle',
      customer: 'cus_SabcdefGHIJKL1',
      customer_email: emailOfBuyer,
      lines: { object: 'list', data: [invoiceLine(end)], has_more: false, total_count: 1 },
      parent: {
        quote_details: null,
        subscription_details: { metadata: {}, subscription },
        type: 'subscription_details',
      },
      // The period before the paid one, which must not be used.
      period_end: day(end) - 30 * 86_400,
      period_start: day(end) - 60 * 86_400,
      status: 'paid',
    },
    day(end) - 30 * 86_400,
  );

/** As in API versions before 2025-03-31. */
export const olderInvoicePaid = (period: Period & { readonly paymentIntent: string }) =>
  event(
    'invoice.paid',
    {
      id: period.invoice,
      object: 'invoice',
      charge: `ch_${period.paymentIntent.slice(3)}`,
      payment_intent: period.paymentIntent,
      subscription: period.subscription,
      lines: { object: 'list', data: [invoiceLine(period.end)] },
      paid: true,
      status: 'paid',
    },
    day(period.end) - 30 * 86_400,
  );

export const invoicePaymentPaid = (invoice: string, paymentIntent: string) =>
  event('invoice_payment.paid', {
    id: 'inpay_1RabcdLkdIwHu7ix',
    object: 'invoice_payment',
    amount_paid: 900,
    currency: 'usd',
    invoice,
    is_default: true,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'paid',
  });

export const chargeRefunded = (paymentIntent: string, part: 'whole' | 'part' = 'whole') =>
  event('charge.refunded', {
    id: `ch_${paymentIntent.slice(3)}`,
    object: 'charge',
    amount: 4900,
    amount_captured: 4900,
    amount_refunded: part === 'whole' ? 4900 : 1000,
    billing_details: { email: emailOfBuyer, name: 'Jenny Rosen' },
    disputed: false,
    payment_intent: paymentIntent,
    payment_method_details: { card: { brand: 'visa', last4: '4242' }, type: 'card' },
    refunded: part === 'whole',
    status: 'succeeded',
  });

export const disputeCreated = (paymentIntent: string, status = 'needs_response', caseType = 'chargeback') =>
  event('charge.dispute.created', {
    id: 'dp_1RabcdLkdIwHu7ix',
    object: 'dispute',
    amount: 4900,
    charge: `ch_${paymentIntent.slice(3)}`,
    currency: 'usd',
    payment_intent: paymentIntent,
    payment_method_details: { type: 'card', card: { brand: 'visa', case_type: caseType } },
    reason: 'fraudulent',
    status,
  });

export const subscriptionDeleted = (id: string, periodEnd: string) =>
  event(
    'customer.subscription.deleted',
    {
      id,
      object: 'subscription',
      cancel_at_period_end: false,
      canceled_at: day(periodEnd),
      customer: 'cus_SabcdefGHIJKL1',
      ended_at: day(periodEnd) - 3600,
      items: {
        object: 'list',
        data: [{ id: 'si_Sabcd', object: 'subscription_item', current_period_end: day(periodEnd) }],
      },
      status: 'canceled',
    },
    day(periodEnd) - 3600,
  );
