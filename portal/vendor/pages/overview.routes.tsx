import type { LicenseStatistics } from '../../licenses/license-statistics.ts';
import { Moment, Notice, Section, Table } from '../../pages/display.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useFormat, useReader, useWords } from '../../pages/reader.ts';
import type { Purchases } from '../../purchases/purchases.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import type { CheckOutcome, HourOfChecks } from '../check-counts.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot } from './admin-page.tsx';
import { BarChart } from './bar-chart.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { overviewWords } from './overview.words.ts';

const plottedHours = 48;

export const bindOverview = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/',
    browser.signedIn(async (_page, vendor) => {
      const figures = await area.figures();
      const hours = await area.checks.lastHours(plottedHours);
      const undecided = await area.purchases.undecided();
      return {
        page: <OverviewPage vendor={vendor} undecided={undecided} taken={figures} hours={hours} />,
      };
    }),
  );
};

const OverviewPage = ({
  vendor,
  undecided,
  taken,
  hours,
}: {
  readonly vendor: Vendor;
  readonly undecided: Awaited<ReturnType<Purchases['undecided']>>;
  readonly taken: LicenseStatistics | null;
  readonly hours: readonly HourOfChecks[];
}) => {
  const words = useWords(overviewWords);
  return (
    <AdminPage
      title={words.title}
      vendor={vendor}
      place="overview"
      actions={
        <a className="button" href={`${adminRoot}/licenses/new`}>
          {words.issue}
        </a>
      }
    >
      {undecided && (
        <Notice tone="warn">
          <p>
            <a href={`${adminRoot}/purchases?outcome=unprocessed`}>{words.undecided(undecided.count)}</a>{' '}
            {words.since} <Moment at={undecided.since} />
          </p>
        </Notice>
      )}
      {taken ? <Counts taken={taken} /> : <p className="quiet">{words.counting}</p>}
      <Section title={words.checks(hours.length)}>
        <ChecksChart hours={hours} />
        <p className="quiet small">{words.checksNote}</p>
      </Section>
      {taken && <Versions taken={taken} />}
    </AdminPage>
  );
};

const tones = { renewed: 'main', refused: 'bad', limited: 'warn' } as const satisfies Record<
  CheckOutcome,
  string
>;
const outcomes = Object.keys(tones) as CheckOutcome[];

const ChecksChart = ({ hours }: { hours: readonly HourOfChecks[] }) => {
  const words = useWords(overviewWords);
  return (
    <BarChart
      title={words.checks(hours.length)}
      hideTitle
      stepName={words.hour}
      empty={words.noChecks}
      steps={hours.map(({ hour }) => ({
        key: hour.toISOString(),
        short: `${hour.toISOString().slice(11, 13)}:00`,
        cell: <Moment at={hour} />,
      }))}
      series={outcomes.map((outcome) => ({
        name: words.outcomes[outcome],
        tone: tones[outcome],
        values: hours.map((hour) => hour[outcome]),
      }))}
    />
  );
};

const Counts = ({ taken: { figures, takenAt } }: { taken: LicenseStatistics }) => {
  const words = useWords(overviewWords);
  const { number, moment } = useFormat();
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[];
  return (
    <section className="stack">
      <dl className="figures">
        {names.map((name) => (
          <div key={name}>
            <dt>{words.figures[name]}</dt>
            <dd>{number(figures[name])}</dd>
          </div>
        ))}
      </dl>
      <p className="quiet small">{words.counted(moment(takenAt))}</p>
    </section>
  );
};

const Versions = ({ taken: { figures } }: { taken: LicenseStatistics }) => {
  const words = useWords(overviewWords);
  const { number } = useFormat();
  const { language } = useReader();
  const percent = new Intl.NumberFormat(language, { style: 'percent', minimumFractionDigits: 1 });
  return (
    <Section title={words.versions}>
      <Table
        caption={words.versionsCaption}
        hideCaption
        head={[words.version, words.machines, words.share]}
        figures={[words.machines, words.share]}
        empty={words.noVersions}
        rows={figures.versions.map(({ version, machines }) => ({
          key: version,
          cells: [
            <code key="version">{version}</code>,
            number(machines),
            percent.format(machines / Math.max(1, figures.bound)),
          ],
        }))}
      />
    </Section>
  );
};
