import type { ServerPlayers } from '#contracts/players.ts';

export interface Place {
  readonly serverId: string;
  /** ISO 8601. */
  readonly joinedAt: string;
}

/**
 * Where a player is.
 * - `on`: on these servers, since then
 * - `unknown`: was last seen on a server whose players are not known at the moment
 * - `away`: on none of the servers that one may see
 */
export type Whereabouts =
  | { readonly state: 'on'; readonly places: readonly Place[] }
  | { readonly state: 'unknown'; readonly serverId: string; readonly asOf: string | null }
  | { readonly state: 'away' };

/** Who is where, with what was told of some servers since; `isAll` when it was told of every server. */
export const mergePlayers = (
  known: readonly ServerPlayers[],
  told: readonly ServerPlayers[],
  isAll: boolean,
): readonly ServerPlayers[] => {
  if (isAll) return told;
  const news = new Map(told.map((server) => [server.serverId, server]));
  const rest = known.filter(({ serverId }) => !news.has(serverId));
  return [...rest, ...told];
};

/** Every player's places, by the player's id. */
export const placesOf = (servers: readonly ServerPlayers[]): ReadonlyMap<string, readonly Place[]> => {
  const places = new Map<string, Place[]>();
  for (const { players } of servers)
    for (const { playerId, serverId, joinedAt } of players ?? [])
      places.set(playerId, [...(places.get(playerId) ?? []), { serverId, joinedAt }]);
  return places;
};

/** @param servers null: nobody's whereabouts have been told yet, and what was read of the player is all there is */
export const whereIs = (
  { id, onlineOn }: { readonly id: string; readonly onlineOn: string | null },
  servers: readonly ServerPlayers[] | null,
  places: ReadonlyMap<string, readonly Place[]>,
): Whereabouts => {
  const here = places.get(id);
  if (here) return { state: 'on', places: here };
  if (onlineOn === null) return { state: 'away' };
  const last = servers?.find(({ serverId }) => serverId === onlineOn);
  // Told of, and not among those who are there.
  if (last?.players) return { state: 'away' };
  return { state: 'unknown', serverId: onlineOn, asOf: last?.asOf ?? null };
};
