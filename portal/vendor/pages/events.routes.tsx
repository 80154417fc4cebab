import type { PageRoutes } from '../../pages/page-area.ts';
import { useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { exportEvents } from '../csv-export.ts';
import type { LicenseEventView, VendorEventView } from '../event-log.ts';
import type { VendorArea } from '../vendor-area.ts';
import { adminWords } from './admin.words.ts';
import { AdminPage, adminRoot, NextPage } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { eventWords } from './event.words.ts';
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
      return { page: <LicenseEventsPage vendor={vendor} rows={rows} /> };
    }),
  );
  routes.get(
    '/events/vendor',
    browser.signedIn(async ({ request }, vendor) => {
      const before = positionOf(request.query.before);
      const rows = await events.ofVendor({ before, limit: pageSize });
      return { page: <VendorEventsPage vendor={vendor} rows={rows} /> };
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

/** Shows which of the two logs is open. */
const Logs = ({ current }: { current: 'licenses' | 'vendor' }) => {
  const words = useWords(eventWords);
  return (
    <nav aria-label={words.licenseEvents}>
      <ul className="choices">
        <li>
          <a href={path} aria-current={current === 'licenses' ? 'true' : undefined}>
            {useWords(adminWords).places.licenses}
          </a>
        </li>
        <li>
          <a href={vendorPath} aria-current={current === 'vendor' ? 'true' : undefined}>
            {words.vendorEvents}
          </a>
        </li>
      </ul>
    </nav>
  );
};

const LicenseEventsPage = ({ vendor, rows }: { vendor: Vendor; rows: readonly LicenseEventView[] }) => (
  <AdminPage title={useWords(eventWords).licenseEvents} vendor={vendor} place="events">
    <Logs current="licenses" />
    <EventTable events={rows} />
    <NextPage path={path} query={rows.length < pageSize ? null : { before: rows.at(-1)?.id }} />
    <p>
      <a href={`${path}.csv`}>{useWords(adminWords).download}</a>
    </p>
  </AdminPage>
);

const VendorEventsPage = ({ vendor, rows }: { vendor: Vendor; rows: readonly VendorEventView[] }) => (
  <AdminPage title={useWords(eventWords).vendorEvents} vendor={vendor} place="events">
    <Logs current="vendor" />
    <VendorEventTable events={rows} />
    <NextPage path={vendorPath} query={rows.length < pageSize ? null : { before: rows.at(-1)?.id }} />
  </AdminPage>
);
