import { expect, test } from 'vitest';
import { formatIn } from '#contracts/kernel/format.ts';
import { inOrder, type SortKey, sortSteps } from './use-sorted.ts';

const { compare } = formatIn('pt-BR');
const before = inOrder(compare, false);

interface Row {
  readonly key: SortKey;
  readonly at: number;
}
const order = (a: Row, b: Row) => before(a.key, b.key) || a.at - b.at;

const starts = ['Jogador', 'jogador', 'Água', 'agua', '=Mapa', 'Игрок', '玩家', '', 'ß', '🐉'];
const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => {
    const scattered = (at * 7919) % 50_021;
    const text = `${starts[scattered % starts.length]} ${scattered.toString(36)} é 0${at % 13}`;
    return { at, key: scattered % 17 === 0 ? null : scattered % 19 === 0 ? scattered : text };
  });

/** How many comparisons each step made. */
const sortCounted = (rows: readonly Row[]) => {
  const perStep = [0];
  const counted = (a: Row, b: Row) => {
    perStep[perStep.length - 1] = (perStep.at(-1) ?? 0) + 1;
    return order(a, b);
  };
  const steps = sortSteps(rows, counted);
  let step = steps.next();
  while (!step.done) {
    perStep.push(0);
    step = steps.next();
  }
  return {
    sorted: step.value,
    most: Math.max(...perStep),
    total: perStep.reduce((sum, count) => sum + count),
  };
};

// Guarantee: 100,000 texts in any script are sorted exactly in the language's own order, and no step is long.
test('a long list', () => {
  const rows = rowsOf(100_000);
  const { sorted, most } = sortCounted(rows);
  expect(sorted).toEqual(rows.toSorted((a, b) => before(a.key, b.key)));
  // 256 rows alone take fewer than 256 × 8 comparisons; merging them never takes that many.
  expect(most).toBeLessThan(2048);
});

test.each([0, 1, 2, 255, 256, 257, 512, 3001])('%i rows', (count) => {
  const rows = rowsOf(count);
  expect(sortCounted(rows).sorted).toEqual(rows.toSorted((a, b) => before(a.key, b.key)));
  expect(sortCounted(rows.toReversed()).sorted).toEqual(rows.toSorted((a, b) => before(a.key, b.key)));
});

// Guarantee: a live change to a sorted list costs little more than one look at each row.
test('a list that is nearly in order', () => {
  const rows = rowsOf(50_000).toSorted(order);
  const changed = rows.with(30_000, { key: 'aaa', at: 99_999 });
  const { sorted, total } = sortCounted(changed);
  expect(sorted).toEqual(changed.toSorted(order));
  expect(total).toBeLessThan(4 * rows.length);
});
