import { presentTimeZone } from '../language/time-zone.ts';
import { atWallTime, wallTime } from '../language/wall-clock.ts';

/** The latest time in a date and time field, with the same years that the API accepts. */
export const lastMinute = '9999-12-31T23:59';
const years = { first: 1, last: 9999 } as const;

/** An IANA name. */
export const deviceTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An IANA name: text typed now is in this zone, even after the reader has chosen another one. */
export const draftTimeZone = (): string => presentTimeZone() ?? deviceTimeZone();

/** As a date and time field returns it, without a zone. */
const typedTime = /^(\d{4,6})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

const dateOf = (value: string, zone: string | undefined): Date => {
  const typed = zone === undefined ? null : typedTime.exec(value);
  // Also refuses dates that no calendar has.
  if (!typed || Number.isNaN(Date.parse(`${value}Z`))) return new Date(value);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = typed
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  return atWallTime({ year, month, day, hour, minute, second }, zone);
};

/**
 * ISO 8601 in UTC; undefined for a time that the API would not accept.
 * @param zone for a value without one
 */
export const asInstant = (value: string | undefined, zone = presentTimeZone()): string | undefined => {
  const date = dateOf(value ?? '', zone);
  const year = date.getUTCFullYear();
  return year >= years.first && year <= years.last ? date.toISOString() : undefined;
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');

/**
 * As a date and time field shows it: in the reader's time zone, to the minute. It returns what was typed to the minute,
 * even in years when the zone had a different offset, which occur while a year is being typed.
 */
export const asLocal = (value: string | undefined, zone = presentTimeZone()): string => {
  const instant = asInstant(value, zone);
  if (!instant) return '';
  const { year, month, day, hour, minute } = wallTime(new Date(instant), zone);
  const date = [padded(year, 4), padded(month, 2), padded(day, 2)].join('-');
  return `${date}T${padded(hour, 2)}:${padded(minute, 2)}`;
};

/** Spans of whole days by the reader's clock: how many days ago they begin, and their length in days. */
const presets = {
  today: { daysBack: 0, days: null },
  yesterday: { daysBack: 1, days: 1 },
  '7-days': { daysBack: 6, days: null },
  '30-days': { daysBack: 29, days: null },
} as const;
type RangePreset = keyof typeof presets;
export const rangePresets = Object.keys(presets) as readonly RangePreset[];

const isPreset = (text: string | undefined): text is RangePreset =>
  text !== undefined && Object.hasOwn(presets, text);

/** The values in an address. */
type Values = Readonly<Record<string, string>>;

/** The choice: a preset, custom times, or none. */
export const rangeChoiceIn = ({ when, from, to }: Values): RangePreset | 'range' | null =>
  isPreset(when) ? when : when === 'range' || asInstant(from) || asInstant(to) ? 'range' : null;

/**
 * The beginning of a day, some days from today. A day has 23, 24 or 25 hours, and if the clock is put forward at
 * midnight it begins at one o'clock.
 */
export const dayStart = (now: Date, days: number, zone = presentTimeZone()): Date => {
  const today = wallTime(now, zone);
  return atWallTime({ ...today, day: today.day + days, hour: 0, minute: 0, second: 0 }, zone);
};

export const presetRange = (
  preset: RangePreset,
  now: Date,
): { readonly from: string; readonly to?: string } => {
  const { daysBack, days } = presets[preset];
  const from = dayStart(now, -daysBack).toISOString();
  // An ongoing span has no end: with a slow clock, it would hide the latest events.
  return days === null ? { from } : { from, to: dayStart(now, days - daysBack).toISOString() };
};

/** The time span in an address, whatever someone has typed there. */
export const rangeIn = (values: Values, now = new Date()) => {
  const { when } = values;
  if (isPreset(when)) return presetRange(when, now);
  const from = asInstant(values.from);
  const to = asInstant(values.to);
  return { ...(from && { from }), ...(to && { to }) };
};
