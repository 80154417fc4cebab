/** The time on a wall clock in a time zone. */
interface WallTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Creating one takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(timeZone, made);
  return made;
};

/** @param zone an IANA name; undefined: this device's */
export const wallTime = (at: Date, zone: string | undefined): WallTime => {
  if (zone === undefined)
    return {
      year: at.getFullYear(),
      month: at.getMonth() + 1,
      day: at.getDate(),
      hour: at.getHours(),
      minute: at.getMinutes(),
      second: at.getSeconds(),
    };
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const number = (name: Intl.DateTimeFormatPartTypes) => Number(parts[name]);
  const year = number('year');
  return {
    year: String(parts.era).startsWith('B') ? 1 - year : year,
    month: number('month'),
    day: number('day'),
    hour: number('hour'),
    minute: number('minute'),
    second: number('second'),
  };
};

/** The same digits on a clock in UTC. `Date.UTC` would put the years 0 to 99 into the last century. */
const asUtcMs = ({ year, month, day, hour, minute, second }: WallTime): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
};

const dayMs = 86_400_000;

/**
 * The moment at which the wall clock shows a time. Days and months that exceed their range carry over into the next one.
 * Of two moments with the same time it is the first; a time that the clock skips is later by the length of the jump, as
 * with `Date`.
 */
export const atWallTime = (wall: WallTime, zone: string | undefined): Date => {
  if (zone === undefined) {
    const date = new Date(2000, 0, 1, wall.hour, wall.minute, wall.second);
    date.setFullYear(wall.year, wall.month - 1, wall.day);
    date.setHours(wall.hour, wall.minute, wall.second, 0);
    return date;
  }
  const wanted = asUtcMs(wall);
  const offsetAt = (ms: number) => asUtcMs(wallTime(new Date(ms), zone)) - Math.floor(ms / 1000) * 1000;
  const [before, after] = [wanted - dayMs, wanted + dayMs].map((ms) => wanted - offsetAt(ms));
  const shows = (ms: number | undefined) => ms !== undefined && ms + offsetAt(ms) === wanted;
  return new Date((!shows(before) && shows(after) ? after : before) ?? wanted);
};
