import type { UseQueryResult } from '@tanstack/react-query';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import type { ServerMessage } from '#contracts/live.ts';
import { useCan } from '../access/access-state.ts';
import { useLive, useLiveState } from '../wire/live.ts';
import { queryClient, readKey, useRead } from '../wire/queries.ts';

export interface Servers {
  readonly rows: readonly GameServer[];
}
type Told = Extract<ServerMessage, { type: 'servers' }>['servers'];

const liveEveryMs = 30_000;
/** How often they are read while the live connection is away. */
export const awayEveryMs = 5000;

const key = readKey(gameServersHttp.list, {});

const apply = (told: Told): void => {
  const known = queryClient.getQueryData<Servers>(key);
  if (!known) return;
  const statuses = new Map(told.map(({ serverId, status }) => [serverId, status]));
  const rows = known.rows.map((row) => ({ ...row, status: statuses.get(row.id) ?? row.status }));
  queryClient.setQueryData<Servers>(key, { rows });
  const ids = new Set(rows.map(({ id }) => id));
  // One that was made or restored meanwhile.
  if (told.some(({ serverId }) => !ids.has(serverId))) void queryClient.invalidateQueries({ queryKey: key });
};

/** The servers in use that one may see, with their status of now. Without the permission, nothing is asked. */
export const useLiveServers = (): UseQueryResult<Servers> => {
  const isAllowed = useCan().somewhere('servers.read');
  const everyMs = useLiveState() === 'live' ? liveEveryMs : awayEveryMs;
  const read = useRead(gameServersHttp.list, {}, { enabled: isAllowed, everyMs });
  useLive(isAllowed ? { topic: 'servers' } : null, (message) => {
    if (message.type === 'servers') apply(message.servers);
  });
  return read;
};
