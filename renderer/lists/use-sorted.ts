import { useEffect, useMemo, useState } from 'react';
import { backgroundSort, type Sorted } from './background-sort.ts';
import type { Order } from './slice-sort.ts';

/** This many are sorted within a frame or two. */
const atOnceRows = 3000;

interface Placed {
  readonly id: string;
  /** Its index in the list. */
  readonly at: number;
}

/** The current entries in their previous order; new ones come last. */
export const asBefore = <Entry extends Placed>(
  before: readonly Placed[],
  entries: readonly Entry[],
): readonly Entry[] => {
  const isKnown = new Uint8Array(entries.length);
  const known: Entry[] = [];
  let byId: Map<string, Entry> | null = null;
  for (const { id, at } of before) {
    let entry = entries[at];
    // Most changes move no row; looking up 100,000 by their ids takes several frames.
    if (entry?.id !== id) {
      byId ??= new Map(entries.map((each) => [each.id, each]));
      entry = byId.get(id);
    }
    if (!entry) continue;
    isKnown[entry.at] = 1;
    known.push(entry);
  }
  return known.length === entries.length ? known : known.concat(entries.filter(({ at }) => !isKnown[at]));
};

/**
 * The entries in their order. A long list keeps its previous order, with the current content of its rows, until the new
 * one is found; `isStale` is set until then.
 * @param order the same function as long as the order is the same, and never 0; null: the original order
 */
export const useSorted = <Entry extends Placed>(
  data: readonly Entry[],
  order: Order<Entry> | null,
): { readonly entries: readonly Entry[]; readonly isStale: boolean } => {
  const [done, setDone] = useState<Sorted<Entry> | null>(null);
  const [sorter] = useState(() => backgroundSort<Entry>(setDone));
  const isLong = order !== null && data.length > atOnceRows;
  const isStale = isLong && (done?.of !== data || done.order !== order);
  const entries = useMemo(() => {
    if (!isLong) return order === null ? data : data.toSorted(order);
    if (done === null) return data;
    return done.of === data ? done.entries : asBefore(done.entries, data);
  }, [data, order, isLong, done]);

  useEffect(() => {
    if (isStale) sorter.sort({ of: data, order, entries });
    else sorter.stop();
    // The next sort starts from the original order.
    if (order === null) setDone(null);
  }, [data, order, entries, isStale, sorter]);
  useEffect(() => () => sorter.stop(), [sorter]);
  return { entries, isStale };
};
