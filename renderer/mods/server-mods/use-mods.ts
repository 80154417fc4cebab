import { useEffect, useRef, useState } from 'react';
import type { CallInput } from '#contracts/kernel/call-input.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { useSending } from '../../kit/api/use-sending.ts';
import { useAgentChanges } from '../../servers/use-agent-changes.ts';

/** While a job is running and no live updates arrive. */
const jobEveryMs = 1000;
/** A job that waits for the queue or a license continues without a message from an agent. */
const waitingEveryMs = 3000;

const keyOf = (serverId: string) => readKey(modsHttp.read, { params: { serverId } });

export const rereadMods = (serverId: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: keyOf(serverId) }),
    queryClient.invalidateQueries({ queryKey: readKey(modsHttp.jobs) }),
  ]);

/** The mods of a server, and the job that is changing them; read again as soon as anything changes. */
export const useMods = ({ id: serverId, status }: GameServer) => {
  const awayEveryMs = useAgentChanges(serverId, () => rereadMods(serverId));
  const [hasJob, setHasJob] = useState(false);
  const everyMs = hasJob ? (awayEveryMs === undefined ? waitingEveryMs : jobEveryMs) : awayEveryMs;
  const read = useRead(modsHttp.read, { params: { serverId } }, everyMs === undefined ? {} : { everyMs });
  const { data, refetch } = read;
  const job = data?.job?.id ?? null;
  useEffect(() => {
    setHasJob(job !== null);
    // The history shows each start and end of a job.
    void queryClient.invalidateQueries({ queryKey: readKey(modsHttp.jobs) });
  }, [job]);
  // What a change needs depends on whether the game runs, and that arrives live.
  const known = JSON.stringify([status.shown, status.agentMode]);
  const before = useRef(known);
  useEffect(() => {
    if (before.current !== known) void refetch();
    before.current = known;
  }, [known, refetch]);
  return read;
};

type JobBody = NonNullable<CallInput<typeof modsHttp.begin>['body']>;

/** Carries out a plan. */
export const useBeginJob = (serverId: string) =>
  useSending((body: JobBody, options) =>
    sendChange(modsHttp.begin, { params: { serverId }, body }, options).finally(
      () => void rereadMods(serverId),
    ),
  );
