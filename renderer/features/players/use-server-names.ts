import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import { useCan } from '../../access/access-state.ts';
import { useLiveServers } from '../../game-servers/use-live-servers.ts';
import { useRead } from '../../wire/queries.ts';

export interface ServerNames {
  /** In use, and such as one may see. */
  readonly servers: readonly GameServer[];
  /** Of archived ones, too; the id itself of one that one may not see. */
  nameOf(id: string): string;
}

export const useServerNames = (): ServerNames => {
  const servers = useLiveServers().data?.rows ?? [];
  const enabled = useCan().somewhere('servers.read');
  const all = useRead(gameServersHttp.list, { query: { archived: 'true' } }, { enabled }).data?.rows ?? [];
  const named = [...servers, ...all];
  return { servers, nameOf: (id) => named.find((server) => server.id === id)?.name ?? id };
};
