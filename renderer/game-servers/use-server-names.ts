import { useMemo } from 'react';
import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../access/access-state.ts';
import { useRead } from '../wire/queries.ts';
import { useLiveServers } from './use-live-servers.ts';

export interface ServerNames {
  /** In use, and such as one may see. */
  readonly servers: readonly GameServer[];
  /** Of archived ones, too; the id itself of one that one may not see. */
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
