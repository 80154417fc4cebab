import { useEffect, useRef, useState } from 'react';
import type { GameServer } from '#contracts/game-servers.ts';
import { type SaveRequest, type ServerSaves, savesHttp } from '#contracts/saves.ts';
import { useAgentChanges } from '../../../game-servers/use-agent-changes.ts';
import { ApiProblem } from '../../../wire/api-problem.ts';
import { call } from '../../../wire/call.ts';
import { queryClient, readKey, useRead } from '../../../wire/queries.ts';

/** While something is under way, or waited for, and nothing is told live. */
const actEveryMs = 1000;

/**
 * The backups of a server, and what is being done to them; read again as soon as something has changed.
 * @param isAwaited what is known of them is waited for, as in a dialog that goes on once the game has stopped
 */
export const useSaves = ({ id: serverId, status }: GameServer, isAwaited: boolean) => {
  const reread = () => queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
  const awayEveryMs = useAgentChanges(serverId, reread);
  const [isActing, setIsActing] = useState(false);
  const everyMs = awayEveryMs !== undefined && (isActing || isAwaited) ? actEveryMs : awayEveryMs;
  const read = useRead(savesHttp.read, { params: { serverId } }, everyMs === undefined ? {} : { everyMs });
  const { data, refetch } = read;
  const hasAct = data?.act != null;
  useEffect(() => setIsActing(hasAct), [hasAct]);
  // Whether the game runs decides what can be restored, and that comes live.
  const known = JSON.stringify([status.shown, status.agentMode]);
  const before = useRef(known);
  useEffect(() => {
    if (before.current !== known) void refetch();
    before.current = known;
  }, [known, refetch]);
  return read;
};

/** Asks for an act on a server's saves; a second click does not ask twice. */
export const useSaveAct = (serverId: string) => {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isSending = useRef(false);
  const unanswered = useRef<{ readonly text: string; readonly key: string } | null>(null);
  /** @returns whether it has begun */
  const run = async (request: SaveRequest): Promise<boolean> => {
    if (isSending.current) return false;
    isSending.current = true;
    setIsRunning(true);
    setError(null);
    const text = JSON.stringify(request);
    // Where the answer was lost, the same request goes out under the same key, so that it is done once.
    if (unanswered.current?.text !== text) unanswered.current = { text, key: crypto.randomUUID() };
    try {
      const idempotencyKey = unanswered.current.key;
      const act = await call(savesHttp.act, { params: { serverId }, body: request }, { idempotencyKey });
      unanswered.current = null;
      await showAct(serverId, act);
      return true;
    } catch (failure) {
      if (failure instanceof ApiProblem) unanswered.current = null;
      setError(failure);
      return false;
    } finally {
      isSending.current = false;
      setIsRunning(false);
      void queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
    }
  };
  return { run, isRunning, error };
};

const keyOf = (serverId: string) => readKey(savesHttp.read, { params: { serverId } });

const showAct = async (serverId: string, act: NonNullable<ServerSaves['act']>): Promise<void> => {
  // One that is under way would bring back the state before.
  await queryClient.cancelQueries({ queryKey: keyOf(serverId) });
  queryClient.setQueryData<ServerSaves>(
    keyOf(serverId),
    (saves) => saves && (act.outcome === null ? { ...saves, act } : { ...saves, lastAct: act }),
  );
};
