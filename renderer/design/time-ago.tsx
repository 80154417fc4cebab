import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useFormat } from '../language/use-format.ts';
import { serverNowMs } from '../wire/server-clock.ts';

const tickMs = 10_000;
const listeners = new Set<() => void>();
let timer: number | undefined;
let tick = 0;

/** One clock for all relative times; it stands still while none is shown. */
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tick += 1;
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
};

export interface TimeAgoProps {
  /** ISO 8601. */
  readonly at: string;
}

/** "3 minutes ago", and exactly when on hover or focus. */
export const TimeAgo = ({ at }: TimeAgoProps) => {
  useSyncExternalStore(subscribe, () => tick);
  const format = useFormat();
  return (
    <Tooltip label={format.exact(at)}>
      <time dateTime={at}>{format.relative(at, serverNowMs())}</time>
    </Tooltip>
  );
};
