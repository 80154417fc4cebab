import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { salesSources, storeFiguresHttp } from '#contracts/store-figures.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { PanelLink } from '../../design/panel-link.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import type { ChosenRange } from './chosen-range.ts';
import { FigureCard } from './figure-card.tsx';
import { FigureTable } from './figure-table.tsx';
import { type Measure, salesOf, salesSeries, startOf } from './step-series.ts';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

export type Query = NonNullable<ChosenRange['query']>;
const measures = ['points', 'orders', 'pieces'] as const satisfies readonly Measure[];

/** Sums of the range, then each step. */
export const SalesFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const [measure, setMeasure] = useState<Measure>('points');
  const [source, setSource] = useState<string | null>(null);
  const read = useRead(storeFiguresHttp.sales, { query });
  const steps = read.data?.steps;
  const series = useMemo(() => salesSeries(steps ?? [], measure, source), [steps, measure, source]);
  const day = (start: string) => format.date(startOf(start).toISOString());
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
      </ul>
      <FigureCard
        title={words.overTime}
        read={read}
        csv={storeFiguresHttp.salesCsv}
        query={query}
        head={
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={words.measure}
              value={measure}
              onChange={(name) => setMeasure(measures.find((one) => one === name) ?? 'points')}
              data={measures.map((value) => ({ value, label: words.measures[value] }))}
            />
            <Select
              size="xs"
              aria-label={words.source}
              placeholder={words.allSources}
              clearable
              value={source}
              onChange={setSource}
              data={salesSources.map((value) => ({ value, label: words.sources[value] }))}
            />
          </Group>
        }
        empty={() =>
          sum('orders') === 0 && sum('refunded') === 0 ? (
            <>
              <Text fw={600}>{words.nothing}</Text>
              <Text size="sm">{words.nothingText}</Text>
              <PanelLink to="/store">{words.toProducts}</PanelLink>
            </>
          ) : null
        }
        chart={() => (
          <TimeChart
            label={`${words.overTime}: ${words.measures[measure]}`}
            series={series}
            format={format.number}
            nameOf={(place) => day(steps?.[place]?.start ?? '')}
            shape="bars"
            isWhole
          />
        )}
        table={({ step, steps: rows }) => (
          <FigureTable
            label={words.overTime}
            rows={rows}
            rowId={({ start }) => start}
            columns={[
              { header: words.start[step], cell: ({ start }) => day(start) },
              ...(['orders', 'pieces', 'points', 'gifts', 'refunded'] as const).map((name) => ({
                header: name === 'gifts' || name === 'refunded' ? words[name] : words.measures[name],
                cell: (row: (typeof rows)[number]) => format.number(row[name]),
              })),
              ...salesSources.map((one) => ({
                header: `${words.sources[one]}: ${words.measures[measure]}`,
                cell: (row: (typeof rows)[number]) => format.number(salesOf(row, measure, one)),
              })),
            ]}
          />
        )}
      />
    </>
  );
};
