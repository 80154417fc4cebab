import { useEffect, useMemo, useState } from 'react';

export type SortKey = string | number | null;

/**
 * Compares in ascending order; for descending order the caller reverses the result. Entries without a key come last in
 * both cases, so for a reversed list they come first here.
 */
export const inOrder =
  (compareTexts: (a: string, b: string) => number, isDescending: boolean) =>
  (a: SortKey, b: SortKey): number => {
    if (a === b) return 0;
    if (a === null) return isDescending ? -1 : 1;
    if (b === null) return isDescending ? 1 : -1;
    return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
  };

export type Order<Entry> = (a: Entry, b: Entry) => number;

/** This many comparisons, even by the rules of a language, take a millisecond or two. */
const sliceRows = 256;

/** Merges two sorted runs; of equals, the left one comes first. */
function* merged<Entry>(left: readonly Entry[], right: readonly Entry[], order: Order<Entry>) {
  const [lastOfLeft] = left.slice(-1);
  const [firstOfRight] = right;
  // Rows that change while they are shown are nearly in order already.
  if (lastOfLeft === undefined || firstOfRight === undefined || order(lastOfLeft, firstOfRight) <= 0)
    return left.concat(right);
  const into: Entry[] = [];
  let atRight = 0;
  for (const entry of left) {
    for (let next = right[atRight]; next !== undefined && order(entry, next) > 0; next = right[atRight]) {
      into.push(next);
      atRight += 1;
      if (into.length % sliceRows === 0) yield;
    }
    into.push(entry);
    if (into.length % sliceRows === 0) yield;
  }
  return into.concat(right.slice(atRight));
}

/** Sorts like `toSorted`, in steps that are short however long the list is. */
export function* sortSteps<Entry extends object>(
  entries: readonly Entry[],
  order: Order<Entry>,
): Generator<void, readonly Entry[]> {
  let runs: (readonly Entry[])[] = [];
  for (let from = 0; from < entries.length; from += sliceRows) {
    runs.push(entries.slice(from, from + sliceRows).sort(order));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly Entry[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(yield* merged(runs[index] ?? [], runs[index + 1] ?? [], order));
      yield;
    }
    runs = longer;
  }
  return runs[0] ?? [];
}

export interface Sorted<Entry> {
  /** Identifies the list; `entries` has its entries in a different order. */
  readonly of: readonly Entry[];
  readonly order: Order<Entry>;
  readonly entries: readonly Entry[];
}
/** Here the entries are in the order to start from: one that is nearly right takes little time. */
type Wanted<Entry> = Sorted<Entry>;

interface BackgroundSort<Entry> {
  /** Another order stops the running sort; other entries in the same order are sorted after it. */
  sort(wanted: Wanted<Entry>): void;
  stop(): void;
}

/** Half a frame on a screen with 60 frames a second. */
const taskMs = 8;

/** Lets the page respond, draw and run its timers. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** @returns null if it is no longer wanted */
const inShortTasks = async <Value>(
  steps: Generator<void, Value>,
  isWanted: () => boolean,
): Promise<Value | null> => {
  let until = 0;
  while (isWanted()) {
    if (performance.now() < until) {
      const { done, value } = steps.next();
      if (done) return value;
    } else {
      await nextTask();
      until = performance.now() + taskMs;
    }
  }
  return null;
};

/** Sorts long lists in the background, one at a time. */
export const backgroundSort = <Entry extends object>(
  onSorted: (sorted: Sorted<Entry>) => void,
): BackgroundSort<Entry> => {
  let wanted: Wanted<Entry> | null = null;
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    while (wanted) {
      const { of, order, entries } = wanted;
      const sorted = await inShortTasks(sortSteps(entries, order), () => wanted?.order === order);
      if (sorted === null) continue;
      if (wanted?.of === of) wanted = null;
      onSorted({ of, order, entries: sorted });
    }
    isRunning = false;
  };
  return {
    sort(next) {
      if (wanted?.of === next.of && wanted.order === next.order) return;
      wanted = next;
      if (!isRunning) void run();
    },
    stop() {
      wanted = null;
    },
  };
};

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
 * @param order the same function as long as the order is the same; never 0 for two entries, since the order to start from varies; null: the original order
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
