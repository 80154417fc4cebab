import { serverNowMs } from '../api/server-clock.ts';
import { useTimeZone } from '../language/time-zone.ts';
import { useFormat } from '../language/use-format.ts';
import { wallTime } from '../language/wall-clock.ts';

/** When a record was made: the time, and the day unless it is today. */
export const Moment = ({
  at,
  isShort = false,
}: {
  /** ISO 8601; null if none is known. */
  readonly at: string | null;
  /** In a line of text: without the year, unless it is not the current one. */
  readonly isShort?: boolean;
}) => {
  const format = useFormat();
  const zone = useTimeZone();
  if (at === null) return <span>–</span>;
  const now = new Date(serverNowMs());
  const isToday = format.date(at) === format.date(now.toISOString());
  const isThisYear = wallTime(new Date(at), zone).year === wallTime(now, zone).year;
  const day = isShort && isThisYear ? format.day(at) : format.date(at);
  return (
    <time dateTime={at} title={format.exact(at)}>
      {isToday ? format.time(at) : `${day} ${format.time(at)}`}
    </time>
  );
};
