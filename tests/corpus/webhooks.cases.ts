import type { GameId } from '#contracts/servers/games.ts';

/** What is kept of an event of `webhooks/`, and where its shape is described. */
interface WebhookCase {
  readonly kind: string;
  readonly refs?: readonly string[];
  /** `id`, `name`, `member` or `text`, and what the shop wrote; null: none. */
  readonly receiver?: string | null;
  readonly lines?: Readonly<Record<string, number>>;
  readonly amount?: string | null;
  readonly isTest?: true;
  /** Of the shop; Minecraft by default. */
  readonly game?: GameId;
  readonly source: string;
}

const session = 'docs.stripe.com/api/checkout/sessions/object';
const invoice = 'docs.stripe.com/api/invoices/object';
const basil = 'docs.stripe.com/changelog/basil/2025-03-31';
const tebex = 'docs.tebex.io/developers/webhooks/overview';
const uuid = '069a79f444e94726a5befca90e38aaf5';
const steam = '76561198010715714';

const vip = { lines: { vip: 1 }, receiver: `text ${uuid}` } as const;
const paidSession: WebhookCase = {
  ...{ kind: 'paid', refs: ['cs_1', 'pi_1'], ...vip, amount: '12.90 EUR', source: session },
};
const renewal: WebhookCase = {
  ...{ kind: 'paid', refs: ['in_2', 'pi_2', 'ch_2'], ...vip, amount: '12.90 EUR', source: invoice },
};
const payment: WebhookCase = {
  ...{
    kind: 'paid',
    refs: ['tbx-1'],
    lines: { 42: 1 },
    receiver: `id ${uuid}`,
    amount: '9.99 EUR',
    source: tebex,
  },
};

export const webhookCases: Readonly<Record<string, WebhookCase>> = {
  'stripe-session.json': paidSession,
  'stripe-session-unpaid.json': { kind: 'nothing', refs: ['cs_1', 'pi_1'], source: session },
  'stripe-session-free.json': { ...paidSession, refs: ['cs_1'], amount: '0.00 EUR' },
  'stripe-session-late.json': paidSession,
  'stripe-session-expanded.json': {
    ...{ ...paidSession, lines: { plink_1: 1 }, receiver: null, source: 'docs.stripe.com/expand' },
  },
  'stripe-session-link.json': { ...paidSession, lines: { plink_1: 1 }, receiver: `text steam_${steam}` },
  'stripe-session-subscription.json': { ...paidSession, refs: ['cs_1', 'in_1'] },
  'stripe-session-test.json': { ...paidSession, isTest: true, source: 'docs.stripe.com/api/events/object' },
  'stripe-session-two-products.json': { ...paidSession, lines: { vip: 1, coins: 5 } },
  'stripe-session-yen.json': { ...paidSession, amount: '1290 JPY', source: 'docs.stripe.com/currencies' },
  'stripe-session-amount-missing.json': { ...paidSession, amount: null },
  'stripe-session-setup.json': { kind: 'nothing', refs: ['cs_1'], source: session },
  'stripe-invoice-basil.json': { ...renewal, refs: ['in_2'], source: basil },
  'stripe-invoice-2024.json': renewal,
  'stripe-invoice-2020.json': { ...renewal, source: 'mickasmt/next-saas-stripe-starter#79' },
  'stripe-invoice-first.json': { kind: 'nothing', refs: ['in_2'], source: basil },
  'stripe-invoice-bare.json': { ...renewal, refs: ['in_2'], lines: {}, receiver: null },
  'stripe-invoice-payment.json': { kind: 'nothing', refs: ['in_2', 'pi_2'], source: basil },
  'stripe-charge-refunded.json': {
    ...{ kind: 'refunded', refs: ['ch_1', 'pi_1'], source: 'docs.stripe.com/api/charges/object' },
  },
  'stripe-charge-part-2022.json': {
    ...{
      kind: 'part-refunded',
      refs: ['ch_1', 'pi_1', 'in_1'],
      source: 'docs.stripe.com/api/charges/object',
    },
  },
  'stripe-dispute-inquiry.json': {
    ...{ kind: 'nothing', refs: ['ch_1', 'pi_1'], source: 'docs.stripe.com/disputes/how-disputes-work' },
  },
  'stripe-dispute-lost.json': {
    ...{ kind: 'dispute-lost', refs: ['ch_1', 'pi_1'], source: 'docs.stripe.com/api/disputes/object' },
  },
  'stripe-dispute-prevented.json': {
    ...{ kind: 'dispute-lost', refs: ['ch_1', 'pi_1'] },
    source: 'docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute',
  },
  'stripe-dispute-blocked.json': {
    ...{ kind: 'dispute-won', refs: ['ch_1', 'pi_1'] },
    source: 'docs.stripe.com/changelog/basil/2025-08-27/add-preventions-to-dispute',
  },
  'stripe-dispute-refunded-2019.json': {
    ...{ kind: 'dispute-lost', refs: ['ch_1', 'pi_1'] },
    source: 'shopify.dev/docs/api/admin-graphql/2024-04/enums/disputestatus',
  },
  'stripe-refund-failed.json': {
    kind: 'nothing',
    refs: [],
    source: 'docs.stripe.com/refunds#failed-refunds',
  },
  'stripe-future-members.json': paidSession,
  'stripe-thin-event.json': { kind: 'nothing', refs: [], source: 'docs.stripe.com/event-destinations' },
  'tebex-java.json': payment,
  'tebex-bedrock.json': {
    ...payment,
    receiver: 'id 2535412345678901',
    source: 'tebexio/Tebex-Minecraft#138',
  },
  'tebex-geyser-offline.json': {
    ...{ ...payment, receiver: 'name .Peachy_Keen19', source: 'plan-player-analytics/Plan#3728' },
  },
  'tebex-offline-hash.json': {
    ...{ ...payment, receiver: 'name Leorado', source: 'tebexio/Tebex-Minecraft#113' },
  },
  'tebex-offline-nil.json': {
    ...{ ...payment, receiver: 'name Leorado', source: 'tebexio/Tebex-Minecraft#113' },
  },
  'tebex-ark-ascended.json': {
    ...{ ...payment, receiver: 'id 00023f168ede3136a17c954ec0b9245d', game: 'ark-asa' },
  },
  'tebex-palworld-console.json': {
    ...{ ...payment, receiver: 'id ps5_4591469878499095569', game: 'palworld' },
    source: 'zaigie/palworld-server-tool#253',
  },
  'tebex-universal.json': { ...payment, receiver: null },
  'tebex-steam.json': { ...payment, receiver: `id ${steam}` },
  'tebex-no-id.json': { ...payment, receiver: 'name Bob' },
  'tebex-no-customer.json': { ...payment, receiver: null },
  'tebex-gift.json': { ...payment, lines: { 42: 2 }, receiver: 'id 0f3a0c1e11114222833344445555aaaa' },
  'tebex-two-receivers.json': { ...payment, lines: { 42: 1, 43: 1 } },
  'tebex-renewal.json': payment,
  'tebex-test.json': { ...payment, isTest: true },
  'tebex-free.json': { ...payment, amount: '0 EUR' },
  'tebex-price-as-text.json': payment,
  'tebex-refunded.json': { kind: 'refunded', refs: ['tbx-1'], source: tebex },
  'tebex-dispute-opened.json': { kind: 'disputed', refs: ['tbx-1'], source: tebex },
  'tebex-declined.json': { kind: 'nothing', refs: [], source: tebex },
  'tebex-recurring-renewed.json': { kind: 'nothing', refs: [], source: tebex },
  'tebex-validation.json': { kind: 'nothing', refs: [], source: tebex },
};
