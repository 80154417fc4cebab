import { useEffect, useRef, useState } from 'react';
import type { PowerAction } from '#contracts/servers/agent-tasks.ts';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { powerHttp, type ServerPower } from '#contracts/servers/power.ts';
import { queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import { sendChange } from '../../kit/api/send-change.ts';
import { useAgentChanges } from '../use-agent-changes.ts';

/** While an act is in progress and no live updates arrive. */
const actEveryMs = 1000;

const keyOf = (serverId: string) => readKey(powerHttp.read, { params: { serverId } });

/** The process of a server, and the act in progress on it; read again as soon as anything changes. */
export const usePower = ({ id: serverId, status }: GameServer) => {
  const reread = () => queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
  const awayEveryMs = useAgentChanges(serverId, reread);
  const [isActing, setIsActing] = useState(false);
  const everyMs = awayEveryMs !== undefined && isActing ? actEveryMs : awayEveryMs;
  const read = useRead(powerHttp.read, { params: { serverId } }, everyMs === undefined ? {} : { everyMs });
  const { data, refetch } = read;
  const hasAct = data?.act != null;
  useEffect(() => setIsActing(hasAct), [hasAct]);
  // The status arrives live: when it changes, everything that depends on it is read immediately. Whether an act is
  // announced depends on who plays.
  const known = JSON.stringify([status.shown, status.agentMode, status.players]);
  const before = useRef(known);
  useEffect(() => {
    if (before.current !== known) void refetch();
    before.current = known;
  }, [known, refetch]);
  return read;
};

const rereadPower = (serverId: string): void => {
  void queryClient.invalidateQueries({ queryKey: keyOf(serverId) });
  void queryClient.invalidateQueries({
    queryKey: readKey(gameServersHttp.read, { params: { id: serverId } }),
  });
};

export const usePowerAct = (serverId: string) => {
  const [isRunning, setIsRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (action: PowerAction, countdownSeconds: number | undefined): Promise<boolean> => {
    setIsRunning(true);
    setError(null);
    try {
      const act = await beginPower(serverId, action, countdownSeconds);
      showAct(serverId, act);
      return true;
    } catch (failure) {
      setError(failure);
      return false;
    } finally {
      setIsRunning(false);
      rereadPower(serverId);
    }
  };
  return { run, isRunning, error };
};

export const beginPower = (serverId: string, action: PowerAction, countdownSeconds: number | undefined) => {
  const body = { action, ...(countdownSeconds !== undefined && { countdownSeconds }) };
  return sendChange(powerHttp.act, { params: { serverId }, body });
};

const showAct = (serverId: string, act: ServerPower['act']): void => {
  queryClient.setQueryData<ServerPower>(keyOf(serverId), (power) => power && { ...power, act });
};
