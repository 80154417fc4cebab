import { useQueryClient } from '@tanstack/react-query';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { playersHttp, type ServerPlayers } from '#contracts/people/players.ts';
import { useLive } from '../kit/api/live.ts';
import { readKey, useRead } from '../kit/api/queries.ts';

type Online = EndpointResponse<typeof playersHttp.online>;

/** The players on a server, live; undefined until it is clear whether they are known. */
export const usePlayersOf = (serverId: string): ServerPlayers | undefined => {
  const client = useQueryClient();
  const input = { query: { serverId } };
  const read = useRead(playersHttp.online, input);
  useLive({ topic: 'players' }, (message) => {
    if (message.type !== 'players') return;
    const now = message.servers.find((one) => one.serverId === serverId);
    if (now) client.setQueryData<Online>(readKey(playersHttp.online, input), { rows: [now] });
  });
  return read.data?.rows.find((one) => one.serverId === serverId);
};
