import { Text } from '@mantine/core';
import { type ServerFigures, storeFiguresHttp } from '#contracts/store/store-figures.ts';
import { useRead } from '../../kit/api/queries.ts';
import { PanelLink } from '../../kit/design/panel-link.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useLanguage, useWords } from '../../kit/language/use-words.ts';
import { FigureCard } from './figure-card.tsx';
import { FigureTable } from './figure-table.tsx';
import type { Query } from './sales-figures.tsx';
import { storeFiguresWords } from './store-figures.words.ts';

/** "12.5%"; "–" if the whole is zero. */
const useShare = () => {
  const percent = new Intl.NumberFormat(useLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  return (part: number, whole: number) => (whole === 0 ? '–' : percent.format(part / whole));
};

export const SellerFigures = ({ query }: { readonly query: Query }) => {
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

export const ServerTable = ({ query }: { readonly query: Query }) => {
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
