import { useFormat } from '../language/use-format.ts';
import { serverNowMs } from '../wire/server-clock.ts';

export interface MomentProps {
  /** ISO 8601; null where none is known. */
  readonly at: string | null;
  /** In a line: without the year, unless it is another than now's. */
  readonly isShort?: boolean;
}

/** When a record was made: the time, and the day unless it is today. */
export const Moment = ({ at, isShort = false }: MomentProps) => {
  const format = useFormat();
  if (at === null) return <span>–</span>;
  const now = new Date(serverNowMs());
  const isToday = format.date(at) === format.date(now.toISOString());
  const isThisYear = new Date(at).getFullYear() === now.getFullYear();
  const day = isShort && isThisYear ? format.day(at) : format.date(at);
  return (
    <time dateTime={at} title={format.exact(at)}>
      {isToday ? format.time(at) : `${day} ${format.time(at)}`}
    </time>
  );
};
