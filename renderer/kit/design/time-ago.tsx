import { Tooltip } from '@mantine/core';
import { useFormat } from '../language/use-format.ts';
import { useServerNow } from './use-server-now.ts';

/** "3 minutes ago", and the exact time on hover or focus. */
export const TimeAgo = ({
  at,
}: {
  /** ISO 8601. */
  readonly at: string;
}) => {
  const nowMs = useServerNow();
  const format = useFormat();
  return (
    <Tooltip label={format.exact(at)}>
      <time dateTime={at}>{format.relative(at, nowMs)}</time>
    </Tooltip>
  );
};
