import { Group, SegmentedControl, SimpleGrid, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import type { Format } from '#contracts/kernel/format.ts';
import type { MetricSeries } from '#contracts/operations/metric-history.ts';
import { TimeChart } from '../../kit/charts/time-chart.tsx';
import { AsyncContent } from '../../kit/design/async-content.tsx';
import { Card } from '../../kit/design/card.tsx';
import { LoadingChart } from '../../kit/design/loading-shapes.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { LastKnown } from '../../operations/last-known.tsx';
import { type MetricName, metricNames, seriesOf } from './metric-points.ts';
import { overviewWords } from './overview.words.ts';
import { spanNames, spanOf, useMetricHistory } from './use-metric-history.ts';

const formatOf = (format: Format, name: MetricName) => (value: number) =>
  name === 'databaseMs' ? format.milliseconds(value) : format.number(value);

const FigureChart = ({ name, figures }: { readonly name: MetricName; readonly figures: MetricSeries }) => {
  const words = useWords(overviewWords);
  const format = formatOf(useFormat(), name);
  const series = useMemo(() => seriesOf(figures, name), [figures, name]);
  const newest = series.values.at(-1);
  const { title, help } = words.figures[name];
  return (
    <Card
      title={title}
      actions={
        <Text fw={600} {...(typeof newest !== 'number' && { c: 'dimmed' })} size="sm">
          {typeof newest === 'number' ? format(newest) : words.unknownNow}
        </Text>
      }
    >
      <Text size="xs" c="dimmed">
        {help}
      </Text>
      <TimeChart
        label={title}
        series={series}
        format={format}
        shape={name === 'events' ? 'bars' : 'line'}
        isWhole={name !== 'databaseMs'}
      />
    </Card>
  );
};

/** The stack's figures over the last hour, day or month. */
export const MetricsSection = () => {
  const words = useWords(overviewWords);
  const { values, set } = useSearchState();
  const span = spanOf(values.span);
  const { read, lastKnownAt } = useMetricHistory(span);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Title order={2}>{words.overTime}</Title>
        <SegmentedControl
          size="xs"
          aria-label={words.span}
          value={span}
          onChange={(chosen) => set({ span: chosen === 'hour' ? '' : chosen })}
          data={spanNames.map((name) => ({ value: name, label: words.spans[name] }))}
        />
      </Group>
      {lastKnownAt && <LastKnown at={lastKnownAt} />}
      <AsyncContent read={read} loading={<LoadingChart />}>
        {(known) => (
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
            {metricNames.map((name) => (
              <FigureChart key={`${name} ${span}`} name={name} figures={known} />
            ))}
          </SimpleGrid>
        )}
      </AsyncContent>
    </>
  );
};
