/**
 * Events in each shop's documented shapes, including more than we read.
 * Tebex: https://docs.tebex.io/developers/webhooks/overview. Stripe: https://docs.stripe.com/api/checkout/sessions/object,
 * https://docs.stripe.com/api/charges/object, https://docs.stripe.com/api/disputes/object and
 * https://docs.stripe.com/checkout/fulfillment. Generic: contracts/storefronts/shop-webhooks.ts.
 */

let serial = 0;
const next = (): string => {
  serial += 1;
  return String(serial).padStart(8, '0');
};

/** For the generic shop. */
export const genericPaid = (
  orderId: string,
  lines: readonly { product: string; quantity: number }[],
  receiver?: object,
) => ({
  id: `evt-${next()}`,
  type: 'paid',
  orderId,
  lines,
  amount: { value: '12.90', currency: 'BRL' },
  ...(receiver ? { receiver } : {}),
});
export const genericEvent = (type: string, orderId: string, more: object = {}) => ({
  id: `evt-${next()}`,
  type,
  orderId,
  ...more,
});

export interface TebexProduct {
  readonly id: number;
  readonly quantity: number;
  /** The receiver: the buyer, or for a gift another player. */
  readonly username: { readonly id: string; readonly username: string } | null;
}

export const emailOfBuyer = 'jenny.rosen@example.com';

export const tebexPayment = (type: string, transactionId: string, products: readonly TebexProduct[]) => ({
  id: `5f3a0c1e-0000-4000-8000-0000${next()}`,
  type,
  date: '2026-03-01T12:00:00+00:00',
  subject: {
    transaction_id: transactionId,
    status: { id: 1, description: 'Complete' },
    payment_sequence: 'oneoff',
    created_at: '2026-03-01T12:00:00.000000Z',
    price: { amount: 9.99, currency: 'EUR' },
    price_paid: { amount: 9.99, currency: 'EUR' },
    payment_method: { name: 'PayPal', refundable: true },
    fees: { tax: { amount: 0, currency: 'EUR' }, gateway: { amount: 0.3, currency: 'EUR' } },
    customer: {
      first_name: 'Jenny',
      last_name: 'Rosen',
      email: emailOfBuyer,
      ip: '192.0.2.7',
      username: { id: '069a79f444e94726a5befca90e38aaf5', username: 'Notch' },
      marketing_consent: false,
      country: 'DE',
      postal_code: '10115',
    },
    products: products.map((product) => ({
      name: `Package ${product.id}`,
      base_price: { amount: 9.99, currency: 'EUR' },
      paid_price: { amount: 9.99, currency: 'EUR' },
      variables: [],
      expires_at: null,
      custom: null,
      servers: [],
      ...product,
    })),
    coupons: [],
    gift_cards: [],
    recurring_payment_reference: null,
    custom: {},
    revenue_share: [],
    decline_reason: null,
    creator_code: null,
  },
});

export const tebexValidation = () => ({
  id: `5f3a0c1e-0000-4000-8000-0000${next()}`,
  type: 'validation.webhook',
  date: '2026-03-01T12:00:00+00:00',
  subject: {},
});

const stripeEvent = (type: string, object: object) => ({
  id: `evt_1RabcdLkdIwHu7ix${next()}`,
  object: 'event',
  api_version: '2025-06-30.basil',
  created: 1_772_366_400,
  data: { object },
  livemode: true,
  pending_webhooks: 2,
  request: { id: null, idempotency_key: null },
  type,
});

export const stripeSession = (session: string, changes: object = {}, type = 'checkout.session.completed') =>
  stripeEvent(type, {
    id: session,
    object: 'checkout.session',
    amount_subtotal: 1290,
    amount_total: 1290,
    client_reference_id: null,
    currency: 'brl',
    customer: 'cus_SabcdefGHIJKL1',
    customer_details: { address: { country: 'BR' }, email: emailOfBuyer, name: 'Jenny Rosen' },
    customer_email: null,
    invoice: null,
    livemode: true,
    metadata: {},
    mode: 'payment',
    payment_intent: `pi_${session}`,
    payment_link: null,
    payment_method_types: ['card'],
    payment_status: 'paid',
    status: 'complete',
    subscription: null,
    ...changes,
  });

/** Since 2025-03-31, with the payment in an event of its own; before, as `former` says. */
export const stripeInvoice = (
  id: string,
  metadata: Readonly<Record<string, string>>,
  changes: object = {},
  type = 'invoice.paid',
) =>
  stripeEvent(type, {
    id,
    object: 'invoice',
    amount_paid: 1290,
    billing_reason: 'subscription_cycle',
    currency: 'brl',
    customer: 'cus_SabcdefGHIJKL1',
    customer_email: emailOfBuyer,
    lines: { object: 'list', data: [{ id: 'il_1', object: 'line_item', amount: 1290, metadata: {} }] },
    metadata: {},
    parent: {
      quote_details: null,
      subscription_details: { metadata, subscription: 'sub_1' },
      type: 'subscription_details',
    },
    status: 'paid',
    ...changes,
  });

export const stripeInvoicePayment = (invoice: string, session: string) =>
  stripeEvent('invoice_payment.paid', {
    id: `inpay_${invoice}`,
    object: 'invoice_payment',
    amount_paid: 1290,
    invoice,
    payment: { payment_intent: `pi_${session}`, type: 'payment_intent' },
    status: 'paid',
  });

export const stripeRefund = (session: string, amountRefunded = 1290) =>
  stripeEvent('charge.refunded', {
    id: `ch_${session}`,
    object: 'charge',
    amount: 1290,
    amount_captured: 1290,
    amount_refunded: amountRefunded,
    billing_details: { email: emailOfBuyer, name: 'Jenny Rosen' },
    disputed: false,
    payment_intent: `pi_${session}`,
    payment_method_details: { card: { brand: 'visa', last4: '4242' }, type: 'card' },
    refunded: amountRefunded >= 1290,
    status: 'succeeded',
  });

export const stripeDispute = (
  session: string,
  type: 'created' | 'updated' | 'funds_withdrawn' | 'funds_reinstated' | 'closed',
  status: string,
) =>
  stripeEvent(`charge.dispute.${type}`, {
    id: `dp_${session}`,
    object: 'dispute',
    amount: 1290,
    charge: `ch_${session}`,
    currency: 'brl',
    payment_intent: `pi_${session}`,
    reason: 'fraudulent',
    status,
  });
