import { type LicenseStatus, licenseStatuses } from '../../licenses/license-status.ts';
import type { LicenseView } from '../../licenses/license-view.ts';
import { csrfTokenOf } from '../../pages/csrf.ts';
import { Badge, Moment, Table } from '../../pages/display.tsx';
import { Field, Form } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { exportLicenses } from '../csv-export.ts';
import { readLicenseQuery } from '../license-query.ts';
import type { FoundLicenses } from '../search-licenses.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminPage, adminRoot, NextPage, searchOf } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { SelectField } from './fields.tsx';
import { licenseWords } from './license.words.ts';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/licenses`;
const pageSize = 50;
/** Longer than any search text. */
const maxQuery = 300;

export const licensePath = (id: string): string => `${path}/${id}`;

const statusOf = (text: unknown) => licenseStatuses.find((status) => status === text);

export const bindLicenseList = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/licenses',
    browser.signedIn(async ({ request }, vendor) => {
      const q = queryText(request.query.q).slice(0, maxQuery);
      const status = statusOf(request.query.status);
      const after = queryText(request.query.after) || undefined;
      const found = await area.search({ query: readLicenseQuery(q), status, after, limit: pageSize });
      const props = { vendor, found, q, status, now: area.now() };
      return { page: <LicenseListPage {...props} mistyped={false} /> };
    }),
  );

  // A POST, so that a typed key is in no address, and thus in no browser's history and no proxy's log.
  routes.post(
    '/licenses/search',
    browser.signedIn(async ({ form }, vendor) => {
      const q = queryText(form.get('q')).slice(0, maxQuery);
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
    path,
  );

  routes.get(
    '/licenses.csv',
    browser.signedIn(async ({ request }, vendor) => {
      const query = readLicenseQuery(queryText(request.query.q).slice(0, maxQuery));
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

const LicenseListPage = ({
  vendor,
  found,
  q,
  status,
  now,
  mistyped,
}: {
  readonly vendor: Vendor;
  readonly found: FoundLicenses;
  readonly q: string;
  readonly status: LicenseStatus | undefined;
  readonly now: Date;
  readonly mistyped: boolean;
}) => {
  const words = useWords(licenseWords);
  const { download } = useWords(adminWords);
  const isSearch = q !== '' || status !== undefined || mistyped;
  const notFound = found.next === null ? words.noneFits : words.noneOnPage;
  return (
    <AdminPage
      title={words.licenses}
      vendor={vendor}
      place="licenses"
      actions={
        <a className="button" href={`${path}/new`}>
          {words.issue}
        </a>
      }
    >
      <Form
        action={`${path}/search`}
        csrf={csrfTokenOf(vendor.token)}
        submit={words.search}
        tone="secondary"
        inline
      >
        <Field
          name="q"
          label={words.searchFor}
          hint={words.searchHint}
          value={q}
          type="search"
          required={false}
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          name="status"
          label={words.status}
          value={status ?? ''}
          choices={[
            { value: '', label: words.anyStatus },
            ...licenseStatuses.map((value) => ({ value, label: words.statuses[value] })),
          ]}
        />
      </Form>
      <LicenseTable
        licenses={found.rows}
        now={now}
        empty={mistyped ? words.mistyped : isSearch ? notFound : words.none}
      />
      <NextPage path={path} query={found.next === null ? null : { q, status, after: found.next }} />
      {found.rows.length > 0 && (
        <p>
          <a href={`${path}.csv?${searchOf({ q, status })}`}>{download}</a>
        </p>
      )}
    </AdminPage>
  );
};

const tones = { active: 'good', expired: 'warn', suspended: 'warn', revoked: 'bad' } as const;

export const StatusBadge = ({ license, now }: { license: LicenseView; now: Date }) => {
  const { statuses } = useWords(licenseWords);
  const { status, expiresAt } = license;
  const hasEnded = status === 'active' && expiresAt !== null && new Date(expiresAt) <= now;
  const shown = hasEnded ? 'expired' : status;
  return <Badge tone={tones[shown]}>{statuses[shown]}</Badge>;
};

export const LicenseTable = ({
  licenses,
  now,
  empty,
}: {
  readonly licenses: readonly LicenseView[];
  readonly now: Date;
  readonly empty: string;
}) => {
  const words = useWords(licenseWords);
  const { never, none } = useWords(adminWords);
  return (
    <Table
      caption={words.caption}
      hideCaption
      head={Object.values(words.head)}
      empty={empty}
      rows={licenses.map((license) => ({
        key: license.id,
        cells: [
          <a key="key" href={licensePath(license.id)} className="mono unbroken">
            {license.maskedKey}
          </a>,
          <span key="buyer">
            {license.buyerName && (
              <>
                <bdi>{license.buyerName}</bdi>
                <br />
              </>
            )}
            {license.buyerEmail}
          </span>,
          license.tier,
          <StatusBadge key="status" license={license} now={now} />,
          license.expiresAt ? <Moment key="expires" at={license.expiresAt} dayOnly /> : never,
          license.machine?.version ?? words.noMachine,
          license.machine?.lastValidatedAt ? (
            <Moment key="check" at={license.machine.lastValidatedAt} />
          ) : (
            none
          ),
        ],
      }))}
    />
  );
};
