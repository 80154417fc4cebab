import { type Agent, agentsHttp } from '#contracts/servers/agents.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useLive } from '../../kit/api/live.ts';
import { pollMs, queryClient, readKey, useRead } from '../../kit/api/queries.ts';
import type { Readable } from '../../kit/design/async-content.tsx';
import { useAgentChanges } from '../use-agent-changes.ts';

interface Agents {
  readonly rows: readonly Agent[];
}

const key = readKey(agentsHttp.list, {});

/**
 * The agents of all servers that the reader may see; read again as soon as one connects, disconnects or reports anything
 * about its machine.
 */
export const useLiveAgents = (): Readable<Agents> => {
  const isAllowed = useCan().somewhere('servers.read');
  const read = useRead(agentsHttp.list, {}, { enabled: isAllowed, everyMs: pollMs.usual });
  useAgentChanges(null, () => queryClient.invalidateQueries({ queryKey: key }));
  useLive(isAllowed ? { topic: 'servers' } : null, (message) => {
    if (message.type !== 'servers') return;
    const known = queryClient.getQueryData<Agents>(key)?.rows ?? [];
    const modes = new Map(known.map(({ serverId, mode, stale }) => [serverId, stale ? null : mode]));
    const isNews = message.servers.some(
      ({ serverId, status }) => (modes.get(serverId) ?? null) !== status.agentMode,
    );
    if (isNews) void queryClient.invalidateQueries({ queryKey: key });
  });
  return read;
};
