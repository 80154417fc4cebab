import { genericWebhookEvent, purchasesHttp, signatureHeaders } from '#contracts/portal/purchases.ts';
import { type movableClock, newAddress, newHwid, type TestPortal } from '#harness/portal.ts';
import { createLog } from '#runtime/log.ts';
import { Secret } from '#runtime/secret.ts';
import { signed } from '#runtime/webhooks/testing/signed.ts';
import { createPortalApp } from '../../portal/app.ts';
import * as stripe from '../../portal/purchases/testing/stripe-events.ts';
import { codeAt, enrolAccount } from '../../portal/vendor/testing/enrolled-account.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import { createMemory, type HostileRequest, interfaceOf, requestTo, spoilt } from './hostile-requests.ts';
import type { Random } from './hostile-values.ts';
import { pageRoutesOf } from './page-routes.ts';
import { createSender, type FuzzResult, runFuzz, type Sent } from './run-fuzz.ts';
import { sampleOf, schemaOf } from './sample-values.ts';
import { walkPages } from './walk-pages.ts';

export const portalWebhookSecret = new Secret('whsec_0123456789abcdef0123456789');

/** Of the license that pages and requests are about. */
const buyer = 'owner@example.com';
/** Codes of the authenticator, sessions and limits of tries run out during the run. */
const passMs = 20_000;

const webhookEvents = (random: Random): object[] => {
  const id = Math.floor(random() * 40);
  const [invoice, intent, subscription] = [`in_${id}`, `pi_${id}`, `sub_${id}`];
  const sale = { session: `cs_${id}`, paymentIntent: intent, subscription, invoice, plan: 'yearly' };
  return [
    stripe.checkoutCompleted(sale),
    stripe.invoicePaid({ invoice, subscription, end: '2027-01-01' }),
    stripe.invoicePaymentPaid(invoice, intent),
    stripe.chargeRefunded(intent),
    stripe.disputeCreated(intent),
    stripe.subscriptionDeleted(subscription, '2027-01-01'),
  ];
};

/**
 * Sends hostile requests to everything that the portal answers: its API as a program of a customer's and as a gateway of
 * payments, and its pages as a vendor, a customer and a visitor.
 */
export const fuzzPortal = async (
  portal: TestPortal,
  clock: ReturnType<typeof movableClock>,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzResult> => {
  using sender = createSender(Number(new URL(portal.url).port));
  const { send } = sender;
  const document = await (await fetch(`${portal.url}/api/openapi.json`)).json();
  const { operations, definitions } = interfaceOf(document);
  const memory = createMemory();
  const log = createLog({ component: 'portal', level: 'silent' });
  const app = createPortalApp(portal.context, { trustProxy: false, log });
  const routes = pageRoutesOf(app, ['/admin', '/account']);

  let accounts = 0;
  const newVendor = () => {
    accounts += 1;
    return enrolAccount(portal, `Fuzz ${seed} ${accounts}`);
  };
  let vendor = await newVendor();
  const license = await portal.issue({ buyerEmail: buyer });
  const newSession = (kind: 'program' | 'browser') =>
    portal.context.db.transaction().execute((trx) =>
      portal.context.customers.sessions.begin(trx, license.tenantId, {
        ...{ kind, address: '192.0.2.1', userAgent: 'fuzz' },
      }),
    );
  let token = await newSession('program');
  const hwid = newHwid();
  const activated = await portal.activate(license.licenseKey, hwid);

  const ofVendor = {
    password: () => vendor.password,
    current: () => vendor.password,
    name: () => vendor.name,
    code: () => codeAt(vendor.secret, clock.now()),
  };
  const walks = [
    walkPages({
      root: '/admin',
      routes,
      send,
      values: { ...ofVendor, name: () => `Name ${clock.monotonicMs()}` },
      async signIn() {
        vendor = await newVendor();
        return { castellan_vendor: vendor.token };
      },
    }),
    walkPages({
      root: '/account',
      routes,
      send,
      values: { hwid: () => hwid },
      async signIn() {
        return { castellan_customer: await newSession('browser') };
      },
    }),
    walkPages({ root: '/admin', routes, send, values: ofVendor }),
    walkPages({ root: '/account', routes, send, values: { email: () => buyer } }),
  ] as const;
  for (const walk of walks) await walk.enter();

  const values = {
    licenseKey: () => license.licenseKey,
    hwid: () => hwid,
    token: () => String(activated.body.token),
    tenantId: () => license.tenantId,
    email: () => buyer,
    plan: () => 'yearly',
  };
  const eventSchema = schemaOf(genericWebhookEvent);
  const signedEvent = (gateway: 'generic' | 'stripe', random: Random): HostileRequest => {
    const event =
      gateway === 'stripe'
        ? pickFrom(webhookEvents(random), random)
        : sampleOf(eventSchema, '', { random, known: memory, definitions: {}, values });
    const body = JSON.stringify(random() < 0.7 ? spoilt(event, random) : event) ?? '';
    const signature = { [signatureHeaders[gateway]]: signed(body, clock.now(), portalWebhookSecret) };
    const headers = { 'Content-Type': 'application/json', ...signature };
    return { method: 'POST', path: purchasesHttp[gateway].path, headers, body };
  };

  const toApi = async (random: Random): Promise<Sent> => {
    const operation = pickFrom(operations, random);
    const gateway = (['generic', 'stripe'] as const).find(
      (each) => purchasesHttp[each].path === operation.path,
    );
    const made =
      gateway && random() < 0.9
        ? signedEvent(gateway, random)
        : requestTo(operation, { definitions, known: memory, random, values });
    const asked = {
      ...made,
      headers: { ...made.headers, 'X-Forwarded-For': newAddress(), Authorization: `Bearer ${token}` },
    };
    const answer = await send(asked);
    if (answer.status === 200 && answer.headers['content-type']?.startsWith('application/json'))
      memory.learn(made.path, JSON.parse(answer.text || 'null'));
    // It has ended its own session.
    if (answer.status === 401 && operation.path.includes('/customer/')) token = await newSession('program');
    return [`${operation.method} ${operation.path}`, asked, answer];
  };

  return runFuzz({
    seed,
    count,
    async next(random) {
      if (random() < 0.02) clock.pass(passMs);
      const kind = random();
      if (kind < 0.35) return toApi(random);
      return pickFrom(kind < 0.75 ? [walks[0]] : walks, random).step(random);
    },
  });
};
