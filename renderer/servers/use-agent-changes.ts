import { useEffect, useRef, useState } from 'react';
import { useCan } from '../kit/access/access-state.ts';
import { useLive, useLiveState } from '../kit/api/live.ts';
import { type RepeatWhenAsked, repeatWhenAsked } from '../kit/api/repeat-when-asked.ts';

const restMs = 1000;
/** How often to read without live updates. */
const awayEveryMs = 10_000;

/**
 * Reads data that depends on a server's agent again, at most once a second: as soon as one of its tasks, its machine or
 * the game's process has changed.
 * @param serverId null: any server that the reader may see
 * @param read its promise ends with the read, such as that of `queryClient.invalidateQueries`
 * @returns how often to poll, in milliseconds; undefined while changes arrive live
 */
export const useAgentChanges = (
  serverId: string | null,
  read: () => Promise<unknown>,
): number | undefined => {
  const can = useCan();
  const isAllowed = serverId === null ? can.somewhere('servers.read') : can('servers.read', serverId);
  const [isTold, setIsTold] = useState(false);
  const newest = useRef(read);
  useEffect(() => {
    newest.current = read;
  });
  const reading = useRef<RepeatWhenAsked>(undefined);
  useEffect(() => {
    const current = repeatWhenAsked(() => newest.current(), restMs);
    reading.current = current;
    return () => current[Symbol.dispose]();
  }, []);
  useLive(isAllowed ? { topic: 'agent-tasks' } : null, (message) => {
    if (message.type === 'subscribed') setIsTold(true);
    if (message.type === 'ended') setIsTold(false);
    if (message.type !== 'agent-tasks') return;
    // Without a server, it is the first message of a connection: changes may have been missed.
    const { serverIds } = message;
    if (serverId === null || serverIds.length === 0 || serverIds.includes(serverId)) reading.current?.ask();
  });
  return useLiveState() === 'live' && isTold ? undefined : awayEveryMs;
};
