export type SortKey = string | number | null;

/**
 * Compares upwards; whoever sorts downwards turns the result around. What has no key stands last either way, so for a
 * list that is turned around it comes first here.
 */
export const inOrder =
  (compareTexts: (a: string, b: string) => number, isTurnedAround: boolean) =>
  (a: SortKey, b: SortKey): number => {
    if (a === b) return 0;
    if (a === null) return isTurnedAround ? -1 : 1;
    if (b === null) return isTurnedAround ? 1 : -1;
    return typeof a === 'number' && typeof b === 'number' ? a - b : compareTexts(String(a), String(b));
  };
