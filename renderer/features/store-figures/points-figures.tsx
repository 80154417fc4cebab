import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { ledgerKinds } from '#contracts/members.ts';
import { storeFiguresHttp } from '#contracts/store-figures.ts';
import { TimeChart } from '../../charts/time-chart.tsx';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import { FigureCard } from './figure-card.tsx';
import { FigureTable } from './figure-table.tsx';
import type { Query } from './sales-figures.tsx';
import { pointsOf, pointsSeries, startOf, type Way } from './step-series.ts';
import { storeFiguresWords } from './store-figures.words.ts';

const ways = ['in', 'out', 'moved'] as const satisfies readonly Way[];

export const PointsFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const [way, setWay] = useState<Way>('in');
  const [kind, setKind] = useState<string | null>(null);
  const read = useRead(storeFiguresHttp.points, { query });
  const steps = read.data?.steps;
  const series = useMemo(() => pointsSeries(steps ?? [], way, kind), [steps, way, kind]);
  const day = (start: string) => format.date(startOf(start).toISOString());
  return (
    <FigureCard
      title={words.points}
      read={read}
      csv={storeFiguresHttp.pointsCsv}
      query={query}
      head={
        <>
          <Text size="xs" c="dimmed">
            {words.pointsText}
          </Text>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={words.way}
              value={way}
              onChange={(name) => setWay(ways.find((one) => one === name) ?? 'in')}
              data={ways.map((value) => ({ value, label: words.ways[value] }))}
            />
            <Select
              size="xs"
              aria-label={words.kind}
              placeholder={words.allKinds}
              clearable
              value={kind}
              onChange={setKind}
              data={ledgerKinds.map((value) => ({ value, label: words.kinds[value] }))}
            />
          </Group>
        </>
      }
      empty={(data) => (data.steps.every(({ kinds }) => kinds.length === 0) ? words.noPoints : null)}
      chart={() => (
        <TimeChart
          label={`${words.points}: ${words.ways[way]}`}
          series={series}
          format={format.number}
          nameOf={(place) => day(steps?.[place]?.start ?? '')}
          shape="bars"
          isWhole
        />
      )}
      table={({ step, steps: rows }) => (
        <FigureTable
          label={words.points}
          rows={rows}
          rowId={({ start }) => start}
          columns={[
            { header: words.start[step], cell: ({ start }) => day(start) },
            ...ways.map((one) => ({
              header: words.ways[one],
              cell: (row: (typeof rows)[number]) => format.number(pointsOf(row, one, null)),
            })),
            ...ledgerKinds.map((one) => ({
              header: `${words.kinds[one]} (${words.ways[way]})`,
              cell: (row: (typeof rows)[number]) => format.number(pointsOf(row, way, one)),
            })),
          ]}
        />
      )}
    />
  );
};
