import type { Readable } from '../../design/async-content.tsx';
import { awayEveryMs, type Servers, useLiveServers } from '../../game-servers/use-live-servers.ts';
import { useLastKnown } from '../../stack-health/use-last-known.ts';

export interface ServersNow {
  readonly read: Readable<Servers>;
  readonly lastKnownAt: string | null;
}

/** The servers that one may see, and until when they are known to have been so. */
export const useServersNow = (): ServersNow => {
  const read = useLiveServers();
  return { read, lastKnownAt: useLastKnown(read.dataUpdatedAt, awayEveryMs) };
};
