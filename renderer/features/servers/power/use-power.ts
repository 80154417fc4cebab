import { useEffect, useRef, useState } from 'react';
import type { PowerAction } from '#contracts/agent-tasks.ts';
import { gameServersHttp } from '#contracts/game-servers.ts';
import { powerHttp, type ServerPower } from '#contracts/power.ts';
import { call } from '../../../wire/call.ts';
import { queryClient, readKey, useRead } from '../../../wire/queries.ts';

const restEveryMs = 10_000;
const actEveryMs = 1000;

/** The process of a server, and what is being done to it; read again each second while something is. */
export const usePower = (serverId: string, shown: string) => {
  const [isActing, setIsActing] = useState(false);
  const read = useRead(
    powerHttp.read,
    { params: { serverId } },
    { everyMs: isActing ? actEveryMs : restEveryMs },
  );
  const { data, refetch } = read;
  const hasAct = data?.act != null;
  useEffect(() => setIsActing(hasAct), [hasAct]);
  // The state comes live: what belongs to another one is read at once.
  const before = useRef(shown);
  useEffect(() => {
    if (before.current !== shown) void refetch({ cancelRefetch: false });
    before.current = shown;
  }, [shown, refetch]);
  return read;
};

export const rereadPower = (serverId: string): void => {
  void queryClient.invalidateQueries({ queryKey: readKey(powerHttp.read, { params: { serverId } }) });
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
  // For what lies between: this page itself never sends it twice.
  return call(powerHttp.act, { params: { serverId }, body }, { idempotencyKey: crypto.randomUUID() });
};

const showAct = (serverId: string, act: ServerPower['act']): void => {
  queryClient.setQueryData<ServerPower>(
    readKey(powerHttp.read, { params: { serverId } }),
    (power) => power && { ...power, act },
  );
};
