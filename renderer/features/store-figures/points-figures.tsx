import { Text } from '@mantine/core';
import { ledgerKinds } from '#contracts/members.ts';
import { type PointsStep, storeFiguresHttp } from '#contracts/store-figures.ts';
import { useFormat } from '../../language/use-format.ts';
import { useWords } from '../../language/use-words.ts';
import { useRead } from '../../wire/queries.ts';
import type { Query } from './sales-figures.tsx';
import { pointsOf, pointsSeries, type Way } from './step-series.ts';
import { StepsCard } from './steps-card.tsx';
import { storeFiguresWords } from './store-figures.words.ts';

const ways = ['in', 'out', 'moved'] as const satisfies readonly Way[];

export const PointsFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const { number } = useFormat();
  return (
    <StepsCard
      title={words.points}
      read={useRead(storeFiguresHttp.points, { query })}
      csv={storeFiguresHttp.pointsCsv}
      query={query}
      about={
        <Text size="xs" c="dimmed">
          {words.pointsText}
        </Text>
      }
      measures={{ label: words.way, names: ways, words: words.ways }}
      parts={{
        label: words.kind,
        all: words.allKinds,
        data: ledgerKinds.map((value) => ({ value, label: words.kinds[value] })),
      }}
      empty={({ steps }) => (steps.every(({ kinds }) => kinds.length === 0) ? words.noPoints : null)}
      series={pointsSeries}
      columns={(way) => [
        ...ways.map((one) => ({
          header: words.ways[one],
          cell: (row: PointsStep) => number(pointsOf(row, one, null)),
        })),
        ...ledgerKinds.map((one) => ({
          header: `${words.kinds[one]} (${words.ways[way]})`,
          cell: (row: PointsStep) => number(pointsOf(row, way, one)),
        })),
      ]}
    />
  );
};
