import { useMemo } from 'react';
import { type GameServer, gameServersHttp } from '#contracts/servers/game-servers.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useRead } from '../kit/api/queries.ts';
import { useLiveServers } from './use-live-servers.ts';

interface ServerNames {
  /** Active ones that the reader may see. */
  readonly servers: readonly GameServer[];
  /** Includes archived ones; the id itself for one that the reader may not see. */
  nameOf(id: string): string;
}

const none: readonly GameServer[] = [];

export const useServerNames = (): ServerNames => {
  const servers = useLiveServers().data?.rows ?? none;
  const enabled = useCan().somewhere('servers.read');
  const all = useRead(gameServersHttp.list, { query: { archived: 'true' } }, { enabled }).data?.rows ?? none;
  return useMemo(() => {
    const names = new Map([...all, ...servers].map(({ id, name }) => [id, name]));
    return { servers, nameOf: (id) => names.get(id) ?? id };
  }, [servers, all]);
};
