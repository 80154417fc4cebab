/**
 * How long to wait before the next try, in milliseconds: at random between half of the pause and all of it, so that panels that
 * lost the API together do not ask it together.
 * @param failures in a row, at least 1
 */
export const retryPauseMs = (
  {
    firstMs,
    mostMs,
  }: {
    /** After the first failure; each further failure doubles it. */
    readonly firstMs: number;
    readonly mostMs: number;
  },
  failures: number,
): number => Math.min(mostMs, firstMs * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
