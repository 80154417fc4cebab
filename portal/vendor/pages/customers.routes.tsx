import { Problem } from '#runtime/problem.ts';
import { Card, Facts, Moment, Section, Table } from '../../pages/display.tsx';
import { Field } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useFormat, useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { CustomerView } from '../customer-list.ts';
import type { FoundLicenses } from '../search-licenses.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot, NextPage } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { customersWords } from './customers.words.ts';
import { LicenseTable } from './license-list.routes.tsx';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/customers`;
const pageSize = 50;
/** The length of an address. */
const maxQuery = 254;

export const bindCustomersPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/customers',
    browser.signedIn(async ({ request }, vendor) => {
      const email = queryText(request.query.email).slice(0, maxQuery);
      const after = queryText(request.query.after) || undefined;
      const found = await area.customers.list({ email: email || undefined, after, limit: pageSize });
      return { page: <CustomersPage vendor={vendor} email={email} {...found} /> };
    }),
  );

  routes.get(
    '/customers/:id',
    browser.signedIn(async ({ request }, vendor) => {
      const customer = await area.customers.find(queryText(request.params.id));
      if (!customer) throw new Problem('NOT_FOUND');
      const after = queryText(request.query.after) || undefined;
      const query = { by: 'id', value: customer.id } as const;
      const found = await area.search({ query, after, limit: pageSize });
      return { page: <CustomerPage vendor={vendor} customer={customer} found={found} now={area.now()} /> };
    }),
  );
};

const CustomersPage = ({
  vendor,
  email,
  rows,
  next,
}: {
  readonly vendor: Vendor;
  readonly email: string;
  readonly rows: readonly CustomerView[];
  readonly next: string | null;
}) => {
  const words = useWords(customersWords);
  const { number } = useFormat();
  return (
    <AdminPage title={words.title} vendor={vendor} place="customers">
      <form method="get" action={path} className="inline">
        <Field
          name="email"
          label={words.address}
          value={email}
          type="search"
          required={false}
          autoComplete="off"
        />
        <button className="button secondary" type="submit">
          {words.search}
        </button>
      </form>
      <Table
        caption={words.caption}
        hideCaption
        head={Object.values(words.head)}
        figures={[words.head.licenses]}
        empty={email === '' ? words.none : words.noneFits}
        rows={rows.map((customer) => ({
          key: customer.id,
          cells: [
            <a key="email" href={`${path}/${customer.id}`}>
              {customer.email}
            </a>,
            number(customer.licenses),
            <Moment key="since" at={customer.createdAt} />,
            <code key="id" className="unbroken">
              {customer.id}
            </code>,
          ],
        }))}
      />
      <NextPage path={path} query={next === null ? null : { email, after: next }} />
    </AdminPage>
  );
};

const CustomerPage = ({
  vendor,
  customer,
  found: { rows, next },
  now,
}: {
  readonly vendor: Vendor;
  readonly customer: CustomerView;
  readonly found: FoundLicenses;
  readonly now: Date;
}) => {
  const words = useWords(customersWords);
  const { number } = useFormat();
  return (
    <AdminPage title={customer.email} vendor={vendor} place="customers">
      <Card>
        <Facts
          facts={{
            [words.head.licenses]: number(customer.licenses),
            [words.head.since]: <Moment at={customer.createdAt} />,
            [words.head.id]: <code>{customer.id}</code>,
          }}
        />
      </Card>
      <Section title={words.licenses}>
        <LicenseTable licenses={rows} now={now} empty={words.noLicense} />
        <NextPage path={`${path}/${customer.id}`} query={next === null ? null : { after: next }} />
      </Section>
    </AdminPage>
  );
};
