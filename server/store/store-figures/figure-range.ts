import { daysBetween, type FigureQuery, type FigureStep, stepFor } from '#contracts/store/store-figures.ts';

/** A range of days in a time zone, divided into steps. */
export interface FigureRange {
  readonly timeZone: string;
  readonly step: FigureStep;
  /** The first and the last day, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** The first day of each step. */
  readonly starts: readonly string[];
  /** When each step begins. */
  readonly bounds: readonly Date[];
  /** When the day after the last one begins. */
  readonly end: Date;
}

const defaultDays = 30;
const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

export const figureRangeOf = (
  { days = defaultDays, from, to, step: wanted }: FigureQuery,
  timeZone: string,
  now: Date,
): FigureRange => {
  const dayAt = daysIn(timeZone);
  const last = to ?? dayAt(now.getTime());
  const first = from ?? addDays(last, 1 - days);
  const step = wanted ?? stepFor(daysBetween(first, last));
  const starts: string[] = [];
  for (let start = first; start <= last; start = nextStart(start, step)) starts.push(start);
  const beginning = (day: string) => new Date(beginningOf(day, dayAt));
  return {
    timeZone,
    step,
    from: first,
    to: last,
    starts,
    bounds: starts.map(beginning),
    end: beginning(addDays(last, 1)),
  };
};

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const addDays = (day: string, count: number): string => isoDay(Date.parse(day) + count * dayMs);

const nextStart = (start: string, step: FigureStep): string => {
  if (step === 'day') return addDays(start, 1);
  const at = new Date(start);
  if (step === 'week') return addDays(start, 7 - ((at.getUTCDay() + 6) % 7));
  return isoDay(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
};

/** @returns the day in the zone at a time in milliseconds, as `2026-01-31` */
const daysIn = (timeZone: string): ((ms: number) => string) => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  };
};

/** The first minute of the day: where clocks change at midnight, the day begins at another hour. */
const beginningOf = (day: string, dayAt: (ms: number) => string): number => {
  // No zone is more than a day away from UTC.
  let before = Date.parse(day) - dayMs;
  let within = Date.parse(day) + dayMs;
  while (within - before > minuteMs) {
    const middle = before + Math.floor((within - before) / minuteMs / 2) * minuteMs;
    if (dayAt(middle) < day) before = middle;
    else within = middle;
  }
  return within;
};
