import { isDatabaseAway } from './pool.ts';

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: items that arrive while a batch is under way form the next one, so that a single item waits for nothing and many
 * share one transaction. If a batch fails, each of its items is tried alone, and only those that fail alone are reported as
 * failed.
 */
export const createGroupCommit = <Item, Result>({
  commit,
  keyOf,
  mostAtOnce,
}: {
  /** Commits all items or none. @returns a result for each item, in the same order */
  readonly commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Items with the same key never share a batch. */
  readonly keyOf: (item: Item) => string;
  readonly mostAtOnce: number;
}): ((item: Item) => Promise<Result>) => {
  let pending: Pending<Item, Result>[] = [];
  let isRunning = false;

  const take = (): Pending<Item, Result>[] => {
    const keys = new Set<string>();
    const batch: Pending<Item, Result>[] = [];
    const rest: Pending<Item, Result>[] = [];
    for (const one of pending) {
      const key = keyOf(one.item);
      if (batch.length === mostAtOnce || keys.has(key)) rest.push(one);
      else {
        keys.add(key);
        batch.push(one);
      }
    }
    pending = rest;
    return batch;
  };

  const carryOut = async (batch: readonly Pending<Item, Result>[]): Promise<void> => {
    try {
      const results = await commit(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await carryOut([one]);
    }
  };

  const run = async () => {
    while (pending.length > 0) await carryOut(take());
    isRunning = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      // Includes whatever else arrives in this turn of the event loop.
      setImmediate(() => void run());
    });
};
