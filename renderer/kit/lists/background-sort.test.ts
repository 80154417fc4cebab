import { expect, test } from 'vitest';
import { backgroundSort, type Order, type Sorted } from './use-sorted.ts';

interface Row {
  readonly at: number;
}
const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({ at: (at * 7919) % 20_011 }));
const up: Order<Row> = (a, b) => a.at - b.at;
const down: Order<Row> = (a, b) => b.at - a.at;

/** A sort whose results are recorded, and can be awaited. */
const watched = () => {
  const results: Sorted<Row>[] = [];
  let next = Promise.withResolvers<void>();
  const sorter = backgroundSort<Row>((sorted) => {
    results.push(sorted);
    next.resolve();
    next = Promise.withResolvers();
  });
  const until = async (count: number) => {
    while (results.length < count) await next.promise;
    return results;
  };
  return { sorter, until };
};

// Guarantee: a sort order that is no longer wanted is not computed any further, and its result is never shown.
test('another order', async () => {
  const { sorter, until } = watched();
  const of = rowsOf(20_000);
  let asked = 0;
  const replacedAt = 1000;
  const old: Order<Row> = (a, b) => {
    asked += 1;
    if (asked === replacedAt) sorter.sort({ of, order: down, entries: of });
    return up(a, b);
  };
  sorter.sort({ of, order: old, entries: of });
  expect(await until(1)).toEqual([{ of, order: down, entries: of.toSorted(down) }]);
  // Not beyond the current step.
  expect(asked).toBeLessThan(replacedAt + 2048);
});

// Guarantee: rows that change constantly are sorted nevertheless, and the newest ones come last.
test('other rows of the same order', async () => {
  const { sorter, until } = watched();
  const [first, second, third] = [rowsOf(20_000), rowsOf(19_000), rowsOf(18_000)];
  sorter.sort({ of: first, order: up, entries: first });
  sorter.sort({ of: second, order: up, entries: second });
  sorter.sort({ of: third, order: up, entries: third });
  const results = await until(2);
  expect(results.map(({ of }) => of)).toEqual([first, third]);
  expect(results.at(-1)?.entries).toEqual(third.toSorted(up));
});

// Guarantee: the sort of a list that was left stops, and the next one is sorted.
test('stopped', async () => {
  const { sorter, until } = watched();
  const [left, next] = [rowsOf(20_000), rowsOf(5000)];
  sorter.sort({ of: left, order: up, entries: left });
  sorter.stop();
  sorter.sort({ of: next, order: down, entries: next });
  const results = await until(1);
  expect(results.map(({ of }) => of)).toEqual([next]);
});
