import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Card, Facts, Moment, Notice } from '../../pages/display.tsx';
import { ErrorSummary, Field, type FieldError, Form } from '../../pages/form.tsx';
import type { TransferStanding } from '../../transfers/transfer-facts.ts';
import { nextFreeTransfer } from '../../transfers/transfer-rules.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { LicenseEventView } from '../event-log.ts';
import { AdminNotice, AdminPage, adminRoot, NextPage } from './admin-page.tsx';
import { EventTable } from './event-table.tsx';
import { type LicenseActionName, licenseActions } from './license-actions.ts';
import { licensePath, StatusBadge } from './license-list.routes.tsx';

interface LicensePageProps {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly transfers: TransferStanding;
  readonly events: readonly LicenseEventView[];
  readonly hasMore: boolean;
  readonly notice: unknown;
  readonly now: Date;
}

export const LicensePage = ({
  vendor,
  license,
  transfers,
  events,
  hasMore,
  notice,
  now,
}: LicensePageProps) => (
  <AdminPage title={`License ${license.maskedKey}`} vendor={vendor} place="licenses">
    <AdminNotice code={notice} />
    <Card>
      <Facts facts={factsOf(license, now)} />
      <div className="row">
        {Object.entries(licenseActions)
          .filter(([, action]) => action.offeredFor(license))
          .map(([name, { label }]) => (
            <a key={name} className="button secondary" href={`${licensePath(license.id)}/${name}`}>
              {label}
            </a>
          ))}
      </div>
    </Card>
    <Card title="Machine">
      {license.machine === null && <p className="quiet">The license is not bound to any machine.</p>}
      <Facts facts={{ ...machineFacts(license), ...transferFacts(transfers, now) }} />
    </Card>
    <h2>Events</h2>
    <EventTable events={events} ofLicense />
    <NextPage path={licensePath(license.id)} query={hasMore ? { before: events.at(-1)?.id } : null} />
    <p>
      <a href={`${licensePath(license.id)}/events.csv`}>Download the events as CSV</a>
    </p>
  </AdminPage>
);

const factsOf = (license: LicenseView, now: Date) => ({
  Status: <StatusBadge license={license} now={now} />,
  Expires: license.expiresAt ? <Moment at={license.expiresAt} /> : 'never',
  Buyer: license.buyerEmail,
  Customer: <a href={`${adminRoot}/customers/${license.tenantId}`}>{license.tenantId}</a>,
  Order: license.purchaseId,
  Tier: license.tier,
  Features: license.features.join(', ') === '*' ? 'all' : license.features.join(', '),
  Clusters: license.maxClusters === null ? 'no cap' : `at most ${license.maxClusters}`,
  Issued: <Moment at={license.createdAt} />,
  Id: <code>{license.id}</code>,
});

const machineFacts = ({ machine }: LicenseView) =>
  machine && {
    HWID: <code>{machine.hwid}</code>,
    Instance: <code>{machine.instanceId}</code>,
    Version: machine.version,
    Bound: <Moment at={machine.boundAt} />,
    'Last check': machine.lastValidatedAt ? <Moment at={machine.lastValidatedAt} /> : 'none yet',
  };

const transferFacts = ({ pending, lastFreeAt, grants }: TransferStanding, now: Date) => {
  const nextFree = nextFreeTransfer(lastFreeAt, now);
  return {
    'Transfer under way': pending && (
      <>
        to <code>{pending.toHwid}</code>, since <Moment at={pending.requestedAt} />
      </>
    ),
    'Next free transfer': nextFree ? <Moment at={nextFree} /> : 'now',
    'Extra transfers left': grants.toLocaleString('en-GB'),
  };
};

interface ActionPageProps {
  readonly vendor: Vendor;
  readonly license: LicenseView;
  readonly action: LicenseActionName;
  readonly errors?: readonly FieldError[];
  readonly form?: URLSearchParams;
  /** The newest change that this page was made with. */
  readonly seen: string;
  readonly now: Date;
}

/** Asks once more, and says what will happen. */
export const LicenseActionPage = ({
  vendor,
  license,
  action,
  errors = [],
  form,
  seen,
  now,
}: ActionPageProps) => {
  const { label, meaning, tone } = licenseActions[action];
  const path = licensePath(license.id);
  return (
    <AdminPage title={label} vendor={vendor} place="licenses" hasErrors={errors.length > 0}>
      <ErrorSummary errors={errors} />
      <Notice {...(tone === 'danger' ? { tone: 'warn' as const } : {})}>
        <p>{meaning}</p>
      </Notice>
      <Card>
        <Facts
          facts={{
            Key: <code>{license.maskedKey}</code>,
            Buyer: license.buyerEmail,
            Status: <StatusBadge license={license} now={now} />,
            Expires: license.expiresAt ? <Moment at={license.expiresAt} /> : 'never',
            Machine: license.machine ? <code>{license.machine.hwid}</code> : 'none',
          }}
        />
        <Form action={`${path}/${action}`} csrf={csrfTokenOf(vendor.token)} submit={label} tone={tone}>
          <input type="hidden" name="seen" value={seen} />
          {action === 'extend' && (
            <>
              <Field
                name="days"
                label="Days"
                hint="After its expiry, or after now if that has passed."
                inputMode="numeric"
                value={form?.get('days') ?? ''}
                required={false}
                errors={errors}
              />
              <Field
                name="until"
                label="Or a last day"
                hint="YYYY-MM-DD, until midnight UTC at its end."
                value={form?.get('until') ?? ''}
                required={false}
                errors={errors}
              />
            </>
          )}
        </Form>
        <p>
          <a href={path}>Back, without doing anything</a>
        </p>
      </Card>
    </AdminPage>
  );
};
