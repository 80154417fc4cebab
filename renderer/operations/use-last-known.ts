import { useEffect, useReducer, useState } from 'react';
import { useLiveState } from '../kit/api/live.ts';
import { serverNowMs } from '../kit/api/server-clock.ts';

const tickMs = 2000;
/** This many reads in a row may be slow before their data counts as old. */
const missedReads = 3;

/**
 * The time up to which something is known to have been true, ISO 8601 by the API's clock; null while it is current:
 * updated live, or just read. Data that is polled in addition to live updates is old when the reads fail, even if the
 * connection is alive.
 * @param readAtMs when it was last read or updated, by this device's clock
 */
export const useLastKnown = (
  readAtMs: number,
  {
    everyMs,
    liveEveryMs,
  }: {
    /** How often it is read while the live connection is away. */
    readonly everyMs: number;
    /** How often it is also read while live updates arrive; null: live updates only. */
    readonly liveEveryMs: number | null;
  },
): string | null => {
  const isLive = useLiveState() === 'live';
  const [lostAtMs, setLostAtMs] = useState(0);
  const [, tick] = useReducer((count: number) => count + 1, 0);
  const isTimed = !isLive || liveEveryMs !== null;
  useEffect(() => (isLive ? () => setLostAtMs(Date.now()) : undefined), [isLive]);
  useEffect(() => {
    if (!isTimed) return undefined;
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [isTimed]);

  if (readAtMs === 0) return null;
  const now = Date.now();
  const since = (heldUntilMs: number) => new Date(serverNowMs() - (now - heldUntilMs)).toISOString();
  if (isLive) {
    const isOld = liveEveryMs !== null && now - readAtMs > missedReads * liveEveryMs + tickMs;
    return isOld ? since(readAtMs) : null;
  }
  // One read may be in progress.
  if (now - readAtMs < everyMs + tickMs && readAtMs >= lostAtMs) return null;
  return since(Math.max(readAtMs, lostAtMs));
};
