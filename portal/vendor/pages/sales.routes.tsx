import type { Language } from '#contracts/kernel/language.ts';
import { minorDigitsOf } from '#contracts/store/currency.ts';
import { Section } from '../../pages/display.tsx';
import type { PageRoutes } from '../../pages/page-area.ts';
import { useFormat, useReader, useWords } from '../../pages/reader.ts';
import type { Vendor } from '../accounts/vendor-sessions.ts';
import { type FigureDays, type FigureSteps, figureDays } from '../figures/figure-steps.ts';
import { expiringDays, type Figures } from '../figures/read-figures.ts';
import type { CurrencySales } from '../figures/read-sales.ts';
import type { VendorArea } from '../vendor-area.ts';
import { AdminPage, adminRoot } from './admin-page.tsx';
import { BarChart } from './bar-chart.tsx';
import type { BrowserVendor } from './browser-vendor.ts';
import { salesWords } from './sales.words.ts';

/** `€49.00`, `¥4,900`: exact, with the digits that ISO 4217 defines for the currency. */
const formatMoney = (minor: bigint, currency: string, language: Language): string => {
  const digits = minorDigitsOf(currency);
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  const [whole, part] = [text.slice(0, text.length - digits), text.slice(text.length - digits)];
  const decimal = `${minor < 0n ? '-' : ''}${whole}${part && `.${part}`}`;
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimal as Intl.StringNumericLiteral);
};

/** In units of the currency, for drawing. */
const drawnMoney = (minor: bigint, currency: string): number => Number(minor) / 10 ** minorDigitsOf(currency);

const path = `${adminRoot}/sales`;

export const bindSalesPage = (routes: PageRoutes, area: VendorArea, browser: BrowserVendor): void => {
  routes.get(
    '/sales',
    browser.signedIn(async ({ request }, vendor) => {
      const days = figureDays.find((known) => String(known) === request.query.days) ?? 30;
      const figures = await area.readFigures(days, vendor.timeZone);
      return { page: <SalesPage vendor={vendor} days={days} figures={figures} /> };
    }),
  );
};

const SalesPage = ({
  vendor,
  days,
  figures,
}: {
  readonly vendor: Vendor;
  readonly days: FigureDays;
  readonly figures: Figures;
}) => {
  const words = useWords(salesWords);
  const { moment } = useFormat();
  const { sales, steps, takenAt } = figures;
  return (
    <AdminPage title={words.title} vendor={vendor} place="sales">
      <nav aria-label={words.ranges}>
        <ul className="choices">
          {figureDays.map((known) => (
            <li key={known}>
              <a href={`${path}?days=${known}`} aria-current={known === days ? 'true' : undefined}>
                {words.days(known)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <Section title={words.sales}>
        {sales.currencies.length === 0 && <p className="quiet">{words.noSales}</p>}
        <div className="charts">
          {sales.currencies.map((own) => (
            <SalesChart key={own.currency} own={own} steps={steps} />
          ))}
        </div>
        {sales.currencies.length > 1 && <p className="quiet small">{words.noRates}</p>}
        {sales.unpriced > 0 && <p className="quiet small">{words.unpriced(sales.unpriced)}</p>}
      </Section>
      <Section title={words.licenses}>
        <LicenseCharts figures={figures} />
      </Section>
      <p className="quiet small">
        {words.asOf(moment(takenAt), vendor.timeZone)}{' '}
        <a href={`${adminRoot}/account#time-zone`}>{words.changeZone}</a>
      </p>
    </AdminPage>
  );
};

/** A calendar day, which is the same wherever it is read. */
const useSteps = ({ days, unit }: FigureSteps) => {
  const { language } = useReader();
  const format = (options: Intl.DateTimeFormatOptions) => {
    const dates = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
    return (day: string) => dates.format(new Date(day));
  };
  const short = format(unit === 'day' ? { day: 'numeric', month: 'short' } : { month: 'short' });
  const long = format(unit === 'day' ? { dateStyle: 'medium' } : { month: 'long', year: 'numeric' });
  return days.map((day) => ({ key: day, short: short(day), cell: <time dateTime={day}>{long(day)}</time> }));
};

const SalesChart = ({ own, steps }: { own: CurrencySales; steps: FigureSteps }) => {
  const words = useWords(salesWords);
  const { language } = useReader();
  const { currency, total } = own;
  const money = (minor: bigint) => formatMoney(minor, currency, language);
  const drawn = (minor: bigint) => drawnMoney(minor, currency);
  return (
    <div className="stack">
      <dl className="figures">
        <div>
          <dt>
            {words.net}, {words.payments(total.payments)}
          </dt>
          <dd>{money(total.paid - total.returned)}</dd>
        </div>
        {total.returned > 0n && (
          <div>
            <dt>{words.returned}</dt>
            <dd>{money(total.returned)}</dd>
          </div>
        )}
      </dl>
      <BarChart
        title={words.salesIn(currency)}
        stepName={words[steps.unit]}
        steps={useSteps(steps)}
        empty={words.nothingSold}
        series={[
          {
            name: words.paid,
            tone: 'main',
            values: own.steps.map(({ paid }) => drawn(paid)),
            texts: own.steps.map(({ paid }) => money(paid)),
          },
          {
            name: words.returned,
            tone: 'bad',
            down: true,
            values: own.steps.map(({ returned }) => drawn(returned)),
            texts: own.steps.map(({ returned }) => money(returned)),
          },
        ]}
      />
    </div>
  );
};

const LicenseCharts = ({ figures: { steps, licenses, expiring } }: { figures: Figures }) => {
  const words = useWords(salesWords);
  const { number } = useFormat();
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const of = (name: 'active' | 'ended' | 'refunded' | 'revoked' | 'issued') =>
    licenses.map((step) => step[name]);
  const lost = [
    { name: words.ended, tone: 'warn', values: of('ended') },
    { name: words.refunded, tone: 'bad', values: of('refunded') },
    { name: words.revoked, tone: 'main', values: of('revoked') },
  ] as const;
  const shown = {
    [words.activeNow]: licenses.at(-1)?.active ?? 0,
    [words.issued]: sum(of('issued')),
    [words.expiring(expiringDays)]: sum(expiring.licenses),
    [words.lost]: lost.reduce((total, { values }) => total + sum(values), 0),
  };
  const shared = { stepName: words[steps.unit], steps: useSteps(steps) };
  return (
    <>
      <dl className="figures">
        {Object.entries(shown).map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      <div className="charts">
        <BarChart
          {...shared}
          title={words.active}
          empty={words.noActive}
          series={[{ name: words.active, tone: 'main', values: of('active') }]}
        />
        <BarChart {...shared} title={words.lost} empty={words.noLost} series={lost} />
        <div className="stack">
          <BarChart
            title={words.expiring(expiringDays)}
            stepName={words.day}
            steps={useSteps(expiring.steps)}
            empty={words.noExpiring(expiringDays)}
            series={[{ name: words.ending, tone: 'warn', values: expiring.licenses }]}
          />
          {sum(expiring.licenses) > 0 && <p className="quiet small">{words.expiringNote}</p>}
        </div>
      </div>
    </>
  );
};
