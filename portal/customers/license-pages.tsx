import type { CustomerLicense, LicenseHistory } from '#contracts/customers.ts';
import { csrfTokenOf } from '../pages/csrf.ts';
import { Badge, Card, Facts, Moment, Notice, type Tone } from '../pages/display.tsx';
import { Form } from '../pages/form.tsx';
import { AccountNotice, AccountPage } from './account-page.tsx';
import { accountRoot } from './account-paths.ts';
import type { Customer } from './customer-sessions.ts';
import { wordsOfRefusal } from './transfer-words.ts';

/** Enough to tell one's own licenses apart. */
export const licenseName = ({ maskedKey }: CustomerLicense): string =>
  `License ending in ${maskedKey.slice(-4)}`;

/** Why the license can be moved to no machine at all at the moment; null when it can. */
export const whyNotTransferable = ({ status, machine, transfer }: CustomerLicense): string | null => {
  if (status !== 'active') return wordsOfRefusal({ reason: status });
  return machine || transfer.pending ? null : wordsOfRefusal({ reason: 'not-bound' });
};

export const licensePath = (id: string): string => `${accountRoot}/licenses/${id}`;

const statuses: Readonly<Record<CustomerLicense['status'], { tone: Tone; word: string }>> = {
  active: { tone: 'good', word: 'Active' },
  expired: { tone: 'warn', word: 'Expired' },
  suspended: { tone: 'warn', word: 'Suspended' },
  revoked: { tone: 'bad', word: 'Revoked' },
};

export const BackToLicense = ({ license }: { license: CustomerLicense }) => (
  <p>
    <a href={licensePath(license.id)}>
      <span aria-hidden="true">← </span>
      {licenseName(license)}
    </a>
  </p>
);

const StatusBadge = ({ status }: { status: CustomerLicense['status'] }) => (
  <Badge tone={statuses[status].tone}>{statuses[status].word}</Badge>
);

const Expiry = ({ license }: { license: CustomerLicense }) =>
  license.expiresAt === null ? 'never' : <Moment at={license.expiresAt} />;

const clustersOf = ({ maxClusters }: CustomerLicense): string =>
  maxClusters === null ? 'no limit' : String(maxClusters);

export interface LicensesPageProps {
  readonly customer: Customer;
  readonly licenses: readonly CustomerLicense[];
  readonly notice: unknown;
}

export const LicensesPage = ({ customer, licenses, notice }: LicensesPageProps) => (
  <AccountPage title="Your licenses" customer={customer} current="licenses">
    <AccountNotice code={notice} />
    {licenses.length === 0 ? (
      <Card>
        <p>
          No license belongs to {customer.email} yet. If you have just bought one, its mail may still be on
          the way.
        </p>
      </Card>
    ) : (
      <ul className="cards">
        {licenses.map((license) => (
          <li key={license.id} className="card">
            <div className="row apart">
              <h2>
                <a href={licensePath(license.id)}>{license.tier}</a>
              </h2>
              <StatusBadge status={license.status} />
            </div>
            <Facts
              facts={{
                Key: <code>{license.maskedKey}</code>,
                Expires: <Expiry license={license} />,
                Machine: license.machine ? (
                  <code>{license.machine.hwid.slice(0, 15)}…</code>
                ) : (
                  'not bound yet'
                ),
                Transfer: license.transfer.pending ? 'waits for the new machine' : null,
              }}
            />
          </li>
        ))}
      </ul>
    )}
  </AccountPage>
);

export interface LicensePageProps {
  readonly customer: Customer;
  readonly license: CustomerLicense;
  readonly history: LicenseHistory;
  readonly notice: unknown;
}

export const LicensePage = ({ customer, license, history, notice }: LicensePageProps) => (
  <AccountPage title={licenseName(license)} customer={customer} current="licenses">
    <AccountNotice code={notice} />
    <Card title="License">
      <Facts
        facts={{
          Status: <StatusBadge status={license.status} />,
          Tier: license.tier,
          Key: (
            <span className="row">
              <code>{license.maskedKey}</code> <a href={`${licensePath(license.id)}/reveal`}>Show the key</a>
            </span>
          ),
          Expires: <Expiry license={license} />,
          Clusters: clustersOf(license),
          Issued: <Moment at={license.createdAt} />,
        }}
      />
    </Card>
    <MachineCard customer={customer} license={license} />
    <Card title="History">
      <ol className="timeline">
        {history.map(({ at, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same in every other way
          <li key={index}>
            <Moment at={at} />
            <span>{text}</span>
          </li>
        ))}
      </ol>
    </Card>
  </AccountPage>
);

const MachineCard = ({ customer, license }: { customer: Customer; license: CustomerLicense }) => {
  const { machine, transfer } = license;
  const obstacle = whyNotTransferable(license);
  return (
    <Card title="Machine">
      {transfer.pending && <PendingTransfer customer={customer} license={license} />}
      {machine ? (
        <Facts
          facts={{
            [transfer.pending ? 'Old HWID' : 'HWID']: <code>{machine.hwid}</code>,
            Version: machine.version,
            'Bound since': <Moment at={machine.boundAt} />,
            'Last check': machine.lastCheckedAt ? <Moment at={machine.lastCheckedAt} /> : 'none since then',
          }}
        />
      ) : (
        <p>Not bound to a machine yet. The first machine that activates the license binds it.</p>
      )}
      {machine && obstacle && <p className="quiet">{obstacle}</p>}
      {machine && !obstacle && !transfer.pending && (
        <p className="row">
          <a className="button" href={`${licensePath(license.id)}/transfer`}>
            Transfer HWID
          </a>
        </p>
      )}
    </Card>
  );
};

const PendingTransfer = ({ customer, license }: { customer: Customer; license: CustomerLicense }) => {
  const { pending } = license.transfer;
  if (!pending) return null;
  return (
    <Notice tone="warn">
      <h3>A transfer waits for the new machine</h3>
      <p>
        Requested on <Moment at={pending.requestedAt} /> for <code>{pending.toHwid}</code>
      </p>
      <p>
        Activate the license there to complete it. Until then the old machine keeps working, and correcting or
        cancelling costs nothing.
      </p>
      <div className="row">
        {license.status === 'active' && (
          <a className="button secondary" href={`${licensePath(license.id)}/transfer`}>
            Correct the HWID
          </a>
        )}
        <Form
          action={`${licensePath(license.id)}/transfer/cancel`}
          csrf={csrfTokenOf(customer.token)}
          submit="Cancel the transfer"
          tone="secondary"
        />
      </div>
    </Notice>
  );
};
