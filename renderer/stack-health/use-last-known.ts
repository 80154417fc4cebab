import { useEffect, useReducer, useState } from 'react';
import { useLiveState } from '../wire/live.ts';
import { serverNowMs } from '../wire/server-clock.ts';

const tickMs = 2000;

/**
 * Until when something is known to have held, ISO 8601 by the API's clock; null while it is true: it is told live, or
 * was read just now.
 * @param readAtMs when it was last read or told, by this device's clock
 * @param everyMs how often it is read while the live connection is away
 */
export const useLastKnown = (readAtMs: number, everyMs: number): string | null => {
  const isLive = useLiveState() === 'live';
  const [lostAtMs, setLostAtMs] = useState(0);
  const [, tick] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (isLive) return () => setLostAtMs(Date.now());
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [isLive]);

  if (isLive || readAtMs === 0) return null;
  const now = Date.now();
  const heldUntilMs = Math.max(readAtMs, lostAtMs);
  // One read may be on its way.
  if (now - readAtMs < everyMs + tickMs && readAtMs >= lostAtMs) return null;
  return new Date(serverNowMs() - (now - heldUntilMs)).toISOString();
};
