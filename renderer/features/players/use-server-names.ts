import type { GameServer } from '#contracts/game-servers.ts';
import { useLiveServers } from '../../game-servers/use-live-servers.ts';

export interface ServerNames {
  /** In use, and such as one may see. */
  readonly servers: readonly GameServer[];
  /** The id itself of one that is archived or not to be seen. */
  nameOf(id: string): string;
}

export const useServerNames = (): ServerNames => {
  const servers = useLiveServers().data?.rows ?? [];
  return { servers, nameOf: (id) => servers.find((server) => server.id === id)?.name ?? id };
};
