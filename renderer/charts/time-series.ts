/** What a chart draws: a value for each time, all of one step; null is not known. */
export interface TimeSeries {
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly values: readonly (number | null)[];
}

export interface SeriesSummary {
  /** The newest; null when it is not known. */
  readonly now: number | null;
  readonly lowest: number;
  readonly highest: number;
  readonly hasGaps: boolean;
}

/** What a chart says in short; null when nothing in it is known. */
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

/** The places of values that stand between two gaps: a line through them has no length, so they need a dot. */
export const lonelyPoints = (values: readonly (number | null | undefined)[]): number[] => {
  const isKnown = (index: number) => typeof values[index] === 'number';
  return values.flatMap((_, index) =>
    isKnown(index) && !isKnown(index - 1) && !isKnown(index + 1) ? [index] : [],
  );
};

/** The place a key leads to from another, or null when the key means nothing to a chart. */
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
