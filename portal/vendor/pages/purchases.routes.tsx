import { type WebhookOutcome, webhookOutcomes } from '#contracts/purchases.ts';
import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Facts, Moment, Notice, Table, type Tone } from '../../pages/display.tsx';
import { CsrfField, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { WebhookEventView } from '../../purchases/webhook-event-view.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminNotice, AdminPage, adminRoot, NextPage, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/purchases`;
const pageSize = 50;
const tones = {
  processed: { tone: 'good' },
  waiting: { tone: 'warn' },
  unprocessed: { tone: 'bad' },
  ignored: {},
} as const satisfies Record<WebhookOutcome, { tone?: Tone }>;

const isOpen = (outcome: WebhookOutcome): boolean => outcome === 'waiting' || outcome === 'unprocessed';

export const bindPurchasesPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/purchases',
    browser.signedIn(async ({ request }, vendor) => {
      const { outcome: wanted, after, notice } = request.query;
      const outcome = webhookOutcomes.find((name) => name === wanted);
      const before = queryText(after) === '' ? {} : { before: queryText(after) };
      const events = await area.purchases.list({
        ...(outcome ? { outcome } : {}),
        ...before,
        limit: pageSize,
      });
      return { page: <PurchasesPage vendor={vendor} events={events} outcome={outcome} notice={notice} /> };
    }),
  );
  routes.post(
    '/purchases/:id/retry',
    browser.signedIn(async ({ request }, vendor) => {
      const id = queryText(request.params.id);
      const outcome = await area.purchases.retry(id);
      if (outcome === 'processed')
        await area.record({ kind: 'purchase_retried', by: vendor.name, subject: id });
      return { redirect: withNotice(path, outcome === 'processed' ? 'retried' : 'not-retried') };
    }),
  );

  routes.get(
    '/purchases/:id/dismiss',
    browser.signedIn(async ({ request }, vendor) => {
      const event = await area.purchases.find(queryText(request.params.id));
      if (!event) throw new Problem('NOT_FOUND', { detail: 'There is no such event.' });
      return { page: <DismissPage vendor={vendor} event={event} /> };
    }),
  );
  routes.post(
    '/purchases/:id/dismiss',
    browser.signedIn(async ({ request }, vendor) => {
      const id = queryText(request.params.id);
      const dismissed = await area.purchases.dismiss(id);
      if (dismissed) await area.record({ kind: 'purchase_dismissed', by: vendor.name, subject: id });
      return { redirect: withNotice(path, dismissed ? 'dismissed' : 'not-dismissed') };
    }),
  );
};

interface PurchasesPageProps {
  readonly vendor: Vendor;
  readonly events: readonly WebhookEventView[];
  readonly outcome: WebhookOutcome | undefined;
  readonly notice: unknown;
}

const PurchasesPage = ({ vendor, events, outcome, notice }: PurchasesPageProps) => (
  <AdminPage title="Purchases" vendor={vendor} place="purchases">
    <AdminNotice code={notice} />
    <nav aria-label="Which purchases">
      <ul className="choices">
        <li>
          <a href={path} aria-current={outcome === undefined ? 'true' : undefined}>
            all
          </a>
        </li>
        {webhookOutcomes.map((name) => (
          <li key={name}>
            <a href={`${path}?outcome=${name}`} aria-current={outcome === name ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    <Table
      caption="What the payment gateways sent, the newest first"
      hideCaption
      head={['Received', 'Event', 'Order', 'Buyer', 'Plan', 'Outcome', 'Reason', 'Steps']}
      empty="There is nothing like that."
      rows={events.map((event) => ({
        key: event.id,
        cells: [
          <Moment key="received" at={event.receivedAt} />,
          `${event.gateway}: ${event.type}`,
          event.purchaseId ?? event.references.join(' '),
          event.email ?? '–',
          event.plan ?? '–',
          <Badge key="outcome" {...tones[event.outcome]}>
            {event.outcome}
          </Badge>,
          event.reason ?? '–',
          isOpen(event.outcome) ? <Steps key="steps" vendor={vendor} event={event} /> : '–',
        ],
      }))}
    />
    <NextPage path={path} query={events.length < pageSize ? null : { outcome, after: events.at(-1)?.id }} />
  </AdminPage>
);

interface EventProps {
  readonly vendor: Vendor;
  readonly event: WebhookEventView;
}

const Steps = ({ vendor, event }: EventProps) => (
  <div className="row">
    <form method="post" action={`${path}/${event.id}/retry`}>
      <CsrfField token={csrfTokenOf(vendor.token)} />
      <button className="button secondary small" type="submit">
        Try again
      </button>
    </form>
    <a href={`${path}/${event.id}/dismiss`}>
      Set aside <span className="hidden-visually">{`event ${event.eventId}`}</span>
    </a>
  </div>
);

const DismissPage = ({ vendor, event }: EventProps) => (
  <AdminPage title="Set a purchase event aside" vendor={vendor} place="purchases">
    <Notice tone="warn">
      <p>
        The event waits for nobody any more and is not tried again. Whoever has paid gets no license from it;
        if one is due, issue it by hand.
      </p>
    </Notice>
    <Card>
      <Facts
        facts={{
          Event: `${event.gateway}: ${event.type}`,
          Order: event.purchaseId ?? event.references.join(' '),
          Buyer: event.email,
          Plan: event.plan,
          Received: <Moment at={event.receivedAt} />,
          Reason: event.reason,
        }}
      />
      <Form
        action={`${path}/${event.id}/dismiss`}
        csrf={csrfTokenOf(vendor.token)}
        submit="Set the event aside"
        tone="danger"
      />
      <p>
        <a href={path}>Back, without doing anything</a>
      </p>
    </Card>
  </AdminPage>
);
