import type { UseQueryResult } from '@tanstack/react-query';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useLiveState } from '../kit/api/live.ts';
import { useRead } from '../kit/api/queries.ts';
import { useLiveStatuses } from './game-servers/use-live-statuses.ts';

export interface Servers {
  readonly rows: readonly GameServer[];
}

/** How often they are read in addition to live updates. */
export const liveEveryMs = 30_000;
/** How often they are read while the live connection is away. */
export const awayEveryMs = 5000;

/** The active servers that the reader may see, with their current status. Without the permission, nothing is requested. */
export const useLiveServers = (): UseQueryResult<Servers> => {
  const isAllowed = useCan().somewhere('servers.read');
  const everyMs = useLiveState() === 'live' ? liveEveryMs : awayEveryMs;
  const read = useRead(gameServersHttp.list, {}, { enabled: isAllowed, everyMs });
  useLiveStatuses(isAllowed);
  return read;
};
