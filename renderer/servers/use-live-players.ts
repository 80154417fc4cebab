import { useMemo, useRef } from 'react';
import { playersHttp, type ServerPlayers } from '#contracts/people/players.ts';
import { useCan } from '../kit/access/access-state.ts';
import { useLive, useLiveState } from '../kit/api/live.ts';
import { pollMs, queryClient, readKey, useRead } from '../kit/api/queries.ts';
import { mergePlayers, type Place, placesOf, type Whereabouts, whereIs } from './online-players.ts';

interface Online {
  readonly rows: readonly ServerPlayers[];
}

interface LivePlayers {
  /** Null: not known yet. */
  readonly servers: readonly ServerPlayers[] | null;
  readonly error: Error | null;
  readonly places: ReadonlyMap<string, readonly Place[]>;
  whereIs(player: { readonly id: string; readonly onlineOn: string | null }): Whereabouts;
}

const key = readKey(playersHttp.online, {});

/** Who is on which server now. */
export const useLivePlayers = (): LivePlayers => {
  const isAllowed = useCan().somewhere('players.read');
  const everyMs = useLiveState() === 'live' ? pollMs.rarely : pollMs.often;
  const { data, error } = useRead(playersHttp.online, {}, { enabled: isAllowed, everyMs });
  /** The first message after a subscription covers everything; one before it, from another component's subscription, does not. */
  const isAllNext = useRef(false);
  useLive(isAllowed ? { topic: 'players' } : null, (message) => {
    if (message.type === 'subscribed') isAllNext.current = true;
    if (message.type !== 'players') return;
    const known = queryClient.getQueryData<Online>(key)?.rows ?? [];
    const rows = mergePlayers(known, message.servers, isAllNext.current);
    isAllNext.current = false;
    queryClient.setQueryData<Online>(key, { rows });
  });
  const servers = data?.rows ?? null;
  return useMemo(() => {
    const places = placesOf(servers ?? []);
    return { servers, error, places, whereIs: (player) => whereIs(player, servers, places) };
  }, [servers, error]);
};
