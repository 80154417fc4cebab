import type { PointsStep, SalesStep } from '#contracts/store/store-figures.ts';
import type { TimeSeries } from '../../kit/charts/time-series.ts';
import { asInstant } from '../../kit/records/range.ts';

export type Measure = 'orders' | 'pieces' | 'points';
export type Way = 'in' | 'out' | 'moved';

/** Charts are drawn in the reader's time zone: a day begins at its midnight there. */
export const startOf = (day: string): Date => new Date(asInstant(`${day}T00:00`) ?? Number.NaN);

const seriesOf = <Step extends { readonly start: string }>(
  steps: readonly Step[],
  pick: (step: Step) => number,
): TimeSeries => ({
  times: steps.map(({ start }) => startOf(start).getTime() / 1000),
  values: steps.map(pick),
});

/** @param source null: all of them */
export const salesOf = ({ sources, ...all }: SalesStep, measure: Measure, source: string | null): number =>
  source === null ? all[measure] : (sources.find((one) => one.source === source)?.[measure] ?? 0);

export const salesSeries = (
  steps: readonly SalesStep[],
  measure: Measure,
  source: string | null,
): TimeSeries => seriesOf(steps, (step) => salesOf(step, measure, source));

/** @param kind null: all of them */
export const pointsOf = ({ kinds }: PointsStep, way: Way, kind: string | null): number =>
  kinds.reduce((sum, flow) => (kind === null || flow.kind === kind ? sum + flow[way] : sum), 0);

export const pointsSeries = (steps: readonly PointsStep[], way: Way, kind: string | null): TimeSeries =>
  seriesOf(steps, (step) => pointsOf(step, way, kind));

interface MoneySum {
  readonly currency: string;
  readonly paid: number;
  readonly refunded: number;
}

/** What external shops reported as paid in these steps, by currency; the largest sum first. For display only. */
export const moneyOf = (steps: readonly Pick<SalesStep, 'money'>[]): readonly MoneySum[] => {
  const byCurrency = Map.groupBy(
    steps.flatMap(({ money }) => money ?? []),
    ({ currency }) => currency,
  );
  const sums = [...byCurrency].map(([currency, parts]) => ({
    currency,
    paid: parts.reduce((sum, part) => sum + Number(part.paid), 0),
    refunded: parts.reduce((sum, part) => sum + Number(part.refunded), 0),
  }));
  return sums.sort((a, b) => b.paid - a.paid);
};

/** "EUR 12.90"; a shop may name what is no currency. */
export const moneyText = (language: string, amount: number, currency: string): string =>
  /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'code' }).format(amount)
    : `${new Intl.NumberFormat(language).format(amount)} ${currency}`;
