import { type WebhookOutcome, webhookOutcomes } from '#contracts/portal/purchases.ts';
import { Problem } from '#runtime/problem.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Card, Facts, Moment, Notice, Table, type Tone } from '../../pages/display.tsx';
import { CsrfField, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { WebhookEventView } from '../../purchases/webhook-event-view.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminNotice, AdminPage, adminRoot, CancelLink, NextPage, withNotice } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { purchasesWords } from './purchases.words.ts';
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
    path,
  );

  routes.get(
    '/purchases/:id/dismiss',
    browser.signedIn(async ({ request }, vendor) => {
      const event = await area.purchases.find(queryText(request.params.id));
      if (!event) throw new Problem('NOT_FOUND');
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

const PurchasesPage = ({
  vendor,
  events,
  outcome,
  notice,
}: {
  readonly vendor: Vendor;
  readonly events: readonly WebhookEventView[];
  readonly outcome: WebhookOutcome | undefined;
  readonly notice: unknown;
}) => {
  const words = useWords(purchasesWords);
  const { all, none } = useWords(adminWords);
  return (
    <AdminPage title={words.title} vendor={vendor} place="purchases">
      <AdminNotice code={notice} />
      <nav aria-label={words.which}>
        <ul className="choices">
          <li>
            <a href={path} aria-current={outcome === undefined ? 'true' : undefined}>
              {all}
            </a>
          </li>
          {webhookOutcomes.map((name) => (
            <li key={name}>
              <a href={`${path}?outcome=${name}`} aria-current={outcome === name ? 'true' : undefined}>
                {words.outcomes[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Table
        caption={words.caption}
        hideCaption
        head={Object.values(words.head)}
        empty={words.empty}
        rows={events.map((event) => ({
          key: event.id,
          cells: [
            <Moment key="received" at={event.receivedAt} />,
            `${event.gateway}: ${event.type}`,
            event.purchaseId ?? event.references.join(' '),
            event.email ?? none,
            event.plan ?? none,
            <Badge key="outcome" {...tones[event.outcome]}>
              {words.outcomes[event.outcome]}
            </Badge>,
            event.reason ?? none,
            isOpen(event.outcome) ? <Steps key="steps" vendor={vendor} event={event} /> : none,
          ],
        }))}
      />
      <NextPage path={path} query={events.length < pageSize ? null : { outcome, after: events.at(-1)?.id }} />
    </AdminPage>
  );
};

interface EventProps {
  readonly vendor: Vendor;
  readonly event: WebhookEventView;
}

const Steps = ({ vendor, event }: EventProps) => {
  const words = useWords(purchasesWords);
  return (
    <div className="row">
      <form method="post" action={`${path}/${event.id}/retry`}>
        <CsrfField token={csrfTokenOf(vendor.token)} />
        <button className="button secondary small" type="submit">
          {words.retry}
        </button>
      </form>
      <a href={`${path}/${event.id}/dismiss`}>
        {words.setAside} <span className="hidden-visually">{words.named(event.eventId)}</span>
      </a>
    </div>
  );
};

const DismissPage = ({ vendor, event }: EventProps) => {
  const words = useWords(purchasesWords);
  const { head } = words;
  return (
    <AdminPage title={words.setAsideTitle} vendor={vendor} place="purchases">
      <Notice tone="warn">
        <p>{words.setAsideMeaning}</p>
      </Notice>
      <Card>
        <Facts
          facts={{
            [head.event]: `${event.gateway}: ${event.type}`,
            [head.order]: event.purchaseId ?? event.references.join(' '),
            [head.buyer]: event.email,
            [head.plan]: event.plan,
            [head.received]: <Moment at={event.receivedAt} />,
            [head.reason]: event.reason,
          }}
        />
        <Form
          action={`${path}/${event.id}/dismiss`}
          csrf={csrfTokenOf(vendor.token)}
          submit={words.setAsideAct}
          tone="danger"
        />
        <CancelLink path={path} />
      </Card>
    </AdminPage>
  );
};
