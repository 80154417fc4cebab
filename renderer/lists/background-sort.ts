import { type Order, sortSteps } from './slice-sort.ts';

export interface Wanted<Entry> {
  /** Identifies the list; `entries` has its entries in a different order. */
  readonly of: readonly Entry[];
  readonly order: Order<Entry>;
  /** The order to start from; one that is nearly right takes little time. */
  readonly entries: readonly Entry[];
}
export type Sorted<Entry> = Wanted<Entry>;

export interface BackgroundSort<Entry> {
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
