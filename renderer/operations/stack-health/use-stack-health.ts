import type { UseQueryResult } from '@tanstack/react-query';
import { healthHttp, type StackHealth } from '#contracts/operations/health.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useLive, useLiveState } from '../../kit/api/live.ts';
import { pollMs, queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import type { Readable } from '../../kit/design/async-content.tsx';
import { useLastKnown } from '../use-last-known.ts';

export interface ShownHealth {
  readonly read: Readable<StackHealth>;
  /** The time since when it may have changed unseen, ISO 8601; null while it is current. */
  readonly lastKnownAt: string | null;
}

/** The health of the stack: updated live, and polled while the live connection is away. */
export const useHealth = ({ isPolled = false } = {}): UseQueryResult<StackHealth> => {
  const isAllowed = useCan()('stack.read');
  const isLive = useLiveState() === 'live';
  const read = useRead(
    healthHttp.stack,
    {},
    { enabled: isAllowed, ...((isPolled || !isLive) && { everyMs: pollMs.often }) },
  );
  useLive(isAllowed ? { topic: 'health' } : null, (message) => {
    if (message.type === 'health') queryClient.setQueryData(readKey(healthHttp.stack, {}), message.health);
  });
  return read;
};

/** The health of the stack, and whether the shown one is current. */
export const useStackHealth = ({ isPolled = false } = {}): ShownHealth => {
  const read = useHealth({ isPolled });
  return {
    read,
    lastKnownAt: useLastKnown(read.dataUpdatedAt, {
      everyMs: pollMs.often,
      liveEveryMs: isPolled ? pollMs.often : null,
    }),
  };
};
