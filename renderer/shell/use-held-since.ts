import { useEffect, useState } from 'react';
import { serverNowMs } from '../wire/server-clock.ts';

/** The time since when something holds, once it has held for a while: a short moment alarms no one. Null: it does not hold. */
export const useHeldSince = (holds: boolean, afterMs: number): string | null => {
  const [since, setSince] = useState<string | null>(null);
  useEffect(() => {
    setSince(null);
    if (!holds) return;
    const startedAt = new Date(serverNowMs()).toISOString();
    const timer = setTimeout(() => setSince(startedAt), afterMs);
    return () => clearTimeout(timer);
  }, [holds, afterMs]);
  return holds ? since : null;
};
