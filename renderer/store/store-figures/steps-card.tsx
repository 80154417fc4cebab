import { Group, SegmentedControl, Select } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import type { FigureStep } from '#contracts/store/store-figures.ts';
import { TimeChart } from '../../kit/charts/time-chart.tsx';
import type { TimeSeries } from '../../kit/charts/time-series.ts';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { FigureCard, type FigureCardProps } from './figure-card.tsx';
import { type FigureColumn, FigureTable } from './figure-table.tsx';
import { startOf } from './step-series.ts';
import { storeFiguresWords } from './store-figures.words.ts';

interface Figures<Step> {
  readonly step: FigureStep;
  readonly steps: readonly Step[];
}

interface StepsCardProps<Step, Measure extends string>
  extends Pick<FigureCardProps<Figures<Step>>, 'title' | 'read' | 'csv' | 'query' | 'empty'> {
  readonly about?: ReactNode;
  /** What is counted; the first one is shown at the beginning. */
  readonly measures: {
    readonly label: string;
    readonly names: readonly [Measure, ...Measure[]];
    readonly words: Readonly<Record<Measure, string>>;
  };
  /** What the figures can be limited to. */
  readonly parts: {
    readonly label: string;
    readonly all: string;
    readonly data: readonly { readonly value: string; readonly label: string }[];
  };
  readonly series: (steps: readonly Step[], measure: Measure, part: string | null) => TimeSeries;
  /** The columns of the table after the step's own. */
  readonly columns: (measure: Measure) => readonly FigureColumn<Step>[];
}

/** A figure over time, step by step, as a chart and a table. */
export const StepsCard = <Step extends { readonly start: string }, Measure extends string>(
  props: StepsCardProps<Step, Measure>,
) => {
  const { about, measures, parts, series: seriesOf, columns, ...card } = props;
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const [measure, setMeasure] = useState<Measure>(measures.names[0]);
  const [part, setPart] = useState<string | null>(null);
  const steps = card.read.data?.steps;
  const series = useMemo(() => seriesOf(steps ?? [], measure, part), [seriesOf, steps, measure, part]);
  const day = (start: string) => format.date(startOf(start).toISOString());
  return (
    <FigureCard
      {...card}
      head={
        <>
          {about}
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={measures.label}
              value={measure}
              onChange={(name) => setMeasure(measures.names.find((one) => one === name) ?? measure)}
              data={measures.names.map((value) => ({ value, label: measures.words[value] }))}
            />
            <Select
              size="xs"
              aria-label={parts.label}
              placeholder={parts.all}
              clearable
              value={part}
              onChange={setPart}
              data={parts.data}
            />
          </Group>
        </>
      }
      chart={() => (
        <TimeChart
          label={`${card.title}: ${measures.words[measure]}`}
          series={series}
          format={format.number}
          nameOf={(place) => day(steps?.[place]?.start ?? '')}
          shape="bars"
          isWhole
        />
      )}
      table={({ step, steps: rows }) => (
        <FigureTable
          label={card.title}
          rows={rows}
          rowId={({ start }) => start}
          columns={[{ header: words.start[step], cell: ({ start }) => day(start) }, ...columns(measure)]}
        />
      )}
    />
  );
};
