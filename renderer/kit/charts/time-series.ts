/** The data of a chart: a value for each time, at equal steps; null is unknown. */
export interface TimeSeries {
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

interface SeriesSummary {
  /** The newest; null if it is unknown. */
  readonly now: number | null;
  readonly lowest: number;
  readonly highest: number;
  readonly hasGaps: boolean;
}

/** The summary of a chart; null if none of its values is known. */
export const summarize = (values: readonly (number | null)[]): SeriesSummary | null => {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  return {
    now: values.at(-1) ?? null,
    lowest: known.reduce((least, value) => Math.min(least, value)),
    highest: known.reduce((most, value) => Math.max(most, value)),
    hasGaps: known.length < values.length,
  };
};

/** The indexes of values between two gaps: a line through them has no length, so they need a dot. */
export const lonelyPoints = (values: readonly (number | null | undefined)[]): number[] => {
  const isKnown = (index: number) => typeof values[index] === 'number';
  return values.flatMap((_, index) =>
    isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1) ? [index] : [],
  );
};

/** The index that a key moves to, or null if the key means nothing to a chart. */
export const placeByKey = (key: string, from: number | null, length: number): number | null => {
  const last = length - 1;
  if (last < 0) return null;
  const at = from ?? last;
  const page = Math.max(1, Math.round(length / 10));
  const to = {
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    PageDown: at - page,
    PageUp: at + page,
    Home: 0,
    End: last,
  }[key];
  return to === undefined ? null : Math.min(last, Math.max(0, to));
};
