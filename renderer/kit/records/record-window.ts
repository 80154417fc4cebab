/** The part of a query that leads to the rows beyond one end of the shown ones: a page's cursor, or times. */
export interface Edge {
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly page?: 'last';
}

export interface Identified {
  readonly id: string;
}

/** Rows newest first, as the API lists them. */
export interface RecordPage<Row> {
  readonly rows: readonly Row[];
  /** Null: there are none. */
  readonly older: Edge | null;
  readonly newer: Edge | null;
}

/** A section of an endless list. It never has two rows with the same id, and never more rows than `mostRows`. */
export interface RecordWindow<Row> extends RecordPage<Row> {
  /** New rows that wait, so that they do not push away the rows being read, newest first. */
  readonly waiting: readonly Row[];
  /** The number of new rows that were not kept, since more came than may wait: the list is read again to show them. */
  readonly missed: number;
}

/** The order of the rows of a list. */
export interface RecordOrder<Row> {
  /** Below 0 if the first is the newer one; without it, rows keep their order. */
  readonly compare?: (one: Row, other: Row) => number;
  readonly olderThan: (row: Row) => Edge;
  readonly newerThan: (row: Row) => Edge;
}

/** The limit for the shown rows, and for the waiting ones: enough to read in, and small enough for a phone. */
export const mostRows = 2000;
export const mostWaiting = 500;

export const openWindow = <Row extends Identified>(page: RecordPage<Row>): RecordWindow<Row> => ({
  rows: page.rows,
  older: page.older,
  newer: page.newer,
  waiting: [],
  missed: 0,
});

const without = <Row extends Identified>(rows: readonly Row[], known: readonly Row[]): readonly Row[] => {
  const ids = new Set(known.map(({ id }) => id));
  return rows.filter(({ id }) => !ids.has(id) && ids.add(id));
};

const sorted = <Row>(rows: readonly Row[], { compare }: RecordOrder<Row>): readonly Row[] =>
  compare ? rows.toSorted(compare) : rows;

/** Drops the oldest rows; they are read again when a reader goes there. */
const cutOldest = <Row>(window: RecordWindow<Row>, { olderThan }: RecordOrder<Row>): RecordWindow<Row> => {
  const rows = window.rows.slice(0, mostRows);
  const last = rows.at(-1);
  return rows.length < window.rows.length && last ? { ...window, rows, older: olderThan(last) } : window;
};

const cutNewest = <Row>(window: RecordWindow<Row>, { newerThan }: RecordOrder<Row>): RecordWindow<Row> => {
  const rows = window.rows.slice(-mostRows);
  const first = rows[0];
  return rows.length < window.rows.length && first ? { ...window, rows, newer: newerThan(first) } : window;
};

export const addOlder = <Row extends Identified>(
  window: RecordWindow<Row>,
  page: RecordPage<Row>,
  order: RecordOrder<Row>,
): RecordWindow<Row> =>
  cutNewest(
    { ...window, rows: [...window.rows, ...without(page.rows, window.rows)], older: page.older },
    order,
  );

export const addNewer = <Row extends Identified>(
  window: RecordWindow<Row>,
  page: RecordPage<Row>,
  order: RecordOrder<Row>,
): RecordWindow<Row> => {
  const rows = [...without(page.rows, window.rows), ...window.rows];
  const first = rows[0];
  // The rows that were not kept are between this page and the waiting ones: they are read before the end is reached.
  const isGap = page.newer === null && window.missed > 0 && first !== undefined;
  const newer = isGap ? order.newerThan(first) : page.newer;
  const waiting = isGap ? [] : without(window.waiting, rows);
  return cutOldest({ ...window, rows, newer, waiting, missed: isGap ? 0 : window.missed }, order);
};

/** New rows of the live stream, newest first: shown immediately, or held back. */
export const arrive = <Row extends Identified>(
  window: RecordWindow<Row>,
  arrived: readonly Row[],
  isFollowing: boolean,
  order: RecordOrder<Row>,
): RecordWindow<Row> => {
  const fresh = without(arrived, [...window.rows, ...window.waiting]);
  if (fresh.length === 0) return window;
  if (isFollowing && window.newer === null && window.missed === 0)
    return cutOldest({ ...window, rows: sorted([...fresh, ...window.rows], order) }, order);
  const waiting = [...fresh, ...window.waiting];
  if (window.missed === 0 && waiting.length <= mostWaiting) return { ...window, waiting };
  return { ...window, waiting: [], missed: window.missed + waiting.length };
};

/** How many rows are newer than the shown ones, as far as is known. */
export const newCount = ({ waiting, missed }: RecordWindow<unknown>): number => waiting.length + missed;

/** Shows the waiting rows; null if they are not all of the new ones, so that the list has to be read again. */
export const showWaiting = <Row extends Identified>(
  window: RecordWindow<Row>,
  order: RecordOrder<Row>,
): RecordWindow<Row> | null =>
  window.newer === null && window.missed === 0
    ? cutOldest(
        {
          ...window,
          rows: sorted([...without(window.waiting, window.rows), ...window.rows], order),
          waiting: [],
        },
        order,
      )
    : null;

/** The stream could not continue where it was: rows newer than the newest one have to be read. */
export const lostTouch = <Row>(
  window: RecordWindow<Row>,
  { newerThan }: RecordOrder<Row>,
): RecordWindow<Row> => {
  const first = window.rows[0];
  return first ? { ...window, newer: newerThan(first), waiting: [], missed: 0 } : window;
};
