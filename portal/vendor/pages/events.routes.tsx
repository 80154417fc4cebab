import type { PageRoutes } from '../../pages/page-area.ts';
import { exportEvents } from '../csv-export.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot, NextPage } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { EventTable, VendorEventTable } from './event-table.tsx';
import { positionOf } from './license.routes.tsx';

const path = `${adminRoot}/events`;
const vendorPath = `${path}/vendor`;
const pageSize = 100;

export const bindEventsPages = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  const { events } = area;

  routes.get(
    '/events',
    browser.signedIn(async ({ request }, vendor) => {
      const before = positionOf(request.query.before);
      const rows = await events.ofLicenses({ before, limit: pageSize });
      const page = (
        <AdminPage title="Events of licenses" vendor={vendor} place="events">
          <p className="row">
            <a className="button secondary" href={vendorPath}>
              What the vendor did
            </a>
            <a className="button secondary" href={`${path}.csv`}>
              Download as CSV
            </a>
          </p>
          <EventTable events={rows} />
          <NextPage path={path} query={rows.length < pageSize ? null : { before: rows.at(-1)?.id }} />
        </AdminPage>
      );
      return { page };
    }),
  );
  routes.get(
    '/events/vendor',
    browser.signedIn(async ({ request }, vendor) => {
      const before = positionOf(request.query.before);
      const rows = await events.ofVendor({ before, limit: pageSize });
      const page = (
        <AdminPage title="What the vendor did" vendor={vendor} place="events">
          <p className="row">
            <a className="button secondary" href={path}>
              Events of licenses
            </a>
          </p>
          <VendorEventTable events={rows} />
          <NextPage path={vendorPath} query={rows.length < pageSize ? null : { before: rows.at(-1)?.id }} />
        </AdminPage>
      );
      return { page };
    }),
  );
  routes.get(
    '/events.csv',
    browser.signedIn(async (_page, vendor) => {
      await area.record({ kind: 'exported', by: vendor.name, subject: 'events' });
      return {
        content: await exportEvents(events),
        fileName: 'events.csv',
        contentType: 'text/csv; charset=utf-8',
      };
    }),
  );
};
