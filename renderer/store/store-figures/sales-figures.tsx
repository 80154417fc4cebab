import { Text } from '@mantine/core';
import { type SalesStep, salesSources, storeFiguresHttp } from '#contracts/store/store-figures.ts';
import { useRead } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import type { ChosenRange } from './chosen-range.ts';
import { type Measure, moneyOf, moneyText, salesOf, salesSeries } from './step-series.ts';
import { StepsCard } from './steps-card.tsx';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

export type Query = NonNullable<ChosenRange['query']>;
const measures = ['points', 'orders', 'pieces'] as const satisfies readonly Measure[];

/** Sums of the range, then each step. */
export const SalesFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const read = useRead(storeFiguresHttp.sales, { query });
  const steps = read.data?.steps;
  const language = useLanguage();
  const money = moneyOf(steps ?? []);
  const sum = (name: Measure | 'refunded' | 'gifts') => steps?.reduce((all, step) => all + step[name], 0);
  return (
    <>
      <ul className={classes.tiles}>
        {(['orders', 'pieces', 'points', 'refunded'] as const).map((name) => {
          const value = sum(name);
          return (
            <li key={name} className={classes.tile}>
              <Text size="sm" c="dimmed" component="span">
                {name === 'refunded' ? words.refunded : words.measures[name]}
              </Text>
              <span className={classes.figure}>{value === undefined ? '–' : format.number(value)}</span>
            </li>
          );
        })}
        {money.map(({ currency, paid, refunded }) => (
          <li key={currency} className={classes.tile}>
            <Text size="sm" c="dimmed" component="span">
              {words.sources.shop}
            </Text>
            <span className={classes.figure}>{moneyText(language, paid, currency)}</span>
            {refunded > 0 && (
              <Text size="xs" c="dimmed" component="span">
                {words.moneyRefunded(moneyText(language, refunded, currency))}
              </Text>
            )}
          </li>
        ))}
      </ul>
      <StepsCard
        title={words.overTime}
        read={read}
        csv={storeFiguresHttp.salesCsv}
        query={query}
        measures={{ label: words.measure, names: measures, words: words.measures }}
        parts={{
          label: words.source,
          all: words.allSources,
          data: salesSources.map((value) => ({ value, label: words.sources[value] })),
        }}
        empty={() =>
          sum('orders') === 0 && sum('refunded') === 0 && money.length === 0 ? (
            <>
              <Text fw={600}>{words.nothing}</Text>
              <Text size="sm">{words.nothingText}</Text>
              <PanelLink to="/store">{words.toProducts}</PanelLink>
            </>
          ) : null
        }
        series={salesSeries}
        columns={(measure) => [
          ...(['orders', 'pieces', 'points', 'gifts', 'refunded'] as const).map((name) => ({
            header: name === 'gifts' || name === 'refunded' ? words[name] : words.measures[name],
            cell: (row: SalesStep) => format.number(row[name]),
          })),
          ...salesSources.map((one) => ({
            header: `${words.sources[one]}: ${words.measures[measure]}`,
            cell: (row: SalesStep) => format.number(salesOf(row, measure, one)),
          })),
          ...money.map(({ currency }) => ({
            header: `${words.sources.shop}: ${currency}`,
            cell: (row: SalesStep) => {
              const [own] = moneyOf([row]).filter((one) => one.currency === currency);
              return moneyText(language, own?.paid ?? 0, currency);
            },
          })),
        ]}
      />
    </>
  );
};
