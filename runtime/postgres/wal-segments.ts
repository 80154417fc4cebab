const digits = 8;

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

/**
 * Names of the WAL segments from `first` to `last`, both included: the timeline, then the position in two halves; the second half
 * counts the segments in 4 GiB.
 */
export const segmentsBetween = (first: string, last: string, segmentBytes: number): string[] => {
  const perHalf = 2 ** 32 / segmentBytes;
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(digits, 2 * digits), 16) * perHalf +
    Number.parseInt(name.slice(2 * digits), 16);
  const names: string[] = [];
  for (let number = numberOf(first); number <= numberOf(last); number += 1)
    names.push(first.slice(0, digits) + hex(Math.floor(number / perHalf)) + hex(number % perHalf));
  return names;
};
