import type { BidirectionalPageQuery } from '#contracts/kernel/paging.ts';
import { decodeLogCursor, encodeLogCursor, type LogCursor, type LogPosition } from './log-cursor.ts';

/** Part of a log: at most `limit` rows beyond a row, or from one end, in the given order. */
export interface LogSlice {
  readonly order: 'newest first' | 'oldest first';
  readonly beyond: LogPosition | null;
  readonly limit: number;
}

interface LogPage<Row> {
  /** Always newest first. */
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

/**
 * One page of a log. Its position depends only on the row in the cursor, so rows inserted in between cause neither repeats
 * nor gaps.
 */
export const readLogPage = async <Row extends LogPosition>(
  { cursor, page, limit }: BidirectionalPageQuery,
  read: (slice: LogSlice) => Promise<readonly Row[]>,
): Promise<LogPage<Row>> => {
  const from = cursor === undefined ? null : decodeLogCursor(cursor);
  const upwards = from ? from.towards === 'newer' : page === 'last';
  // One extra row tells whether there are more.
  const found = await read({
    order: upwards ? 'oldest first' : 'newest first',
    beyond: from?.position ?? null,
    limit: limit + 1,
  });
  const isMore = found.length > limit;
  const taken = found.slice(0, limit);
  const rows = upwards ? taken.reverse() : taken;
  return {
    rows,
    nextCursor: (upwards ? from !== null : isMore) ? cursorAt(rows.at(-1), 'older') : null,
    previousCursor: (upwards ? isMore : from !== null) ? cursorAt(rows[0], 'newer') : null,
  };
};

const cursorAt = (row: LogPosition | undefined, towards: LogCursor['towards']): string | null =>
  row ? encodeLogCursor({ towards, position: { at: row.at, id: row.id } }) : null;
