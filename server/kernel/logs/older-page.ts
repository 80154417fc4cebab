import { decodeLogCursor, encodeLogCursor, type LogPosition } from './log-cursor.ts';

export interface PageQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  readonly nextCursor: string | null;
}

/** One page of a list that is read only towards older rows. */
export const readOlderPage = async <Row>(
  { cursor, limit }: PageQuery,
  read: (slice: { readonly beyond: LogPosition | null; readonly limit: number }) => Promise<readonly Row[]>,
  positionOf: (row: Row) => LogPosition,
): Promise<Page<Row>> => {
  const beyond = cursor === undefined ? null : decodeLogCursor(cursor).position;
  // One extra row tells whether there are more.
  const found = await read({ beyond, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    rows,
    nextCursor: last ? encodeLogCursor({ towards: 'older', position: positionOf(last) }) : null,
  };
};
