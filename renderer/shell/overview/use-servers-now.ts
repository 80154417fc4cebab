import type { Readable } from '../../kit/design/async-content.tsx';
import { useLastKnown } from '../../operations/use-last-known.ts';
import { awayEveryMs, liveEveryMs, type Servers, useLiveServers } from '../../servers/use-live-servers.ts';

export interface ServersNow {
  readonly read: Readable<Servers>;
  readonly lastKnownAt: string | null;
}

/** The servers that the reader may see, and the time up to which their state is known. */
export const useServersNow = (): ServersNow => {
  const read = useLiveServers();
  return { read, lastKnownAt: useLastKnown(read.dataUpdatedAt, { everyMs: awayEveryMs, liveEveryMs }) };
};
