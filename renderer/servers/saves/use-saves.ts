import { useEffect, useRef, useState } from 'react';
import type { GameServer } from '#contracts/servers/game-servers.ts';
import {
  type RestoreRunRequest,
  type SaveRequest,
  type ServerSaves,
  savesHttp,
} from '#contracts/servers/saves.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { useSending } from '../../kit/api/use-sending.ts';
import { useAgentChanges } from '../use-agent-changes.ts';

/** While an act is in progress, or awaited, and no live updates arrive. */
const actEveryMs = 1000;

/**
 * The backups of a server, and the act in progress on them; read again as soon as anything changes.
 * @param isAwaited someone is waiting for a change, as in a dialog that continues once the game has stopped
 */
export const useSaves = ({ id: serverId, status }: GameServer, isAwaited: boolean) => {
  const reread = () => queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
  const awayEveryMs = useAgentChanges(serverId, reread);
  const [isActing, setIsActing] = useState(false);
  const [hasRun, setHasRun] = useState(false);
  // No live update tells of the steps of a run.
  const isWatched = hasRun || (awayEveryMs !== undefined && (isActing || isAwaited));
  const everyMs = isWatched ? actEveryMs : awayEveryMs;
  const read = useRead(savesHttp.read, { params: { serverId } }, everyMs === undefined ? {} : { everyMs });
  const { data, refetch } = read;
  const hasAct = data?.act != null;
  useEffect(() => setIsActing(hasAct), [hasAct]);
  const isRunOpen = data?.run?.outcome === null;
  useEffect(() => setHasRun(isRunOpen), [isRunOpen]);
  // What can be restored depends on whether the game runs, and that arrives live.
  const known = JSON.stringify([status.shown, status.agentMode]);
  const before = useRef(known);
  useEffect(() => {
    if (before.current !== known) void refetch();
    before.current = known;
  }, [known, refetch]);
  return read;
};

/** Requests an act on a server's saves; a second click does not request it twice. */
export const useSaveAct = (serverId: string) => {
  const { begin, isRunning, error } = useSending<SaveRequest>(async (body, options) => {
    try {
      await showAct(serverId, await sendChange(savesHttp.act, { params: { serverId }, body }, options));
    } finally {
      void queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
    }
  });
  return { run: begin, isRunning, error };
};

/** Requests a restore, or its undo, that stops and starts the game by itself. */
export const useRestoreRun = (serverId: string) => {
  const { begin, isRunning, error } = useSending<RestoreRunRequest>(async (body, options) => {
    try {
      const run = await sendChange(savesHttp.run, { params: { serverId }, body }, options);
      await queryClient.cancelQueries({ queryKey: keyOf(serverId) });
      queryClient.setQueryData<ServerSaves>(keyOf(serverId), (saves) => saves && { ...saves, run });
    } finally {
      void queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
    }
  });
  return { run: begin, isRunning, error };
};

const keyOf = (serverId: string) => readKey(savesHttp.read, { params: { serverId } });

const showAct = async (serverId: string, act: NonNullable<ServerSaves['act']>): Promise<void> => {
  // A read in progress would bring back the old state.
  await queryClient.cancelQueries({ queryKey: keyOf(serverId) });
  queryClient.setQueryData<ServerSaves>(
    keyOf(serverId),
    (saves) => saves && (act.outcome === null ? { ...saves, act } : { ...saves, lastAct: act }),
  );
};
