import type { Edge, Identified, RecordOrder, RecordPage } from './record-window.ts';
import type { RecordsSource } from './use-records.ts';

interface Timed extends Identified {
  readonly at: string;
}

interface TwoWayPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
  /** Absent if there is no live stream. */
  readonly liveCursor?: string;
}

type TwoWayEdge = Edge | { readonly page: 'first' | 'last' };

const asRecordPage = <Row>({ rows, nextCursor, previousCursor }: TwoWayPage<Row>): RecordPage<Row> => ({
  rows,
  older: nextCursor === null ? null : { cursor: nextCursor },
  newer: previousCursor === null ? null : { cursor: previousCursor },
});

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Ids are growing numbers, as texts. */
const byId = (one: string, other: string): number =>
  other.length - one.length || (one < other ? 1 : one > other ? -1 : 0);

/** Newest first. An edge by time returns the rows of that same millisecond again, which are recognised by their ids, so none is skipped. */
const byTime: RecordOrder<Timed> = {
  compare: (one, other) => (one.at === other.at ? byId(one.id, other.id) : one.at < other.at ? 1 : -1),
  olderThan: ({ at }) => ({ to: later(at, 1) }),
  newerThan: ({ at }) => ({ from: at, page: 'last' }),
};

/**
 * A list that can be read from both ends.
 * @param key of the endpoint and all filters
 * @param ask reads the page at an edge, or, with neither time nor cursor, the first or the last one
 */
export const bidirectionalPaging = <Row extends Timed>(
  key: readonly unknown[],
  ask: (edge: TwoWayEdge, signal: AbortSignal) => Promise<TwoWayPage<Row>>,
): RecordsSource<Row> => ({
  ...byTime,
  key,
  async open(beginning, signal) {
    const answer = await ask({ page: beginning === 'oldest' ? 'last' : 'first' }, signal);
    const { liveCursor } = answer;
    return { ...asRecordPage(answer), ...(liveCursor !== undefined && { liveCursor }) };
  },
  read: async (edge, signal) => asRecordPage(await ask(edge, signal)),
});
