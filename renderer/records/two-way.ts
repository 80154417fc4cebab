import type { Identified, RecordOrder, RecordPage } from './record-window.ts';

interface Timed extends Identified {
  readonly at: string;
}

interface TwoWayPage<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
  readonly previousCursor: string | null;
}

/** Of a list that can be read from both ends. */
export const asRecordPage = <Row>({
  rows,
  nextCursor,
  previousCursor,
}: TwoWayPage<Row>): RecordPage<Row> => ({
  rows,
  older: nextCursor === null ? null : { cursor: nextCursor },
  newer: previousCursor === null ? null : { cursor: previousCursor },
});

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** Ids are numbers that grow, as texts. */
const byId = (one: string, other: string): number =>
  other.length - one.length || (one < other ? 1 : one > other ? -1 : 0);

/**
 * Newest first. An edge by time meets the rows of that very millisecond again, which are known by their ids, and so
 * passes over none.
 */
export const byTime: RecordOrder<Timed> = {
  compare: (one, other) => (one.at === other.at ? byId(one.id, other.id) : one.at < other.at ? 1 : -1),
  olderThan: ({ at }) => ({ to: later(at, 1) }),
  newerThan: ({ at }) => ({ from: at, page: 'last' }),
};
