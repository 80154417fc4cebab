import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import type { MetricSpan } from '#contracts/metric-history.ts';
import { type ServerSeries, serverFiguresHttp, serverSpans } from '#contracts/server-figures.ts';
import { TimeChart } from '../../../charts/time-chart.tsx';
import { AsyncContent } from '../../../design/async-content.tsx';
import { Card } from '../../../design/card.tsx';
import { LoadingChart } from '../../../design/loading-shapes.tsx';
import { useFormat } from '../../../language/use-format.ts';
import { useWords } from '../../../language/use-words.ts';
import { useSearchState } from '../../../routing/use-search-state.ts';
import { useRead } from '../../../wire/queries.ts';
import { serverOverviewWords } from './server-overview.words.ts';

const everyMs = 60_000;
const spans = Object.keys(serverSpans) as MetricSpan[];
/** The day, unless the address names another span. */
const spanOf = (text: string | undefined): MetricSpan => spans.find((span) => span === text) ?? 'day';

/** Players and response time of a server over the last hour, day or month. */
export const OverTime = ({ serverId }: { readonly serverId: string }) => {
  const words = useWords(serverOverviewWords);
  const { values, set } = useSearchState();
  const span = spanOf(values.span);
  const read = useRead(serverFiguresHttp.read, { params: { serverId }, query: { span } }, { everyMs });
  return (
    <Card
      title={words.overTime}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.span}
          value={span}
          onChange={(chosen) => set({ span: chosen === 'day' ? '' : chosen })}
          data={spans.map((name) => ({ value: name, label: words.spans[name] }))}
        />
      }
    >
      <AsyncContent read={read} loading={<LoadingChart />}>
        {(series) => <Charts key={span} series={series} />}
      </AsyncContent>
    </Card>
  );
};

const Charts = ({ series }: { readonly series: ServerSeries }) => {
  const words = useWords(serverOverviewWords);
  const format = useFormat();
  const { players, answers, hasAnswers } = useMemo(() => {
    const times = series.points.map(({ at }) => Date.parse(at) / 1000);
    const answerMs = series.points.map((point) => point.answerMs);
    return {
      players: { times, values: series.points.map((point) => point.players) },
      answers: { times, values: answerMs },
      hasAnswers: answerMs.some((value) => value !== null),
    };
  }, [series]);
  return (
    <Stack gap="md">
      <div>
        <Text size="xs" c="dimmed">
          {words.players}
        </Text>
        <TimeChart label={words.players} series={players} format={format.number} isWhole />
      </div>
      {hasAnswers && (
        <div>
          <Text size="xs" c="dimmed">
            {words.answerTime}
          </Text>
          <TimeChart label={words.answerTime} series={answers} format={format.milliseconds} />
        </div>
      )}
    </Stack>
  );
};
