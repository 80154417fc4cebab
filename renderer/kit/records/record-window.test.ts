// Guarantee: a list of records has no row twice, misses none without knowing it, and never grows without bound.
import { describe, expect, it } from 'vitest';
import {
  addNewer,
  addOlder,
  arrive,
  lostTouch,
  mostRows,
  mostWaiting,
  newCount,
  openWindow,
  type RecordOrder,
  showWaiting,
} from './record-window.ts';

interface Row {
  readonly id: string;
}
const order: RecordOrder<Row> = {
  compare: (one, other) => Number(other.id) - Number(one.id),
  olderThan: ({ id }) => ({ to: id }),
  newerThan: ({ id }) => ({ from: id }),
};
/** From the newest to the oldest, both included. */
const rows = (newest: number, oldest: number): Row[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => ({ id: String(newest - index) }));
const ids = (given: readonly Row[]) => given.map(({ id }) => Number(id));
const newest = openWindow({ rows: rows(10, 8), older: { cursor: 'c' }, newer: null });

describe('live rows', () => {
  it('come once, in the order of their times, however often and in whatever order they arrive', () => {
    const once = arrive(newest, [{ id: '13' }, { id: '11' }, { id: '10' }], true, order);
    const twice = arrive(once, [{ id: '13' }, { id: '12' }], true, order);
    expect(ids(twice.rows)).toEqual([13, 12, 11, 10, 9, 8]);
    expect(newCount(twice)).toBe(0);
  });

  it('wait while somebody reads, and are shown when asked for', () => {
    const waiting = arrive(arrive(newest, rows(12, 11), false, order), [{ id: '12' }], false, order);
    expect(ids(waiting.rows)).toEqual([10, 9, 8]);
    expect(newCount(waiting)).toBe(2);
    expect(ids(showWaiting(waiting, order)?.rows ?? [])).toEqual([12, 11, 10, 9, 8]);
  });

  it('are let go of when they are too many, which then is known', () => {
    const flooded = arrive(newest, rows(11 + mostWaiting, 11), false, order);
    expect(flooded.waiting).toEqual([]);
    expect(newCount(flooded)).toBe(mostWaiting + 1);
    expect(showWaiting(flooded, order)).toBeNull();
    expect(newCount(arrive(flooded, [{ id: '9999' }], true, order))).toBe(mostWaiting + 2);
  });

  it('push the oldest out of a full window, and the way back to them is kept', () => {
    const full = arrive(newest, rows(mostRows + 10, 11), true, order);
    expect(full.rows).toHaveLength(mostRows);
    expect(full.older).toEqual({ to: full.rows.at(-1)?.id });
  });
});

describe('pages', () => {
  it('grow downwards without repeating a row, and let go of the newest when full', () => {
    const grown = addOlder(newest, { rows: rows(9, 5), older: null, newer: null }, order);
    expect(ids(grown.rows)).toEqual([10, 9, 8, 7, 6, 5]);
    expect(grown.older).toBeNull();
    const long = openWindow({ rows: rows(mostRows + 3, 4), older: { cursor: 'c' }, newer: null });
    const cut = addOlder(long, { rows: rows(3, 1), older: null, newer: null }, order);
    expect(cut.rows).toHaveLength(mostRows);
    expect(cut.newer).toEqual({ from: cut.rows[0]?.id });
    expect(ids(cut.rows).at(-1)).toBe(1);
  });

  it('grow upwards into what waits', () => {
    const oldest = openWindow({ rows: rows(3, 1), older: null, newer: { cursor: 'n' } });
    const heard = arrive(oldest, rows(9, 8), true, order);
    expect(ids(heard.rows)).toEqual([3, 2, 1]);
    const met = addNewer(heard, { rows: rows(8, 4), older: null, newer: null }, order);
    expect(ids(met.rows)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
    expect(ids(met.waiting)).toEqual([9]);
  });

  it('are read on where too much waited to be kept, so that no gap stays', () => {
    const oldest = openWindow({ rows: rows(3, 1), older: null, newer: { cursor: 'n' } });
    const flooded = arrive(oldest, rows(20 + mostWaiting, 10), false, order);
    const met = addNewer(flooded, { rows: rows(12, 4), older: null, newer: null }, order);
    expect(met.newer).toEqual({ from: '12' });
    expect(newCount(met)).toBe(0);
  });
});

it('reads on from its newest row when the stream could not go on', () => {
  const lost = lostTouch(arrive(newest, rows(12, 11), false, order), order);
  expect(lost.newer).toEqual({ from: '10' });
  expect(newCount(lost)).toBe(0);
});
