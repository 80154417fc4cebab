import type { Language } from './language.ts';

export interface Format {
  number(value: number): string;
  /** At most two decimals below ten, none above. */
  milliseconds(ms: number): string;
  bytes(bytes: number): string;
  date(iso: string): string;
  /** Without the year. */
  day(iso: string): string;
  time(iso: string): string;
  /** Hours and minutes. */
  minute(iso: string): string;
  /** To the second, with the time zone. */
  exact(iso: string): string;
  /** For example "3 minutes ago" or "in 2 days". */
  relative(iso: string, nowMs: number): string;
  /** For example "3 d 4 h" or "12 min 5 s": the two largest units. */
  duration(seconds: number): string;
  /** Compares a list's words in the language's order. */
  readonly compare: (a: string, b: string) => number;
  list(words: readonly string[]): string;
}

const relativeSteps = [
  ['second', 1, 60],
  ['minute', 60, 60],
  ['hour', 3600, 24],
  ['day', 86_400, 30],
  ['month', 2_592_000, 12],
  ['year', 31_536_000, Number.POSITIVE_INFINITY],
] as const;

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

const durationSteps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * Formats numbers and times as a language writes them.
 * @param timeZone an IANA name; absent: this device's
 */
export const formatIn = (language: Language, timeZone?: string): Format => {
  const zone = timeZone === undefined ? {} : { timeZone };
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', ...zone });
  const days = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric', ...zone });
  const times = new Intl.DateTimeFormat(language, { timeStyle: 'medium', ...zone });
  const minutes = new Intl.DateTimeFormat(language, { timeStyle: 'short', ...zone });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', ...zone });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const lists = new Intl.ListFormat(language);
  const unit = (name: string, value: number) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: 0,
    }).format(value);
  return {
    number: (value) => numbers.format(value),
    milliseconds: (ms) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit: 'millisecond',
        unitDisplay: 'short',
        maximumFractionDigits: ms < 10 ? 2 : 0,
      }).format(ms),
    bytes(bytes) {
      const step = bytes < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
      // The short word for bytes has no plural.
      const unitDisplay = step === 0 ? 'long' : 'short';
      const options = { style: 'unit', unit: byteUnits[step], unitDisplay } as const;
      const value = bytes / 1000 ** step;
      return new Intl.NumberFormat(language, {
        ...options,
        maximumFractionDigits: value < 10 ? 1 : 0,
      }).format(value);
    },
    date: (iso) => dates.format(new Date(iso)),
    day: (iso) => days.format(new Date(iso)),
    time: (iso) => times.format(new Date(iso)),
    minute: (iso) => minutes.format(new Date(iso)),
    exact: (iso) => exact.format(new Date(iso)),
    relative(iso, nowMs) {
      const seconds = (Date.parse(iso) - nowMs) / 1000;
      for (const [name, size, next] of relativeSteps) {
        const value = Math.round(seconds / size);
        if (Math.abs(value) < next) return relative.format(value, name);
      }
      return exact.format(new Date(iso));
    },
    duration(seconds) {
      const whole = Math.max(0, Math.round(seconds));
      const first = durationSteps.findIndex(([, size]) => whole >= size);
      if (first === -1) return unit('second', 0);
      return durationSteps
        .slice(first, first + 2)
        .map(([name, size], index) =>
          index === 0
            ? { name, value: Math.floor(whole / size) }
            : { name, value: Math.floor((whole % (durationSteps[first]?.[1] ?? 1)) / size) },
        )
        .filter(({ value }) => value > 0)
        .map(({ name, value }) => unit(name, value))
        .join(' ');
    },
    compare: new Intl.Collator(language, { numeric: true, sensitivity: 'base' }).compare,
    list: (words) => lists.format(words),
  };
};

/** Creating a formatter takes longer than drawing a row of a list. */
const made = new Map<string, Format>();

/** @param timeZone an IANA name; absent: this device's */
export const formatFor = (language: Language, timeZone?: string): Format => {
  const key = `${language} ${timeZone}`;
  const format = made.get(key) ?? formatIn(language, timeZone);
  made.set(key, format);
  return format;
};
