import type { LicenseStatistics } from '../../licenses/license-statistics.ts';
import { Card, Moment, Table } from '../../pages/display.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { HourOfChecks } from '../check-counts.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage } from './admin-page.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { ChecksPlot } from './checks-plot.tsx';

const plottedHours = 48;

export const bindOverview = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/',
    browser.signedIn(async (_page, vendor) => {
      const figures = await area.figures();
      const hours = await area.checks.lastHours(plottedHours);
      return { page: <OverviewPage vendor={vendor} taken={figures} hours={hours} /> };
    }),
  );
};

interface OverviewProps {
  readonly vendor: Vendor;
  readonly taken: LicenseStatistics | null;
  readonly hours: readonly HourOfChecks[];
}

const OverviewPage = ({ vendor, taken, hours }: OverviewProps) => (
  <AdminPage title="Overview" vendor={vendor} place="overview">
    {taken ? (
      <FiguresOf taken={taken} />
    ) : (
      <p className="quiet">The licenses are being counted; look again in a moment.</p>
    )}
    <Card title={`Checks per hour, last ${hours.length} hours`}>
      <ChecksPlot hours={hours} />
      <p className="quiet small">
        What the portal&rsquo;s processes counted, a minute late; a process that is killed loses its last
        minute.
      </p>
    </Card>
  </AdminPage>
);

const FiguresOf = ({ taken: { figures, takenAt } }: { taken: LicenseStatistics }) => {
  const shown = {
    'Active licenses': figures.active,
    'On a machine': figures.bound,
    'In grace': figures.inGrace,
    Expired: figures.expired,
    Suspended: figures.suspended,
    Revoked: figures.revoked,
  };
  return (
    <>
      <dl className="figures">
        {Object.entries(shown).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count.toLocaleString('en-GB')}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet small">
        Counted on <Moment at={takenAt} />. In grace: active and on a machine that has not checked for more
        than 25 hours.
      </p>
      <Card title="Versions on machines">
        <Table
          caption="Versions of active licenses, the most frequent first"
          hideCaption
          head={['Version', 'Machines', 'Share']}
          empty="No license is on a machine yet."
          rows={figures.versions.map(({ version, machines }) => ({
            key: version,
            cells: [
              <code key="version">{version}</code>,
              machines.toLocaleString('en-GB'),
              `${((100 * machines) / Math.max(1, figures.bound)).toFixed(1)} %`,
            ],
          }))}
        />
      </Card>
    </>
  );
};
