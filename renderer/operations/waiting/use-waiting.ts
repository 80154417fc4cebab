import type { UseQueryResult } from '@tanstack/react-query';
import { type Waiting, waitingHttp } from '#contracts/operations/waiting.ts';
import { useLive } from '../../kit/api/live.ts';
import { pollMs, queryClient, readKey, useRead } from '../../kit/api/queries.ts';

/** What waits for a person, as far as the reader may see it: after each change, and polled, since a verdict depends on it. */
export const useWaiting = (): UseQueryResult<Waiting> => {
  const read = useRead(waitingHttp.list, {}, { everyMs: pollMs.usual });
  useLive({ topic: 'waiting' }, (message) => {
    if (message.type === 'waiting')
      void queryClient.invalidateQueries({ queryKey: readKey(waitingHttp.list) });
  });
  return read;
};
