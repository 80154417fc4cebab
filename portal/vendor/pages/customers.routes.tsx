import { Problem } from '#runtime/problem.ts';
import { Card, Facts, Moment, Table } from '../../pages/display.tsx';
import { Field } from '../../pages/form.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot, NextPage } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { LicenseTable } from './license-list.routes.tsx';
import { queryText } from './query-text.ts';

const path = `${adminRoot}/customers`;
const pageSize = 50;

export const bindCustomersPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/customers',
    browser.signedIn(async ({ request }, vendor) => {
      const email = queryText(request.query.email);
      const after = queryText(request.query.after) || undefined;
      const { rows, next } = await area.customers.list({ email: email || undefined, after, limit: pageSize });
      const page = (
        <AdminPage title="Customers" vendor={vendor} place="customers">
          <div className="card">
            <form method="get" action={path} className="inline">
              <Field name="email" label="E-mail address" value={email} required={false} autoComplete="off" />
              <button className="button" type="submit">
                Search
              </button>
            </form>
          </div>
          <Table
            caption="Customers, the newest first"
            hideCaption
            head={['E-mail address', 'Licenses', 'Since', 'Id']}
            empty="No customer has this address. It is searched as a whole."
            rows={rows.map((customer) => ({
              key: customer.id,
              cells: [
                <a key="email" href={`${path}/${customer.id}`}>
                  {customer.email}
                </a>,
                customer.licenses.toLocaleString('en-GB'),
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
      return { page };
    }),
  );

  routes.get(
    '/customers/:id',
    browser.signedIn(async ({ request }, vendor) => {
      const customer = await area.customers.find(queryText(request.params.id));
      if (!customer) throw new Problem('NOT_FOUND', { detail: 'There is no such customer.' });
      const after = queryText(request.query.after) || undefined;
      const query = { by: 'id', value: customer.id } as const;
      const { rows, next } = await area.search({ query, after, limit: pageSize });
      const page = (
        <AdminPage title={customer.email} vendor={vendor} place="customers">
          <Card>
            <Facts
              facts={{
                Licenses: customer.licenses.toLocaleString('en-GB'),
                Since: <Moment at={customer.createdAt} />,
                Id: <code>{customer.id}</code>,
              }}
            />
          </Card>
          <h2>Licenses</h2>
          <LicenseTable licenses={rows} now={area.now()} empty="This customer has no license." />
          <NextPage path={`${path}/${customer.id}`} query={next === null ? null : { after: next }} />
        </AdminPage>
      );
      return { page };
    }),
  );
};
