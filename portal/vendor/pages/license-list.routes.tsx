import { licenseStatuses } from '../../licenses/license-status.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Moment, Table } from '../../pages/display.tsx';
import { Field, Form, fieldId } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { exportLicenses } from '../csv-export.ts';
import { readLicenseQuery } from '../license-query.ts';
import type { FoundLicenses } from '../search-licenses.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot, NextPage, searchOf } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/licenses`;
const pageSize = 50;

export const licensePath = (id: string): string => `${path}/${id}`;

const statusOf = (text: unknown) => licenseStatuses.find((status) => status === text);

export const bindLicenseList = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/licenses',
    browser.signedIn(async ({ request }, vendor) => {
      const q = queryText(request.query.q);
      const status = statusOf(request.query.status);
      const after = queryText(request.query.after) || undefined;
      const found = await area.search({ query: readLicenseQuery(q), status, after, limit: pageSize });
      const page = (
        <LicenseListPage
          vendor={vendor}
          found={found}
          q={q}
          status={status}
          now={area.now()}
          mistyped={false}
        />
      );
      return { page };
    }),
  );

  // A form that is sent, not an address: a key that was typed in stands in no browser's history and no proxy's log.
  routes.post(
    '/licenses/search',
    browser.signedIn(async ({ form }, vendor) => {
      const q = queryText(form.get('q'));
      const status = statusOf(form.get('status'));
      const query = readLicenseQuery(q);
      if (query.by !== 'key' && query.by !== 'mistyped-key')
        return { redirect: `${path}?${searchOf({ q, status })}` };
      const found = await area.search({ query, limit: 1 });
      const [license] = found.rows;
      if (license) return { redirect: licensePath(license.id) };
      const mistyped = query.by === 'mistyped-key';
      const props = { vendor, found, q: '', status, now: area.now(), mistyped };
      return { page: <LicenseListPage {...props} /> };
    }),
  );

  routes.get(
    '/licenses.csv',
    browser.signedIn(async ({ request }, vendor) => {
      const query = readLicenseQuery(queryText(request.query.q));
      const status = statusOf(request.query.status);
      await area.record({ kind: 'exported', by: vendor.name, subject: 'licenses' });
      return {
        content: await exportLicenses(area.search, { query, status }),
        fileName: 'licenses.csv',
        contentType: 'text/csv; charset=utf-8',
      };
    }),
  );
};

interface LicenseListProps {
  readonly vendor: Vendor;
  readonly found: FoundLicenses;
  readonly q: string;
  readonly status: LicenseView['status'] | undefined;
  readonly now: Date;
  readonly mistyped: boolean;
}

const LicenseListPage = ({ vendor, found, q, status, now, mistyped }: LicenseListProps) => (
  <AdminPage title="Licenses" vendor={vendor} place="licenses">
    <div className="card">
      <Form action={`${path}/search`} csrf={csrfTokenOf(vendor.token)} submit="Search" inline>
        <Field
          name="q"
          label="Key, e-mail, order, HWID or id"
          value={q}
          required={false}
          autoComplete="off"
          spellCheck={false}
        />
        <div className="field">
          <label htmlFor={fieldId('status')}>Status</label>
          <select id={fieldId('status')} name="status" defaultValue={status ?? ''}>
            <option value="">any</option>
            {licenseStatuses.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
      </Form>
    </div>
    <p className="row">
      <a className="button" href={`${path}/new`}>
        Issue a license
      </a>
      <a className="button secondary" href={`${path}.csv?${searchOf({ q, status })}`}>
        Download as CSV
      </a>
    </p>
    <LicenseTable
      licenses={found.rows}
      now={now}
      empty={
        mistyped
          ? 'This is no license key: a character is wrong, missing or too many.'
          : 'No license fits. Keys, addresses, orders and HWIDs are searched as a whole.'
      }
    />
    <NextPage path={path} query={found.next === null ? null : { q, status, after: found.next }} />
  </AdminPage>
);

export const StatusBadge = ({ license, now }: { license: LicenseView; now: Date }) => {
  const { status, expiresAt } = license;
  if (status === 'revoked') return <Badge tone="bad">revoked</Badge>;
  if (status === 'suspended') return <Badge tone="warn">suspended</Badge>;
  return expiresAt !== null && new Date(expiresAt) <= now ? (
    <Badge tone="warn">expired</Badge>
  ) : (
    <Badge tone="good">active</Badge>
  );
};

interface LicenseTableProps {
  readonly licenses: readonly LicenseView[];
  readonly now: Date;
  readonly empty: string;
}

export const LicenseTable = ({ licenses, now, empty }: LicenseTableProps) => (
  <Table
    caption="Licenses, the newest first"
    hideCaption
    head={['Key', 'Buyer', 'Tier', 'Status', 'Expires', 'Machine', 'Last check']}
    empty={empty}
    rows={licenses.map((license) => ({
      key: license.id,
      cells: [
        <a key="key" href={licensePath(license.id)} className="mono unbroken">
          {license.maskedKey}
        </a>,
        license.buyerEmail,
        license.tier,
        <StatusBadge key="status" license={license} now={now} />,
        license.expiresAt ? <Moment key="expires" at={license.expiresAt} dayOnly /> : 'never',
        license.machine ? license.machine.version : 'none',
        license.machine?.lastValidatedAt ? <Moment key="check" at={license.machine.lastValidatedAt} /> : '–',
      ],
    }))}
  />
);
