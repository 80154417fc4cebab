import { type GameServer, gameServersHttp } from '#contracts/game-servers.ts';
import type { ServerMessage } from '#contracts/live.ts';
import { useCan } from '../../access/access-state.ts';
import type { Readable } from '../../design/shown.tsx';
import { useLastKnown } from '../../stack-health/use-last-known.ts';
import { useLive, useLiveState } from '../../wire/live.ts';
import { queryClient, readKey, useRead } from '../../wire/queries.ts';

interface Rows {
  readonly rows: readonly GameServer[];
}
type Statuses = Extract<ServerMessage, { type: 'servers' }>['servers'];

/** The rows with what was told of some of them. */
const withStatuses = ({ rows }: Rows, told: Statuses): Rows => {
  const statuses = new Map(told.map(({ serverId, status }) => [serverId, status]));
  return { rows: rows.map((row) => ({ ...row, status: statuses.get(row.id) ?? row.status })) };
};

const liveEveryMs = 30_000;
const awayEveryMs = 5000;

export interface LiveServers {
  readonly read: Readable<Rows>;
  readonly lastKnownAt: string | null;
}

/** The servers that one may see, as they are now. Without the permission, nothing is asked. */
export const useLiveServers = (): LiveServers => {
  const isAllowed = useCan().somewhere('servers.read');
  const isLive = useLiveState() === 'live';
  const everyMs = isLive ? liveEveryMs : awayEveryMs;
  const read = useRead(gameServersHttp.list, {}, { enabled: isAllowed, everyMs });
  useLive(isAllowed ? { topic: 'servers' } : null, (message) => {
    if (message.type !== 'servers') return;
    const key = readKey(gameServersHttp.list, {});
    const known = queryClient.getQueryData<Rows>(key);
    if (!known) return;
    queryClient.setQueryData<Rows>(key, withStatuses(known, message.servers));
    const ids = new Set(known.rows.map(({ id }) => id));
    // One that was made or restored meanwhile.
    if (message.servers.some(({ serverId }) => !ids.has(serverId)))
      void queryClient.invalidateQueries({ queryKey: key });
  });
  return { read, lastKnownAt: useLastKnown(read.dataUpdatedAt, awayEveryMs) };
};
