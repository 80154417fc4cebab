export type SortKey = string | number | null;

/**
 * Compares in ascending order; for descending order the caller reverses the result. Entries without a key come last in
 * both cases, so for a reversed list they come first here.
 */
export const inOrder =
  (compareTexts: (a: string, b: string) => number, isTurnedAround: boolean) =>
  (a: SortKey, b: SortKey): number => {
    if (a === b) return 0;
    if (a === null) return isTurnedAround ? -1 : 1;
    if (b === null) return isTurnedAround ? 1 : -1;
    return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
  };
