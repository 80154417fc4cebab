import { useFormat } from '../language/use-format.ts';
import { serverNowMs } from '../wire/server-clock.ts';

export interface MomentProps {
  /** ISO 8601; null where none is known. */
  readonly at: string | null;
}

/** When a record was made: the time, and the day unless it is today. */
export const Moment = ({ at }: MomentProps) => {
  const format = useFormat();
  if (at === null) return <span>–</span>;
  const day = format.date(at);
  const isToday = day === format.date(new Date(serverNowMs()).toISOString());
  return (
    <time dateTime={at} title={format.exact(at)}>
      {isToday ? format.time(at) : `${day} ${format.time(at)}`}
    </time>
  );
};
