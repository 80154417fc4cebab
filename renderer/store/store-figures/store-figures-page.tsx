import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { ledgerKinds } from '#contracts/people/members.ts';
import { type PointsStep, type ServerFigures, storeFiguresHttp } from '#contracts/store/store-figures.ts';
import { useRead } from '../../kit/api/queries.ts';
import { Page as Frame } from '../../kit/design/page.tsx';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { useSearchState } from '../../kit/routing/use-search-state.ts';
import { type ChosenRange, chosenRange, rangeNames } from './chosen-range.ts';
import { FigureCard } from './figure-card.tsx';
import { FigureTable } from './figure-table.tsx';
import { type Query, SalesFigures } from './sales-figures.tsx';
import { pointsOf, pointsSeries, type Way } from './step-series.ts';
import { StepsCard } from './steps-card.tsx';
import classes from './store-figures.module.css';
import { storeFiguresWords } from './store-figures.words.ts';

/** "12.5%"; "–" if the whole is zero. */
const useShare = () => {
  const percent = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  return (part: number, whole: number) => (whole === 0 ? '–' : percent.format(part / whole));
};

const SellerFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const share = useShare();
  const read = useRead(storeFiguresHttp.sellers, { query });
  const { total = 0, rows: shown = [] } = read.data ?? {};
  return (
    <FigureCard
      title={words.sellers}
      read={read}
      csv={storeFiguresHttp.sellersCsv}
      query={query}
      head={
        <Text size="xs" c="dimmed" mih="1.2rem">
          {total > shown.length && words.sellersMore(format.number(shown.length), format.number(total))}
        </Text>
      }
      empty={({ rows }) => (rows.length === 0 ? words.nothing : null)}
      table={({ rows }) => (
        <FigureTable
          label={words.sellers}
          rows={rows}
          rowId={({ productId }) => productId}
          columns={[
            {
              header: words.product,
              cell: ({ productId, name }) => (
                <PanelLink to={`/store/${productId}`}>
                  <bdi>{name}</bdi>
                </PanelLink>
              ),
            },
            { header: words.measures.points, cell: ({ points }) => format.number(points) },
            { header: words.measures.pieces, cell: ({ pieces }) => format.number(pieces) },
            { header: words.measures.orders, cell: ({ orders }) => format.number(orders) },
            { header: words.undone, cell: ({ undone }) => format.number(undone) },
            {
              header: words.refundedShare,
              cell: ({ refundedPieces, pieces }) => share(refundedPieces, pieces),
            },
          ]}
        />
      )}
    />
  );
};

const shares = ['failed', 'unknown', 'unconfirmed'] as const;

const ServerTable = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const format = useFormat();
  const share = useShare();
  const read = useRead(storeFiguresHttp.servers, { query });
  const nameOf = ({ serverId, name }: ServerFigures) =>
    serverId === null ? words.noServer : (name ?? words.hiddenServer);
  return (
    <FigureCard
      title={words.servers}
      read={read}
      csv={storeFiguresHttp.serversCsv}
      query={query}
      head={
        <Text size="xs" c="dimmed" mih="1.2rem">
          {words.serversText}
        </Text>
      }
      isLast
      empty={({ rows }) => (rows.length === 0 ? words.noDeliveries : null)}
      table={({ rows }) => (
        <FigureTable
          label={words.servers}
          rows={rows}
          rowId={({ serverId }) => serverId ?? ''}
          columns={[
            { header: words.server, cell: (row) => <bdi>{nameOf(row)}</bdi> },
            { header: words.deliveries, cell: ({ deliveries }) => format.number(deliveries) },
            ...shares.map((name) => ({
              header: words[name],
              cell: (row: ServerFigures) =>
                words.countAndShare(format.number(row[name]), share(row[name], row.deliveries)),
            })),
            { header: words.delivered, cell: ({ delivered }) => format.number(delivered) },
            { header: words.open, cell: ({ open }) => format.number(open) },
            {
              header: words.median,
              cell: ({ medianSeconds }) => (medianSeconds === null ? '–' : format.duration(medianSeconds)),
            },
          ]}
        />
      )}
    />
  );
};

const ways = ['in', 'out', 'moved'] as const satisfies readonly Way[];

const PointsFigures = ({ query }: { readonly query: Query }) => {
  const words = useWords(storeFiguresWords);
  const { number } = useFormat();
  const read = useRead(storeFiguresHttp.points, { query });
  return (
    <StepsCard
      title={words.points}
      read={read}
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

/** The range of all figures, kept in the address. */
const RangeChoice = ({ name, query }: ChosenRange) => {
  const words = useWords(storeFiguresWords);
  const { values, set } = useSearchState();
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        size="xs"
        aria-label={words.range}
        value={name}
        onChange={(range) => set({ range })}
        data={rangeNames.map((value) => ({ value, label: words.ranges[value] }))}
      />
      {name === 'custom' &&
        (['from', 'to'] as const).map((edge) => (
          <TextInput
            key={edge}
            type="date"
            size="xs"
            label={words[edge]}
            min="2000-01-01"
            max="2999-12-31"
            value={values[edge] ?? ''}
            onChange={({ currentTarget }) => set({ [edge]: currentTarget.value })}
          />
        ))}
      {query === null && (
        <Text size="sm" role="status">
          {words.badRange}
        </Text>
      )}
    </Group>
  );
};

export const Page = () => {
  const words = useWords(storeFiguresWords);
  const { values } = useSearchState();
  const chosen = chosenRange(values);
  const query = chosen.query ?? { days: 30 };
  const { data } = useRead(storeFiguresHttp.sales, { query });
  return (
    <Frame title={words.title} description={data ? words.description(data.timeZone) : words.describes}>
      <Stack gap="md" className={classes.page}>
        <RangeChoice {...chosen} />
        <SalesFigures query={query} />
        <PointsFigures query={query} />
        <div className={classes.pair}>
          <SellerFigures query={query} />
          <ServerTable query={query} />
        </div>
      </Stack>
    </Frame>
  );
};
