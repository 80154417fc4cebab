import { useServerNow } from '../../kit/design/use-server-now.ts';
import { useFormat } from '../../kit/language/use-format.ts';

const dayMs = 86_400_000;

/** How long ago, within a day, otherwise the day and the time; the exact time on hover. */
export const EntryTime = ({ at }: { readonly at: string }) => {
  const format = useFormat();
  const nowMs = useServerNow();
  const isRecent = Math.abs(nowMs - Date.parse(at)) < dayMs;
  return (
    <time dateTime={at} title={format.exact(at)}>
      {isRecent ? format.relative(at, nowMs) : `${format.date(at)}, ${format.minute(at)}`}
    </time>
  );
};
