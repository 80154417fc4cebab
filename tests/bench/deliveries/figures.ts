export interface DeliveryFigures {
  readonly [figure: string]: number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  readonly 'per second': number;
}

/** @param perSecond the rate without a limit */
export const figuresOf = (times: readonly number[], perSecond: number): DeliveryFigures => {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(1), 'per second': perSecond };
};
