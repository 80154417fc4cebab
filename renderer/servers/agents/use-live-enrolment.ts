import type { UseQueryResult } from '@tanstack/react-query';
import { type Enrolment, enrolmentsHttp } from '#contracts/servers/agent-enrolment.ts';
import { useLive, useLiveState } from '../../kit/api/live.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';

const liveEveryMs = 15_000;
const awayEveryMs = 3000;

/** The newest enrolment of a server, read again as soon as anything in it changes. */
export const useLiveEnrolment = (
  serverId: string,
): UseQueryResult<{ readonly enrolment: Enrolment | null }> => {
  const input = { params: { serverId } };
  const everyMs = useLiveState() === 'live' ? liveEveryMs : awayEveryMs;
  const read = useRead(enrolmentsHttp.read, input, { everyMs });
  useLive({ topic: 'enrolments' }, (message) => {
    if (message.type !== 'enrolments') return;
    if (message.serverIds.length === 0 || message.serverIds.includes(serverId))
      void queryClient.invalidateQueries({ queryKey: readKey(enrolmentsHttp.read, input) });
  });
  return read;
};
