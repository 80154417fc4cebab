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
